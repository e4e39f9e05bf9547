import type { Calls } from './calls.ts';
import { safely } from './emitter.ts';
import type { AnalyticsEvents } from './events.ts';
import type { Item } from './item.ts';
import type { AnalyticsOptions, Settings } from './options.ts';
import { prepare } from './prepare.ts';
import { beforeExit } from './process-exit.ts';
import { messagesOf, Reporter } from './reporter.ts';
import { type CallResult, Refusal } from './result.ts';
import { Sender } from './sender.ts';
import { settingsOf } from './settings.ts';
import type { Statistics } from './statistics.ts';
import type { StoredMessage } from './store.ts';
import { thrownText } from './thrown.ts';
import { byteLength } from './utf8.ts';
import type { CallType, Message } from './wire.ts';

/** What a call gives: at once whether it was taken; in `syncMode` a promise of how it ended, which never rejects. */
export type Result<Sync extends boolean> = Sync extends true ? Promise<CallResult> : CallResult;

export interface FlushReport {
  readonly timedOut: boolean;
  readonly delivered: number;
  /** Given up while the flush waited. */
  readonly failed: number;
  /** Still held when the time was over. */
  readonly pending: number;
}

export interface CloseReport {
  readonly timedOut: boolean;
  readonly delivered: number;
  /** What could not be sent, oldest first. When the time was over, some of it may have arrived all the same. */
  readonly unsent: readonly Message[];
}

/** How long `close` waits, unless it is told otherwise. */
const CLOSE_TIMEOUT_MS = 30_000;

/**
 * A client for one write key, to be made once and shared (LIB-14). Calls only queue; what the network does never
 * reaches them. Its calls may be taken off it: `const { track } = analytics` works.
 */
export class Analytics<Sync extends boolean = false> implements Calls<Result<Sync>> {
  readonly #settings: Settings;
  readonly #reporter: Reporter;
  readonly #sender: Sender;
  /** Set from the first call of `close` on. */
  #closing: Promise<CloseReport> | undefined;
  /** Takes this client off the end of the process; set while it holds messages. */
  #leaveExit: (() => void) | undefined;

  readonly identify: Calls<Result<Sync>>['identify'] = (...args: unknown[]) => this.#call('identify', args);
  readonly track: Calls<Result<Sync>>['track'] = (...args: unknown[]) => this.#call('track', args);
  readonly page: Calls<Result<Sync>>['page'] = (...args: unknown[]) => this.#call('page', args);
  readonly screen: Calls<Result<Sync>>['screen'] = (...args: unknown[]) => this.#call('screen', args);
  readonly group: Calls<Result<Sync>>['group'] = (...args: unknown[]) => this.#call('group', args);
  readonly alias: Calls<Result<Sync>>['alias'] = (...args: unknown[]) => this.#call('alias', args);

  /** Throws a TypeError that names the option when one is wrong, or when the write key is missing (LIB-4). */
  constructor(writeKey: string, options: AnalyticsOptions<Sync> = {}) {
    this.#settings = settingsOf(writeKey, options);
    this.#reporter = new Reporter(this.#settings);
    this.#sender = new Sender(this.#settings, this.#reporter);
    this.#reporter.events.on('drained', () => this.#idle());
    const { send, store } = this.#settings;
    const take = (messages: readonly StoredMessage[]): void => {
      for (const message of messages) this.#hold({ ...message, bytes: byteLength(message.json) });
      // They waited long enough: a page that is left before its first interval ends would hand them on and on.
      this.#sender.sendAll();
    };
    // What may not send takes nothing out of the store either.
    if (send && store) take(store.recover(take, this.#reporter));
  }

  /** Switches debug lines on or off, as the option `debug` does at first. */
  setDebug(isOn: boolean): void {
    this.#reporter.debugOn = isOn;
  }

  get statistics(): Statistics {
    const { counters } = this.#reporter;
    return { ...this.#sender.held, ...counters, dropped: { ...counters.dropped } };
  }

  /** Listens; the function that it returns ends that. */
  on<Name extends keyof AnalyticsEvents>(name: Name, listener: (detail: AnalyticsEvents[Name]) => unknown): () => void {
    return this.#reporter.events.on(name, listener);
  }

  /**
   * Sends what is queued, and resolves when all that was taken before the call has ended, delivered or given up
   * (LIB-3); later messages are not waited for, and flushes may overlap. Without a limit it lasts as long as retries do.
   */
  async flush({ timeoutMs }: { readonly timeoutMs?: number | undefined } = {}): Promise<FlushReport> {
    const { failed, ...ended } = await this.#sender.flush(timeoutMs);
    return { ...ended, failed: failed.length };
  }

  /** Takes no calls any more, flushes, gives up what is left when the time is over, and reports it. */
  close({ timeoutMs = CLOSE_TIMEOUT_MS }: { readonly timeoutMs?: number | undefined } = {}): Promise<CloseReport> {
    return (this.#closing ??= this.#close(timeoutMs));
  }

  async #close(timeoutMs: number): Promise<CloseReport> {
    const { timedOut, delivered, failed } = await this.#sender.flush(timeoutMs);
    const abandoned = timedOut ? this.#sender.abandon(`close timed out after ${timeoutMs} ms`) : [];
    safely(() => this.#settings.store?.close(), this.#reporter.onThrow);
    return { timedOut, delivered, unsent: messagesOf([...failed, ...abandoned]) };
  }

  /** The one way of all calls. */
  #call(type: CallType, args: readonly unknown[]): Result<Sync> {
    const { syncMode, send } = this.#settings;
    const settled = (): Promise<CallResult> =>
      new Promise((resolve) => {
        const result = this.#take(type, args, resolve);
        if (!result.ok || !send) resolve(result);
      });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `syncMode` was given as `Sync`, and decides
    return (syncMode ? settled() : this.#take(type, args)) as Result<Sync>;
  }

  #take(type: CallType, args: readonly unknown[], resolve?: (result: CallResult) => void): CallResult {
    const refuse = this.#reporter.refused.bind(this.#reporter, type);
    if (this.#closing) return refuse('closed', 'the client was closed; make a new one');
    const prepared = prepare(type, args, this.#settings.clock.now());
    if (prepared instanceof Refusal) return refuse(prepared.reason, prepared.message);
    const { messageId, json, bytes, losses, onSettled } = prepared;
    if (losses.length > 0) this.#reporter.warn(`${type}: ${losses.join('; ')}`);
    if (!this.#settings.send) return { ok: true, messageId };
    if (!this.#hasRoomFor(bytes)) return refuse('queue_full', 'the queue is full');
    try {
      const kept: unknown = this.#settings.store?.add({ messageId, json });
      safely(() => kept, this.#reporter.onThrow);
    } catch (error) {
      return refuse('not_stored', `the store threw ${thrownText(error)}`);
    }
    const settle = (result: CallResult): unknown => {
      resolve?.(result);
      return onSettled?.(result);
    };
    this.#hold({ messageId, json, bytes, onSettled: resolve ? settle : onSettled });
    return { ok: true, messageId };
  }

  #hasRoomFor(bytes: number): boolean {
    const { queued, inFlight, heldBytes } = this.#sender.held;
    const { maxQueueSize, maxQueueBytes } = this.#settings;
    return queued + inFlight < maxQueueSize && heldBytes + bytes <= maxQueueBytes;
  }

  #hold(item: Omit<Item, 'sequence'>): void {
    if (this.#settings.exitTimeoutMs > 0) this.#leaveExit ??= beforeExit(() => void this.#drain());
    this.#sender.add(item);
  }

  #idle(): void {
    this.#leaveExit?.();
    this.#leaveExit = undefined;
  }

  /** At the natural end of a process: all that is held goes out, and nothing waits longer than it may. */
  async #drain(): Promise<void> {
    // An end that is said again while this one waits is of interest only to what was taken meanwhile.
    this.#idle();
    const { timedOut } = await this.#sender.flush(this.#settings.exitTimeoutMs);
    if (timedOut) this.#sender.abandon('the process ended');
  }
}

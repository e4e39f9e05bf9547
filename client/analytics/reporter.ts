import { Emitter, safely } from './emitter.ts';
import type { AnalyticsError } from './error.ts';
import type { AnalyticsEvents } from './events.ts';
import { idsOf, type Item } from './item.ts';
import { Journal } from './logger.ts';
import type { Settings } from './options.ts';
import type { CallResult, RefusalReason } from './result.ts';
import { newCounters } from './statistics.ts';
import type { CallType, Message } from './wire.ts';

/** Who has tried so often in vain is told so; without a limit of its own nobody else would. */
const MANY_ATTEMPTS = 10;

/** Tells everybody who wants to know: counters, listeners, the log, `onError`, and the caller of each message. */
export class Reporter extends Journal {
  readonly counters = newCounters();
  readonly events = new Emitter<AnalyticsEvents>(this.onThrow);
  readonly #settings: Settings;
  /** What the last attempt failed of; empty once something was delivered. */
  trouble = '';

  constructor(settings: Settings) {
    super(settings);
    this.#settings = settings;
  }

  refused(type: CallType, reason: RefusalReason, message: string): CallResult {
    this.counters.refused += 1;
    this.counters.dropped[reason] += 1;
    this.warn(`${type} was not queued (${reason}): ${message}`);
    this.events.emit('refused', () => ({ type, reason, message }));
    return { ok: false, reason, message };
  }

  requesting(request: AnalyticsEvents['request']): void {
    this.counters.requests += 1;
    this.debug(() => `attempt ${request.attempt}: ${request.messages} messages in ${request.bytes} bytes`);
    this.events.emit('request', () => request);
  }

  retrying(attempt: number, waitMs: number, cause: string): void {
    this.counters.retries += 1;
    this.trouble = ` (${cause})`;
    this.debug(() => `attempt ${attempt} failed${this.trouble}; the next in ${waitMs} ms`);
    if (attempt > MANY_ATTEMPTS) this.warn(`messages were not delivered yet${this.trouble}`);
    this.events.emit('retry', () => ({ attempt, waitMs, cause }));
  }

  delivered(items: readonly Item[], attempts: number): void {
    this.counters.delivered += items.length;
    this.trouble = '';
    this.debug(() => `${items.length} messages delivered`);
    this.events.emit('delivered', () => ({ messageIds: idsOf(items), attempts }));
    this.#settle(items, (messageId) => ({ ok: true, messageId }));
  }

  failed(items: readonly Item[], error: AnalyticsError): void {
    const { reason, message } = error;
    this.counters.failed += items.length;
    this.counters.dropped[reason] += items.length;
    this.warn(`${items.length} messages were not delivered (${reason}): ${message}`);
    this.events.emit('failed', () => ({ messageIds: idsOf(items), error }));
    safely(() => this.#settings.onError?.(error, messagesOf(items)), this.onThrow);
    this.#settle(items, () => ({ ok: false, reason, message }));
  }

  /** Nothing is held any more. */
  drained(): void {
    this.forget();
    this.events.emit('drained', () => ({}));
  }

  #settle(items: readonly Item[], resultOf: (messageId: string) => CallResult): void {
    for (const { messageId, onSettled } of items) {
      if (onSettled) safely(() => onSettled(resultOf(messageId)), this.onThrow);
    }
  }
}

/** Read anew from what is sent: whatever is done to them changes nothing. */
export function messagesOf(items: readonly Item[]): Message[] {
  return items.map(({ json }) => {
    // The library wrote this JSON from a Message, in this process or in an earlier one.
    const message: Message = JSON.parse(json);
    return message;
  });
}

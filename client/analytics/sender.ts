import { BATCH_BYTES, batchLength, bodyBytes } from './batch.ts';
import { MAX_TIMER_MS } from './clock.ts';
import { deliver, type Landing } from './deliver.ts';
import { safely } from './emitter.ts';
import { AnalyticsError } from './error.ts';
import { Gate } from './gate.ts';
import { bytesOf, idsOf, type Item } from './item.ts';
import type { Settings } from './options.ts';
import { isPageHidden, KEPT_ALIVE_BYTES, roomBeyondPage } from './page.ts';
import { Queue } from './queue.ts';
import type { Reporter } from './reporter.ts';
import type { Retry } from './retry-decision.ts';
import type { Held } from './statistics.ts';
import { thrownText } from './thrown.ts';
import { type Ended, Waiters } from './waiters.ts';

/**
 * Holds items, and sends them in batches, oldest first. An item is queued, then in flight with its batch, then ended:
 * delivered or given up. A batch keeps its items, and its place before all later ones, over all its attempts, with three
 * exceptions: what is too large for the server goes on in halves; what the server refuses again and again goes on in halves
 * behind all others, until one of them is delivered, and all are in order again; and a flush in a page that is hidden sends at once what may outlive the page.
 */
export class Sender {
  readonly #settings: Settings;
  readonly #reporter: Reporter;
  readonly #gate: Gate;
  readonly #waiters: Waiters;
  readonly #queue = new Queue();
  /** Batches in flight. One that was abandoned is in it no more, and how it ends is of no interest. */
  readonly #flying = new Set<readonly Item[]>();
  /** Those of them that keep others waiting. */
  readonly #slots = new Set<readonly Item[]>();
  /** Items that have not ended, and the bytes of their JSON. */
  #held = 0;
  #heldBytes = 0;
  /** Of the last item that was added. */
  #lastSequence = 0;
  /** Items up to this sequence go out without waiting for a full batch. */
  #sendUpTo = 0;
  /** Set while items wait for their interval to end. */
  #cancelInterval: (() => void) | undefined;

  constructor(settings: Settings, reporter: Reporter) {
    this.#settings = settings;
    this.#reporter = reporter;
    this.#gate = new Gate(settings.clock);
    this.#waiters = new Waiters(settings.clock);
  }

  get held(): Held {
    const queued = this.#queue.items.length;
    return { queued, inFlight: this.#held - queued, heldBytes: this.#heldBytes };
  }

  /** The caller sees to the limits of the queue. */
  add(item: Omit<Item, 'sequence'>): void {
    this.#lastSequence += 1;
    this.#held += 1;
    this.#heldBytes += item.bytes;
    this.#queue.insert([{ ...item, sequence: this.#lastSequence }], Infinity);
    this.#pump();
  }

  /** Sends all that is held now, and waits until it has ended. */
  flush(timeoutMs = MAX_TIMER_MS): Promise<Ended> {
    const ended = this.#waiters.wait(this.#held, this.#lastSequence, timeoutMs);
    this.#sendUpTo = this.#lastSequence;
    // What waits for its turn in a page that is left never has one. What cannot outlive the page either keeps its turn.
    for (let room = roomBeyondPage(); isPageHidden() && room > 0 && this.#isReady();) room -= this.#launch(room);
    this.#pump();
    return ended;
  }

  /** Sends all that is held without waiting for full batches. */
  sendAll(): void {
    this.#sendUpTo = this.#lastSequence;
    this.#pump();
  }

  /** Gives up all that is held, and ends its requests. Gives the items, oldest first. */
  abandon(why: string): readonly Item[] {
    const held = [...this.#flying, this.#queue.take(Infinity)].flat();
    // oxlint-disable-next-line unicorn/no-array-sort -- browsers of before 2023 have no `toSorted`
    const items = held.sort((a, b) => a.sequence - b.sequence);
    this.#flying.clear();
    this.#slots.clear();
    this.#endInterval();
    this.#gate.stop();
    // The store keeps them: the next process may have better luck.
    if (items.length > 0) this.#end(items, new AnalyticsError('abandoned', why + this.#reporter.trouble, 0));
    return items;
  }

  #pump(): void {
    const { maxInFlight, uploadIntervalMs, clock } = this.#settings;
    // What is larger ends with a page that is left.
    const mostBytes = isPageHidden() ? KEPT_ALIVE_BYTES / maxInFlight : BATCH_BYTES;
    while (this.#slots.size < maxInFlight && this.#isReady()) this.#launch(mostBytes);
    if (this.#queue.items.length === 0) return;
    this.#cancelInterval ??= clock.after(uploadIntervalMs, () => {
      this.#endInterval();
      this.sendAll();
    });
  }

  #isReady(): boolean {
    const { items, bytes } = this.#queue;
    const [oldest] = items;
    if (!oldest) return false;
    const isFull = items.length >= this.#settings.uploadSize || bytes >= BATCH_BYTES;
    return isFull || oldest.sequence <= this.#sendUpTo;
  }

  /** One request, of so many bytes where not one message alone takes more. Gives those that it takes. */
  #launch(mostBytes: number): number {
    this.#endInterval();
    const items = this.#queue.take(batchLength(this.#queue.items, this.#settings.uploadSize, mostBytes));
    this.#flying.add(items);
    this.#slots.add(items);
    void deliver(items, this.#settings, this.#reporter, this.#gate, () => {
      this.#slots.delete(items);
      this.#pump();
    })
      .catch((error: unknown) => new AnalyticsError('abandoned', `sending threw ${thrownText(error)}`, 0))
      .then((landing) => this.#land(items, landing));
    return bodyBytes(items);
  }

  #endInterval(): void {
    this.#cancelInterval?.();
    this.#cancelInterval = undefined;
  }

  #land(items: readonly Item[], landing: Landing): void {
    if (landing === undefined || !this.#flying.delete(items)) return;
    this.#slots.delete(items);
    if ('tries' in landing) return this.#putBack(items, landing);
    // A store that fails here costs a repeat at the next start, and the server knows the ids.
    safely(() => this.#settings.store?.end(idsOf(items)), this.#reporter.onThrow);
    this.#end(items, landing);
  }

  /** In halves: one message of a batch may be all that the server refuses. */
  #putBack(items: readonly Item[], { place, tries }: Retry): void {
    const others = { ...tries };
    const half = items.length / 2;
    const again = items.map((item, index) => ({ ...item, place, tries: index < half ? tries : others }));
    this.#queue.insert(again, place === 'first' ? 0 : Infinity);
    // What was sent once waits for no full batch again, nor does what goes before it.
    this.sendAll();
  }

  /** All is in order before anybody is told, since those who are told may call again. */
  #end(items: readonly Item[], landing: AnalyticsError | { readonly attempts: number }): void {
    this.#held -= items.length;
    this.#heldBytes -= bytesOf(items);
    const failed = landing instanceof AnalyticsError;
    // An outage is over, and what it refused was not meant.
    if (!failed && this.#reporter.trouble) this.#queue.restore();
    this.#pump();
    this.#waiters.ended(items, !failed);
    if (failed) this.#reporter.failed(items, landing);
    else this.#reporter.delivered(items, landing.attempts);
    if (this.#held === 0) this.#reporter.drained();
  }
}

import type { Clock } from '../ports/clock.ts';
import { type Dated, PriorityQueue } from './priority-queue.ts';

interface Entry<Owner> extends Dated {
  readonly owner: Owner;
}

/** Timers of many owners on one clock. What a ring costs follows from who is due, not from how many there are. */
export class Timers<Owner> {
  readonly #clock: Clock;
  readonly #onRing: (owner: Owner) => void;
  readonly #entries = new PriorityQueue<Entry<Owner>>();
  #order = 0;
  /** The one sleep on the clock: until the first entry. */
  #sleep: { readonly until: number; readonly abort: AbortController } | undefined;

  constructor(clock: Clock, onRing: (owner: Owner) => void) {
    this.#clock = clock;
    this.#onRing = onRing;
  }

  /** Rings at `at`; in order of time, and of one moment in the order in which they were set. */
  set(owner: Owner, at: number): void {
    this.#order += 1;
    this.#entries.add({ at, order: this.#order, owner });
    this.#sleepUntil(at);
  }

  /** Nothing rings any more, until something is set again. */
  cancel(): void {
    this.#sleep?.abort.abort();
    this.#sleep = undefined;
  }

  #sleepUntil(at: number): void {
    if (this.#sleep !== undefined && this.#sleep.until <= at) return;
    this.cancel();
    const sleep = { until: at, abort: new AbortController() };
    this.#sleep = sleep;
    void this.#clock.sleep(Math.max(0, at - this.#clock.steady()), sleep.abort.signal).then(() => {
      if (this.#sleep !== sleep) return;
      this.#sleep = undefined;
      this.#ring();
    });
  }

  #ring(): void {
    const now = this.#clock.steady();
    const due: Owner[] = [];
    for (let first = this.#entries.first; first !== undefined && first.at <= now; first = this.#entries.first) {
      this.#entries.take();
      due.push(first.owner);
    }
    const next = this.#entries.first;
    if (next !== undefined) this.#sleepUntil(next.at);
    for (const owner of due) this.#onRing(owner);
  }
}

/** Does something after a while, once for all who have asked for no sooner. */
export class Later {
  readonly #clock: Pick<Clock, 'sleep' | 'steady'>;
  readonly #work: () => void;
  /** When it is done next; undefined where nobody has asked. */
  #at: number | undefined;

  constructor(clock: Pick<Clock, 'sleep' | 'steady'>, work: () => void) {
    this.#clock = clock;
    this.#work = work;
  }

  /** Whether it is to come. */
  get isDue(): boolean {
    return this.#at !== undefined;
  }

  /** Done sooner, it is done for all. */
  in(ms: number): void {
    const at = this.#clock.steady() + ms;
    if (this.#at !== undefined && this.#at <= at) return;
    this.#at = at;
    void this.#clock.sleep(ms).then(() => {
      if (this.#at !== at) return;
      this.#at = undefined;
      this.#work();
    });
  }
}

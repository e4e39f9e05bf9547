import { setImmediate } from 'node:timers/promises';
import { systemClock } from '../system-clock.ts';
import { restAfter } from './resting-queues.ts';

/** What a pace is measured by; a port, so that tests can move it by hand. */
export interface PaceTime {
  /** In milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Lets others go on. */
  readonly pause: () => Promise<void>;
}

const SYSTEM_TIME: PaceTime = {
  now: () => performance.now(),
  sleep: (ms, signal) => systemClock.sleep(ms, signal),
  pause: () => setImmediate(),
};

/** So long nothing else goes on, where the work can be parted. */
const PART_MS = 5;
/** What takes less is too short to be missed. */
const SHORT_MS = 2;

/**
 * What the changes of one file of the configuration take of the event loop, which accepts the events of everybody. It is done in parts, and
 * followed by a rest: however large a workspace is, and however often it is changed, most of the time is left to others (SAFE-2).
 */
export class PacedWork {
  readonly #time: PaceTime;
  readonly #hurry = new AbortController();
  /** Since the last rest. */
  #tookMs = 0;
  #endedAt = -Infinity;

  constructor(time = SYSTEM_TIME) {
    this.#time = time;
  }

  /** No rests any more: whoever waits is to be done with. */
  hurry(): void {
    this.#hurry.abort();
  }

  async rest(): Promise<void> {
    const tookMs = this.#tookMs;
    this.#tookMs = 0;
    const restMs = this.#endedAt + restAfter(tookMs) - this.#time.now();
    if (tookMs >= SHORT_MS && restMs > 0) await this.#time.sleep(restMs, this.#hurry.signal);
  }

  /** Work that cannot be parted. */
  once<Answer>(work: () => Answer): Answer {
    const begun = this.#time.now();
    try {
      return work();
    } finally {
      this.#endedAt = this.#time.now();
      this.#tookMs += this.#endedAt - begun;
    }
  }

  /** One after the other. */
  async each<Item, Answer>(items: Iterable<Item>, work: (item: Item) => Answer): Promise<Answer[]> {
    const answers: Answer[] = [];
    let pausedAt = this.#tookMs;
    for (const item of items) {
      answers.push(this.once(() => work(item)));
      if (this.#tookMs - pausedAt < PART_MS) continue;
      pausedAt = this.#tookMs;
      await this.#time.pause();
    }
    return answers;
  }

  /** What is made as it is asked for, by somebody who waits in between. */
  *parts<Part>(made: Iterable<Part>): Generator<Part> {
    const parts = made[Symbol.iterator]();
    for (;;) {
      const next = this.once(() => parts.next());
      if (next.done === true) return;
      yield next.value;
    }
  }
}

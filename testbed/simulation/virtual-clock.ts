import type { Clock } from '../../server/ports/clock.ts';
import { type Dated, PriorityQueue } from '../../server/delivery/priority-queue.ts';

interface Sleeper extends Dated {
  readonly resolve: () => void;
  readonly signal: AbortSignal | undefined;
  /** False once it was woken, by time or by its signal. */
  isAsleep: boolean;
}

/**
 * A clock that stands still until it is moved. Hours pass in the time that the work in them takes, and always in the
 * same order, so that a run can be repeated exactly. Its wall and its steady time begin as one, and the wall can be set.
 */
export class VirtualClock implements Clock {
  readonly #sleepers = new PriorityQueue<Sleeper>();
  /** Who wakes when a signal is aborted, in the order in which they fell asleep: one listener for all of them costs less than one each. */
  readonly #woken = new WeakMap<AbortSignal, Set<Sleeper>>();
  /** Only ever goes on. */
  #steady: number;
  /** How far the wall has been set from it. */
  #offset = 0;
  #fellAsleep = 0;
  #asleep = 0;

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#steady = start;
  }

  now(): number {
    return this.#steady + this.#offset;
  }

  steady(): number {
    return this.#steady;
  }

  /** Sets the wall, forth or back. No time passes, and nobody wakes. */
  stepWall(ms: number): void {
    this.#offset += ms;
  }

  /** Time in which the event loop stands still: whoever should have woken meanwhile wakes at its end. */
  async stall(ms: number): Promise<void> {
    await settled();
    this.#steady += ms;
    await this.advance(0);
  }

  /** How many are asleep: 0 once nothing will happen any more. */
  get sleepers(): number {
    return this.#asleep;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      this.#fellAsleep += 1;
      this.#asleep += 1;
      const at = this.#steady + Math.max(0, ms);
      const sleeper: Sleeper = { at, order: this.#fellAsleep, resolve, signal, isAsleep: true };
      this.#sleepers.add(sleeper);
      if (signal !== undefined) this.#sleepersOf(signal).add(sleeper);
    });
  }

  #sleepersOf(signal: AbortSignal): Set<Sleeper> {
    const known = this.#woken.get(signal);
    if (known !== undefined) return known;
    const sleepers = new Set<Sleeper>();
    this.#woken.set(signal, sleepers);
    signal.addEventListener('abort', () => sleepers.forEach((sleeper) => this.#wake(sleeper)), { once: true });
    return sleepers;
  }

  #wake(sleeper: Sleeper): void {
    sleeper.isAsleep = false;
    this.#asleep -= 1;
    if (sleeper.signal !== undefined) this.#woken.get(sleeper.signal)?.delete(sleeper);
    sleeper.resolve();
  }

  /** Moves time forward, stopping at each moment at which somebody wakes, until all that follows from it has settled. */
  async advance(ms: number): Promise<void> {
    const end = this.#steady + ms;
    await settled();
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#steady = Math.max(this.#steady, next.at);
      this.#wake(next);
      await settled();
    }
    this.#steady = end;
  }

  #next(end: number): Sleeper | undefined {
    for (let next = this.#sleepers.first; next !== undefined && next.at <= end; next = this.#sleepers.first) {
      this.#sleepers.take();
      if (next.isAsleep) return next;
    }
    return undefined;
  }
}

/** Resolves after every promise that can settle now has settled. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

import type { Clock } from '../../analytics/clock.ts';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that moves only when a test says so. */
export class VirtualClock implements Clock {
  #now = Date.parse('2026-11-20T12:00:00.000Z');
  /** How far the clock on the wall was set; timers do not see it. */
  #set = 0;
  /** In the order in which they end. */
  readonly #timers: Timer[] = [];

  now(): number {
    return this.#now + this.#set;
  }

  /** Somebody sets the clock on the wall. */
  set(byMs: number): void {
    this.#set += byMs;
  }

  get pending(): number {
    return this.#timers.length;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, run };
    const later = this.#timers.findIndex((other) => other.at > timer.at);
    this.#timers.splice(later === -1 ? this.#timers.length : later, 0, timer);
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index !== -1) this.#timers.splice(index, 1);
    };
  }

  /** Moves on by `ms`, and runs on the way all that is due, in order. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (let next = this.#timers[0]; next !== undefined && next.at <= end; next = this.#timers[0]) {
      await this.#step(next);
    }
    this.#now = end;
  }

  /** Moves on from timer to timer until the promise is settled, or nothing is left that could settle it. */
  async until<T>(promise: Promise<T>): Promise<T> {
    const state = { isSettled: false };
    const done = (): void => void (state.isSettled = true);
    promise.then(done, done);
    await settle();
    for (let next = this.#timers[0]; !state.isSettled; next = this.#timers[0]) {
      if (next === undefined) throw new Error('The promise can never settle: no timer is left');
      await this.#step(next);
    }
    return promise;
  }

  async #step(next: Timer): Promise<void> {
    this.#timers.shift();
    this.#now = Math.max(this.#now, next.at);
    next.run();
    await settle();
  }
}

/** Resolves when all promises that can go on have gone on. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

import type { Clock } from '../../server/ports/clock.ts';

interface Sleeper {
  readonly at: number;
  /** Sleepers of one moment wake in the order in which they fell asleep. */
  readonly order: number;
  readonly wake: () => void;
}

/**
 * A clock that stands still until it is moved. Hours pass in the time that the work in them takes, and always in the
 * same order, so that a run can be repeated exactly.
 */
export class VirtualClock implements Clock {
  readonly #sleepers = new Set<Sleeper>();
  #now: number;
  #asleep = 0;

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  /** How many are asleep: 0 once nothing will happen any more. */
  get sleepers(): number {
    return this.#sleepers.size;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper: Sleeper = { at: this.#now + Math.max(0, ms), order: (this.#asleep += 1), wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', wake);
    });
  }

  /** Moves time forward, stopping at each moment at which somebody wakes, until all that follows from it has settled. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settled();
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#now = Math.max(this.#now, next.at);
      next.wake();
      await settled();
    }
    this.#now = end;
  }

  #next(end: number): Sleeper | undefined {
    let next: Sleeper | undefined;
    for (const sleeper of this.#sleepers) {
      if (sleeper.at > end) continue;
      if (next === undefined || sleeper.at < next.at || (sleeper.at === next.at && sleeper.order < next.order)) {
        next = sleeper;
      }
    }
    return next;
  }
}

/** Resolves after every promise that can settle now has settled. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

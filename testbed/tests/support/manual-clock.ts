import type { ReceiverClock } from '../../receiver/receiver-clock.ts';

interface Sleeper {
  readonly ms: number;
  readonly due: number;
  readonly wake: () => void;
}

/** A clock that stands still until it is told otherwise. */
export class ManualClock implements ReceiverClock {
  #now: number;
  readonly #sleepers = new Set<Sleeper>();
  readonly #watchers = new Set<() => void>();

  constructor(now = Date.UTC(2026, 10, 20, 12)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted === true || ms <= 0) {
        resolve();
        return;
      }
      const sleeper = { ms, due: this.#now + ms, wake };
      const sleepers = this.#sleepers;
      function wake() {
        sleepers.delete(sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      }
      sleepers.add(sleeper);
      signal?.addEventListener('abort', wake);
      for (const look of this.#watchers) look();
    });
  }

  /** How many sleep. */
  get asleep(): number {
    return this.#sleepers.size;
  }

  /** Wakes in order of time whoever is due until then. */
  advance(ms: number): void {
    this.#now += ms;
    const due = [...this.#sleepers].filter((sleeper) => sleeper.due <= this.#now);
    for (const { wake } of due.toSorted((one, other) => one.due - other.due)) wake();
  }

  /** Resolves as soon as someone sleeps for exactly so long. */
  async asleepFor(ms: number): Promise<void> {
    const found = () => [...this.#sleepers].some((sleeper) => sleeper.ms === ms);
    if (found()) return;
    await new Promise<void>((resolve) => {
      const look = () => {
        if (!found()) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
    });
  }
}

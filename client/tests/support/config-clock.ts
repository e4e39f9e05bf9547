import type { Clock } from '../../config/index.ts';

/** A test's own time: waits up to `longestMs` are over at once, and longer ones only when the test says so. */
export class ConfigClock implements Clock {
  /** The waits that were over at once, in milliseconds, oldest first. */
  readonly waits: number[] = [];
  readonly #longestMs: number;
  readonly #held = new Set<() => void>();
  readonly #watchers: (() => void)[] = [];
  #now: number;

  constructor(longestMs: number, now = 0) {
    this.#longestMs = longestMs;
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return;
    if (ms <= this.#longestMs) {
      this.waits.push(ms);
      this.#now += ms;
      return;
    }
    await new Promise<void>((resolve) => {
      const end = (): void => {
        this.#held.delete(end);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      this.#held.add(end);
      signal?.addEventListener('abort', end);
      for (const watcher of this.#watchers.splice(0)) watcher();
    });
  }

  /** How many long waits are going on. */
  get held(): number {
    return this.#held.size;
  }

  /** Resolves once a long wait is going on. */
  async whenHeld(): Promise<void> {
    if (this.#held.size === 0) await new Promise<void>((resolve) => this.#watchers.push(resolve));
  }

  /** Ends all long waits, as if their time had passed. */
  elapse(): void {
    for (const end of this.#held) end();
  }
}

import type { Clock } from './clock.ts';

/** What all batches of a client have in common between two requests: waits that the server asked for, and the stop. */
export class Gate {
  readonly #clock: Clock;
  /** No request starts before this time. */
  #opensAt = 0;
  /** Aborted when all is given up; those who start later get a new one. */
  #stop = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  stop(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  /** The server asked every request to wait. */
  hold(ms: number): void {
    this.#opensAt = Math.max(this.#opensAt, this.#clock.now() + ms);
  }

  /** Resolves when requests may start, or at once when the signal aborts. */
  async passed(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#opensAt > this.#clock.now()) {
      await this.pause(this.#opensAt - this.#clock.now(), signal);
    }
  }

  /** Resolves after the wait, or at once when the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(ms, done);
      signal.addEventListener('abort', done);
      function done(): void {
        cancel();
        signal.removeEventListener('abort', done);
        resolve();
      }
    });
  }
}

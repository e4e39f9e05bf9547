import type { Clock } from './clock.ts';

/** What all batches of a client have in common between two requests: waits that the server asked for, and the stop. */
export class Gate {
  readonly #clock: Clock;
  /** The wait that holds every request, and when it began. */
  #holdMs = 0;
  #heldAt = 0;
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
    this.#holdMs = Math.max(this.#left, ms);
    this.#heldAt = this.#clock.now();
  }

  /** Resolves when requests may start, or at once when the signal aborts. */
  async passed(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#left > 0) await this.pause(this.#left, signal);
  }

  /** Of the wait. Once the clock was set back nobody knows, and a server that still has to wait says so again. */
  get #left(): number {
    const passed = this.#clock.now() - this.#heldAt;
    return passed < 0 ? 0 : this.#holdMs - passed;
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

import type { Clock } from '../ports/clock.ts';

/** One alarm on a clock: the earliest moment that was asked for. */
export class Alarm {
  readonly #clock: Clock;
  readonly #onRing: () => void;
  #set: { readonly at: number; readonly abort: AbortController } | undefined;

  constructor(clock: Clock, onRing: () => void) {
    this.#clock = clock;
    this.#onRing = onRing;
  }

  /** Rings at `at`, unless it rings earlier already. */
  setFor(at: number): void {
    if (this.#set !== undefined && this.#set.at <= at) return;
    this.cancel();
    const set = { at, abort: new AbortController() };
    this.#set = set;
    void this.#clock.sleep(Math.max(0, at - this.#clock.steady()), set.abort.signal).then(() => {
      if (this.#set !== set) return;
      this.#set = undefined;
      this.#onRing();
    });
  }

  cancel(): void {
    this.#set?.abort.abort();
    this.#set = undefined;
  }
}

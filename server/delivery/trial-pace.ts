/** Trials that have not been made are made up for up to so much: where few destinations fail, none waits. */
const CATCH_UP_MS = 32;

/**
 * Spreads trials over time: made at once, those of thousands of destinations that fail would take the whole of the event loop
 * from the others.
 */
export class TrialPace {
  readonly #gapMs: number;
  readonly #catchUpMs: number;
  /** When the last one was, had they been evenly apart. */
  #last = -Infinity;

  constructor(perSecond: number) {
    this.#gapMs = 1_000 / perSecond;
    // The one that is made then counts as well.
    this.#catchUpMs = Math.max(0, CATCH_UP_MS - this.#gapMs);
  }

  /** When the next one may be made. */
  get freeAt(): number {
    return this.#last + this.#gapMs;
  }

  take(at: number): void {
    this.#last = Math.max(this.freeAt, at - this.#catchUpMs);
  }

  /** A trial got an answer, and so counts as none: however many wait, those that work are found as fast as they answer. */
  giveBack(): void {
    this.#last -= this.#gapMs;
  }
}

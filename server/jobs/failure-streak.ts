import { DoublingWait } from './doubling-wait.ts';

/** How long to wait after a failure: each time twice as long, up to this. */
const WAIT_MS = { first: 1_000, longest: 30_000 };
/** So many in a row, over so long, are enough. A storage that was gone for a moment has time to come back … */
const GIVE_UP = { failures: 3, afterMs: 60_000 };

/** What fails again and again, until it has succeeded. */
export class FailureStreak {
  readonly #wait = new DoublingWait(WAIT_MS);
  #failures = 0;
  /** Of the first. */
  #since = 0;

  /** By a steady clock. How long to wait, in milliseconds; undefined: it is to be given up. */
  fail(now: number): { readonly isFirst: boolean; readonly waitMs: number | undefined } {
    const isFirst = this.#failures === 0;
    if (isFirst) this.#since = now;
    this.#failures += 1;
    // … while a step that takes twenty minutes to fail is not to do so sixty times.
    const isEnough = this.#failures >= GIVE_UP.failures && now - this.#since >= GIVE_UP.afterMs;
    return { isFirst, waitMs: isEnough ? undefined : this.#wait.next() };
  }

  /** Answers whether there was one. */
  end(): boolean {
    const hasFailed = this.#failures > 0;
    this.#failures = 0;
    this.#wait.reset();
    return hasFailed;
  }
}

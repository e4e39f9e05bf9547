import type { RoundResult } from './round.ts';

/**
 * What is known of a destination by how its rounds end.
 *
 * | standing | means                                               | leaves for                               |
 * | new      | nothing, and nobody has asked                       | on trial: storage has given what waits   |
 * | on trial | nothing, and one event that has waited shall tell   | answers, fails: a round says something   |
 * | answers  | the last round that says something got an answer    | fails: a round failed temporarily        |
 * | fails    | the last round that says something got none of use  | answers: a round got an answer           |
 */
export type Standing = 'new' | 'on trial' | 'answers' | 'fails';

export function standingAfter(before: Standing, result: RoundResult): Standing {
  if (result === 'unjudged') return before;
  return result === 'failed' ? 'fails' : 'answers';
}

/** Storage has given something. */
export function tried(before: Standing): Standing {
  return before === 'new' ? 'on trial' : before;
}

/**
 * Whether its rounds are trials, which are paced: likely to be in vain, and after a start there may be one for each of thousands.
 * An event that has just been accepted for a destination that is new is none: it comes no faster than it was sent.
 */
export function isTried(standing: Standing): boolean {
  return standing === 'on trial' || standing === 'fails';
}

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

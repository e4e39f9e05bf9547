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

import { createTurns, type Turns } from '../../evaluation/turns.ts';
import { createUndecided, type Undecided } from '../../losses/undecided.ts';

/** What whoever evaluates definitions is given, for one test. */
export function newEvaluation(): { undecided: Undecided; turns: Turns } {
  return { undecided: createUndecided(), turns: createTurns() };
}

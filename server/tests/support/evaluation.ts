import { createTurns, type Turns } from '../../evaluation/turns.ts';
import { createUndecided } from '../../losses/undecided.ts';
import type { Undecided } from '../../losses/undecided-port.ts';

/** What whoever evaluates definitions is given, for one test. */
export function newEvaluation(): { undecided: Undecided; turns: Turns } {
  return { undecided: createUndecided(), turns: createTurns() };
}

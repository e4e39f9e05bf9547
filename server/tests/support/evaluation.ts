import { createTurns, type Turns } from '../../fairness/turns.ts';
import { createAcceptedEvents } from '../../losses/accepted-events.ts';
import { createDroppedEvents } from '../../losses/dropped-events.ts';
import { type LossReader, ownLosses } from '../../losses/loss-reader.ts';
import { createUnknownKeys } from '../../losses/unknown-keys.ts';
import { createTraffic } from '../../losses/traffic.ts';
import { createViolations } from '../../losses/violations.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { stillClock } from './still-clock.ts';
import { createUndecided, type Undecided } from '../../losses/undecided.ts';

/** What whoever evaluates definitions is given, for one test. */
export function newEvaluation(clock: Clock = stillClock(() => 0)): {
  undecided: Undecided;
  turns: Turns;
  clock: Clock;
} {
  return { undecided: createUndecided(), turns: createTurns(), clock };
}

/** What jobs are given of it. */
export function newCounts(clock: Clock, log: Log): { undecided: Undecided; losses: LossReader } {
  const undecided = createUndecided();
  return { undecided, losses: newLosses(clock, log, { undecided }) };
}

/** Of a router that has lost nothing yet. */
export function newLosses(clock: Clock, log: Log, { undecided }: { readonly undecided: Undecided }): LossReader {
  const unknownKeys = createUnknownKeys({ clock, log });
  const kept = { dropped: createDroppedEvents(), violations: createViolations(), unknownKeys, undecided };
  return ownLosses({ ...kept, accepted: createAcceptedEvents(), traffic: createTraffic(clock) }, clock);
}

import { classOf } from '../../server/model/outcome.ts';
import type { DeliveryPolicy } from '../../server/model/policy.ts';
import { longestWait } from '../../server/delivery/schedule.ts';
import type { Parked } from './parking.ts';
import { answered, type Observed, type Violation } from './observed.ts';

/** So many waits are needed to tell chance from a rule … */
const ENOUGH = 8;
/** … and so much of the half in which they are drawn they have to cover: eight draws all within it come once in 10⁷. */
const NARROWEST = 0.08;

/** Waits that are not spread at all: receivers that failed together would be tried in lock-step (D-23). */
export function lockStep(
  events: readonly (readonly Observed[])[],
  policy: DeliveryPolicy,
  isParked: Parked,
): readonly Violation[] {
  const shares = events.flatMap((attempts) =>
    attempts.slice(1).flatMap((attempt, index) => {
      const before = attempts[index];
      if (before === undefined) return [];
      const { endedAt, outcome, retryAfterMs } = answered(before, policy.deadlineMs);
      const bound = longestWait(policy, index + 1);
      if (classOf(outcome) !== 'temporary' || retryAfterMs > bound / 2 || isParked(endedAt, attempt.at)) return [];
      return [(attempt.at - endedAt) / bound];
    }),
  );
  if (shares.length < ENOUGH || Math.max(...shares) - Math.min(...shares) > NARROWEST) return [];
  const percent = Math.round((shares[0] ?? 0) * 100);
  return [
    {
      rule: 'retry-schedule',
      words: `all ${shares.length} waits are about ${percent} % of their bound: they are to be drawn at random`,
    },
  ];
}

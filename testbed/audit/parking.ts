import { classOf } from '../../server/model/outcome.ts';
import type { DeliveryPolicy } from '../../server/model/policy.ts';
import { answered, type Observed } from './observed.ts';

/** Whether the destination may have been parked at some moment between two. */
export type Parked = (from: number, to: number) => boolean;

/** When the destination may have been parked, from what an endpoint saw: enough failures in a row (D-25). */
export function parkedIn(observed: readonly Observed[], policy: DeliveryPolicy): Parked {
  const ends = observed
    .map((each) => answered(each, policy.deadlineMs))
    .toSorted((a, b) => a.endedAt - b.endedAt)
    .map(({ endedAt, outcome }) => ({ endedAt, failed: classOf(outcome) === 'temporary' }));
  let inRow = 0;
  const counts = ends.map(({ endedAt, failed }) => {
    inRow = failed ? inRow + 1 : 0;
    return { endedAt, isParked: inRow >= policy.parkAfter };
  });
  return (from, to) => {
    const before = counts.findLast(({ endedAt }) => endedAt <= from)?.isParked ?? false;
    return before || counts.some(({ endedAt, isParked }) => isParked && endedAt >= from && endedAt <= to);
  };
}

import { refuseNothing } from './not-judged.ts';
import { answered, nameOf, type Observed, type Violation, webhookOf } from './observed.ts';

export interface RateOptions {
  /** How many requests each webhook gets in a second at most, evenly: the destination's `maxPerSecond`. */
  readonly perSecond?: number;
  /** How many requests to each webhook are open at once at most: the destination's `maxInFlight`. */
  readonly inFlight?: number;
  /** How much the network may move a request. Default 50 ms. */
  readonly toleranceMs?: number;
}

/** What was late may be made up for by so much. */
const CATCH_UP_MS = 100;

/** Whether requests to each webhook kept to the limits of their destination. */
export function auditRate(observed: readonly Observed[], options: RateOptions): readonly Violation[] {
  refuseNothing(observed);
  const { perSecond, inFlight, toleranceMs = 50 } = options;
  return [...Map.groupBy(observed, webhookOf).values()].flatMap((group) => {
    const requests = group.toSorted((a, b) => a.at - b.at || a.number - b.number);
    return [
      ...(perSecond === undefined ? [] : tooEarly(requests, perSecond, toleranceMs)),
      ...(inFlight === undefined ? [] : tooMany(requests, inFlight, toleranceMs)),
    ];
  });
}

/** Each request takes a slot, and slots are a gap apart: one that comes before its slot came too early. */
function tooEarly(requests: readonly Observed[], perSecond: number, toleranceMs: number): readonly Violation[] {
  let slot = -Infinity;
  return requests.flatMap((request) => {
    const earlyMs = slot - CATCH_UP_MS - toleranceMs - request.at;
    slot = Math.max(slot, request.at) + 1_000 / perSecond;
    if (earlyMs <= 0) return [];
    const words = `${nameOf(request)} came ${Math.ceil(earlyMs)} ms too early for ${perSecond} requests per second, evenly`;
    return [{ rule: 'rate', words }];
  });
}

function tooMany(requests: readonly Observed[], inFlight: number, toleranceMs: number): readonly Violation[] {
  const open: number[] = [];
  return requests.flatMap((request) => {
    const still = open.filter((endedAt) => endedAt > request.at + toleranceMs);
    open.splice(0, open.length, ...still, answered(request).endedAt);
    if (open.length <= inFlight) return [];
    const words = `${nameOf(request)} came while ${open.length - 1} requests were open, and ${inFlight} may be at once`;
    return [{ rule: 'in-flight', words }];
  });
}

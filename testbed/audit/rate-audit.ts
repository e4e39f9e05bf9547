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

/** A request that came before its slot. */
interface Early<T> {
  readonly request: T;
  readonly byMs: number;
}

/** When something came; `lateMs` of that may have passed before it was seen. */
interface Came {
  readonly at: number;
  readonly lateMs?: number;
}

/**
 * Each request takes a slot, and slots are a gap apart: one that comes before its slot came too early. `requests` are in order
 * of arrival.
 */
export function earlyAmong<T extends Came>(
  requests: readonly T[],
  perSecond: number,
  toleranceMs: number,
): readonly Early<T>[] {
  let slot = -Infinity;
  return requests.flatMap((request) => {
    const { at, lateMs = 0 } = request;
    const byMs = Math.ceil(slot - CATCH_UP_MS - toleranceMs - at);
    slot = Math.max(slot, at - lateMs) + 1_000 / perSecond;
    return byMs > 0 ? [{ request, byMs }] : [];
  });
}

function tooEarly(requests: readonly Observed[], perSecond: number, toleranceMs: number): readonly Violation[] {
  return earlyAmong(requests, perSecond, toleranceMs).map(({ request, byMs }) => {
    const words = `${nameOf(request)} came ${byMs} ms too early for ${perSecond} requests per second, evenly`;
    return { rule: 'rate', words };
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

import { answered, nameOf, type Observed, type Violation, webhookOf } from './observed.ts';
import { textOf } from '../receiver/received.ts';
import { eventIdOf } from '../schemes/said.ts';
import { cameTo, isOfWaybill, NotJudgedError, refuseNothing, wayOutFor } from './not-judged.ts';

export interface OrderOptions {
  /**
   * Ids of events in the order in which they were accepted. Without it, `receivedAt` of Waybill's bodies tells, where it
   * differs; nothing tells of other senders.
   */
  readonly ids?: readonly string[];
  /** How much the network may move a request. Default 0. */
  readonly toleranceMs?: number;
}

interface Place {
  readonly request: Observed;
  /** Where its event was in the order of acceptance. */
  readonly place: number;
}

/**
 * Whether the events of each user came to each path in the order of their acceptance, one after the other (HOOK-25). Of other
 * senders nobody knows the user, and all that came to a path is in one line. Throws where nobody knows the order.
 */
export function auditOrder(observed: readonly Observed[], options: OrderOptions): readonly Violation[] {
  refuseNothing(observed);
  const { toleranceMs = 0, ids } = options;
  const places = ids && new Map(ids.map((id, place) => [id, place]));
  const placed = observed.flatMap((request) => placeOf(request, places));
  const [first] = observed;
  if (first !== undefined && placed.length === 0) throw new NotJudgedError(unplaced(first, ids));
  const lines = Map.groupBy(placed, ({ request }) => JSON.stringify([webhookOf(request), lineOf(request)]));
  return [...lines.values()].flatMap((line) => violations(line, toleranceMs));
}

function violations(line: readonly Place[], toleranceMs: number): readonly Violation[] {
  const inTime = line.toSorted((a, b) => a.request.at - b.request.at || a.request.number - b.request.number);
  return inTime.flatMap(({ request, place }, index) => {
    const before = inTime.slice(0, index);
    const overtaken = before.find((one) => one.place > place && one.request.at + toleranceMs < request.at);
    if (overtaken !== undefined) {
      return [violation(`${nameOf(request)} came after ${nameOf(overtaken.request)}, which was accepted later`)];
    }
    const open = before.find((one) => one.place < place && answered(one.request).endedAt > request.at + toleranceMs);
    return open === undefined ? [] : [violation(`${nameOf(request)} came while ${nameOf(open.request)} was open`)];
  });
}

/** None where nobody knows. */
function placeOf(request: Observed, places: ReadonlyMap<string, number> | undefined): Place[] {
  const place = places === undefined ? acceptedAt(request) : places.get(eventIdOf(request) ?? '');
  return place !== undefined && lineOf(request) !== undefined ? [{ request, place }] : [];
}

function acceptedAt(request: Observed): number | undefined {
  const time = isOfWaybill(request) ? Date.parse(textOf(request, 'receivedAt') ?? '') : NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** A `userId`, else an `anonymousId`; of other senders all. */
function lineOf(request: Observed): string | undefined {
  if (!isOfWaybill(request)) return 'all';
  const user = textOf(request, 'userId');
  const anonymous = textOf(request, 'anonymousId');
  return user === undefined ? anonymous && `anonymous ${anonymous}` : `user ${user}`;
}

function unplaced(first: Observed, ids: readonly string[] | undefined): string {
  if (ids !== undefined) return `none of the ${ids.length} ids came: the first request is ${nameOf(first)}`;
  const wayOut = 'give ids, in the order in which the events were accepted';
  if (!isOfWaybill(first)) return `nothing says in which order events were accepted: ${cameTo(first)}; ${wayOut}`;
  const missing = 'no request has both receivedAt and a user (userId or anonymousId)';
  return `nothing says in which order events were accepted: ${missing}; ${wayOutFor(first, wayOut)}`;
}

function violation(words: string): Violation {
  return { rule: 'order', words };
}

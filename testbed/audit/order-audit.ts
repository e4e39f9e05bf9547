import { answered, isOfWaybill, nameOf, type Observed, type Violation, webhookOf } from './observed.ts';
import { textOf } from '../receiver/received.ts';
import { eventIdOf } from '../schemes/said.ts';
import { cameTo, NotJudgedError, refuseNothing, wayOutFor } from './not-judged.ts';

export interface OrderOptions {
  /**
   * Ids of events in the order in which they were accepted. Without it, `receivedAt` of Waybill's bodies tells, where it
   * differs; nothing tells of other senders.
   */
  readonly ids?: readonly string[];
  /** How much the network may move a request. Default 0. */
  readonly toleranceMs?: number;
}

/** A request in its line. */
export interface Placed extends Pick<Observed, 'at' | 'number'> {
  /** Where its event was in the order of acceptance. */
  readonly place: number;
  /** When the sender had its answer. */
  readonly endedAt: number;
  /** For people. */
  readonly name: string;
}

/**
 * Whether the events of each user came to each path in the order of their acceptance, one after the other (HOOK-25). Of other
 * senders nobody knows the user, and all that came to a path is in one line. Throws where nobody knows the order.
 */
export function auditOrder(observed: readonly Observed[], options: OrderOptions): readonly Violation[] {
  refuseNothing(observed);
  const { toleranceMs = 0, ids } = options;
  const places = ids && new Map(ids.map((id, place) => [id, place]));
  const placed = observed.flatMap((request) => placedIn(request, places));
  const [first] = observed;
  if (first !== undefined && placed.length === 0) throw new NotJudgedError(unplaced(first, ids));
  const lines = Map.groupBy(placed, ({ line }) => line);
  return [...lines.values()].flatMap((line) => disorderIn(line, toleranceMs));
}

/** What came after an event that was accepted later, or before the answer to one that was accepted earlier. */
export function disorderIn(line: readonly Placed[], toleranceMs: number): readonly Violation[] {
  const inTime = line.toSorted((a, b) => a.at - b.at || a.number - b.number);
  return inTime.flatMap(({ at, place, name }, index) => {
    const before = inTime.slice(0, index);
    const overtaken = before.find((one) => one.place > place && one.at + toleranceMs < at);
    if (overtaken !== undefined) return [violation(`${name} came after ${overtaken.name}, which was accepted later`)];
    const open = before.find((one) => one.place < place && one.endedAt > at + toleranceMs);
    return open === undefined ? [] : [violation(`${name} came while ${open.name} was open`)];
  });
}

/** None where nobody knows. */
function placedIn(
  request: Observed,
  places: ReadonlyMap<string, number> | undefined,
): (Placed & { readonly line: string })[] {
  const place = places === undefined ? acceptedAt(request) : places.get(eventIdOf(request) ?? '');
  const line = lineOf(request);
  if (place === undefined || line === undefined) return [];
  const { at, number } = request;
  const { endedAt } = answered(request);
  return [{ at, number, place, endedAt, name: nameOf(request), line: JSON.stringify([webhookOf(request), line]) }];
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

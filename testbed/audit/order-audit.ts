import { answered, nameOf, type Observed, type Violation } from './observed.ts';
import { textOf } from '../receiver/received.ts';

export interface OrderOptions {
  /** `messageId`s in the order in which they were accepted. Without it, `receivedAt` of the bodies tells, where it differs. */
  readonly messageIds?: readonly string[];
  /** How much the network may move a request. Default 0. */
  readonly toleranceMs?: number;
}

interface Place {
  readonly request: Observed;
  /** Where its event was in the order of acceptance. */
  readonly place: number;
}

/** Whether the events of each user came to each path in the order of their acceptance, one after the other (HOOK-25). */
export function auditOrder(observed: readonly Observed[], options: OrderOptions): readonly Violation[] {
  const { toleranceMs = 0, messageIds } = options;
  const places = messageIds && new Map(messageIds.map((id, place) => [id, place]));
  const placed = observed.flatMap((request) => placeOf(request, places));
  const lines = Map.groupBy(placed, ({ request }) => JSON.stringify([request.path, userOf(request)]));
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
  const id = textOf(request, 'messageId') ?? '';
  const place = places === undefined ? Date.parse(textOf(request, 'receivedAt') ?? '') : (places.get(id) ?? NaN);
  return !Number.isNaN(place) && userOf(request) !== undefined ? [{ request, place }] : [];
}

/** A `userId`, else an `anonymousId`. */
function userOf(request: Observed): string | undefined {
  const user = textOf(request, 'userId');
  const anonymous = textOf(request, 'anonymousId');
  return user === undefined ? anonymous && `anonymous ${anonymous}` : `user ${user}`;
}

function violation(words: string): Violation {
  return { rule: 'order', words };
}

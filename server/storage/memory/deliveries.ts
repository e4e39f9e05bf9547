import type { Acceptance, Claim, Fence, Route, RoundRecord } from '../../model/delivery.ts';
import type { Message } from '../../model/message.ts';
import {
  type Accepted,
  type AcceptRequest,
  type Backlog,
  type BacklogPage,
  BEHIND_MS,
  type CountedBacklog,
  type CountRequest,
  type DeliveryStorage,
  type Held,
  type Recorded,
  type Refused,
  type Unfinished,
} from '../delivery-storage.ts';
import type { Life } from '../members.ts';
import { countedAs, triedAgainAt } from '../../model/logged-delivery.ts';
import type { Operations } from '../verbs.ts';
import { claim, take } from './claim.ts';
import type { Node } from './members.ts';
import type { MemoryConfigStore } from './resources.ts';
import { pageOf } from './page.ts';
import { byAge, type Rows, type StoredDelivery } from './rows.ts';

export function deliveryOperations(
  rows: Rows,
  node: Node,
  resources: Pick<MemoryConfigStore, 'refuseStale'>,
): Pick<Operations, keyof DeliveryStorage> {
  return {
    accept: (request) => accept(rows, node, resources, request),
    claim: (request) => claim(rows, node.require(), request),
    record: (rounds) => recordAll(rows, rounds),
    release: (claims) => refused(claims, (fence) => release(rows, fence)),
    held(bounds) {
      const { life } = node;
      const isMine = ({ state, holder }: StoredDelivery): boolean =>
        state === 'trying' && holder?.node === life?.node && holder?.epoch === life?.epoch;
      const page = pageOf(rows.all().filter(isMine), ({ order }) => order, bounds);
      return { held: page.rows.flatMap(heldOf), next: page.next };
    },
    backlog(bounds) {
      const queues = rows
        .destinations()
        .toSorted()
        .flatMap((name) => backlogOf(name, rows.pendingOf(name)));
      const page = pageOf(queues, ({ destination }) => destination, bounds);
      return { queues: page.rows, next: page.next };
    },
    countBacklog: (request) => countBacklog(rows, request),
    trying: () => tryingIn(rows),
  };
}

function accept(
  rows: Rows,
  node: Node,
  resources: Pick<MemoryConfigStore, 'refuseStale'>,
  request: AcceptRequest,
): Accepted {
  const { key, acceptances } = request;
  const isHeld = acceptances.some(({ routes }) => routes.some(({ claimed }) => claimed));
  if (isHeld || node.isOver) node.require();
  const known = rows.accepted.get(JSON.stringify([node.name, key]));
  if (known !== undefined) return known;
  resources.refuseStale(request);
  const answer = acceptances.map((acceptance) => acceptOne(rows, node, acceptance));
  rows.accepted.set(JSON.stringify([node.name, key]), answer);
  return answer;
}

function acceptOne(rows: Rows, node: Node, { message, routes, caught }: Acceptance): readonly Claim[] | 'duplicate' {
  const { source, receivedAt, event } = message;
  const seen = JSON.stringify([source, event.messageId]);
  if (rows.seen.has(seen)) return 'duplicate';
  rows.seen.set(seen, receivedAt);
  if (caught !== undefined) rows.catch(source, caught);
  return routes.flatMap((route) => {
    const { destination, claimed, line } = route;
    const isFirst = rows.firstOf(route) === undefined;
    const holder = claimed && isFirst ? node.require() : undefined;
    const row = keepFresh(rows, message, route, holder);
    if (!isFirst) rows.change(row, { dueAt: row.dueAt + BEHIND_MS });
    const { id, bytes } = row;
    const inLine = line === undefined ? {} : { line };
    return holder === undefined
      ? []
      : [{ delivery: id, ...holder, round: 1, destination, message, bytes, tries: 0, closed: [], ...inLine }];
  });
}

/** Stores a delivery: being tried where somebody holds it, else pending and due at once. */
export function keepFresh(
  rows: Rows,
  message: Message,
  { destination, line }: Omit<Route, 'claimed'>,
  holder: Life | undefined,
): StoredDelivery {
  const { receivedAt, event } = message;
  const acceptedAt = Date.parse(event.receivedAt);
  const times = { acceptedAt, dueAt: receivedAt, setAt: receivedAt, endedAt: acceptedAt };
  const state = holder === undefined ? ('pending' as const) : ('trying' as const);
  const fresh = { message, ...times, tries: 0, earlierRounds: 0, closed: [], attempts: [], replayed: [] };
  const bytes = JSON.stringify(event).length;
  const row = {
    ...rows.next(),
    ...fresh,
    bytes,
    destination,
    line,
    state,
    holder,
    round: holder === undefined ? 0 : 1,
  };
  rows.keep(row);
  return row;
}

/** The delivery that a fence is about, as long as it is held by it. */
function heldBy(rows: Rows, { delivery, node, epoch, round }: Fence): StoredDelivery | undefined {
  const row = rows.deliveries.get(delivery);
  const isHeld = row?.state === 'trying' && row.round === round;
  return isHeld && row.holder?.node === node && row.holder.epoch === epoch ? row : undefined;
}

function release(rows: Rows, fence: Fence): boolean {
  const row = heldBy(rows, fence);
  if (row !== undefined) rows.change(row, { state: 'pending', dueAt: row.setAt });
  return row !== undefined;
}

function recordAll(rows: Rows, rounds: readonly RoundRecord[]): Recorded {
  const isRefused = new Set(refused(rounds, (round) => record(rows, round)));
  const ended = rounds.filter(({ verdict }, index) => !isRefused.has(index) && verdict.state !== 'pending');
  return { refused: [...isRefused], next: ended.flatMap((round) => next(rows, round)) };
}

function next(rows: Rows, { destination, line, node, epoch }: RoundRecord): Claim[] {
  const first = rows.firstOf({ destination, line });
  return first?.state === 'pending' ? [take(rows, { node, epoch }, first)] : [];
}

function record(rows: Rows, round: RoundRecord): boolean {
  const row = rows.deliveries.get(round.delivery);
  if (row === undefined || !rows.isAlive(round)) return false;
  const isHeld = heldBy(rows, round) !== undefined;
  const { verdict, endedAt } = round;
  const end = verdict.state === 'pending' ? verdict : { ...verdict, endedAt };
  rows.change(row, { ...(isHeld ? end : {}), attempts: [...row.attempts, ...newAttempts(row, round)] });
  if (isHeld) for (const what of countedAs(round)) rows.count(round.destination, endedAt, what);
  return isHeld;
}

function newAttempts({ attempts }: StoredDelivery, round: RoundRecord) {
  const known = new Set(attempts.map((one) => (one.round === round.round ? one.number : undefined)));
  return round.attempts
    .filter(({ number }) => !known.has(number))
    .map((attempt) => {
      const dueAt = triedAgainAt(round, attempt.webhook);
      return { ...attempt, round: round.round, ...(dueAt === undefined ? {} : { nextDueAt: dueAt }) };
    });
}

function refused<Row>(all: readonly Row[], work: (row: Row) => boolean): Refused {
  return all.flatMap((row, index) => (work(row) ? [] : [index]));
}

function heldOf({ id, holder, round, destination }: StoredDelivery): Held[] {
  return holder === undefined ? [] : [{ delivery: id, ...holder, round, destination }];
}

function backlogOf(destination: string, pending: readonly StoredDelivery[]): Backlog[] {
  if (pending.length === 0) return [];
  const nextDueAt = Math.min(...pending.map(({ dueAt }) => dueAt));
  const oldestReceivedAt = Math.min(...pending.map(({ message }) => message.receivedAt));
  return [{ destination, nextDueAt, oldestReceivedAt }];
}

/** Places are numbers of the deliveries of these destinations that wait. */
function countBacklog(rows: Rows, { destinations, after = '0', limit }: CountRequest): BacklogPage<CountedBacklog> {
  const pending = [...new Set(destinations)].flatMap((name) => rows.pendingOf(name));
  const end = Number(after) + limit;
  const page = Map.groupBy(pending.slice(Number(after), end), ({ destination }) => destination);
  const queues = [...page].flatMap(([name, { length: waiting }]) =>
    backlogOf(name, rows.pendingOf(name)).map((queue) => ({ ...queue, waiting })),
  );
  return { queues, next: end < pending.length ? String(end) : undefined };
}

function tryingIn(rows: Rows): Unfinished {
  const all = rows.all().filter(({ state }) => state === 'trying');
  return { count: all.length, oldestReceivedAt: all.toSorted(byAge)[0]?.message.receivedAt };
}

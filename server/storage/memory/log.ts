import {
  type DeliveryStory,
  ENDS,
  type HourlyCount,
  type HourlySums,
  type LogFilter,
  type LoggedDelivery,
} from '../../model/logged-delivery.ts';
import {
  type CountsQuery,
  type CountStorage,
  type DeliveryLog,
  type LogPage,
  type LogQuery,
  MAX_TOLD,
  type SumsQuery,
} from '../delivery-log.ts';
import { positionIn } from '../logged-rows.ts';
import type { Operations } from '../verbs.ts';
import { byAcceptance, HOUR, type Rows, type StoredDelivery } from './rows.ts';

export function logOperations(rows: Rows): Pick<Operations, keyof DeliveryLog | keyof CountStorage> {
  return {
    list: (query) => list(rows, query),
    read({ destination, delivery }) {
      const row = rows.deliveries.get(delivery);
      return row?.destination === destination ? storyOf(row) : undefined;
    },
    counts: (query) => counts(rows, query),
    sums: (query) => sums(rows, query),
    addCounts: (additions) => additions.map(({ of, hour, what, count }) => rows.count(of, hour, what, count)),
  };
}

/** Whether a filter chooses a delivery. */
export function chooses(
  { states, type, event, userId, from = 0, to = Infinity }: LogFilter,
  row: StoredDelivery,
): boolean {
  const { event: sent } = row.message;
  return (
    (states === undefined || states.includes(row.state)) &&
    (type === undefined || sent.type === type) &&
    (event === undefined || (sent.event ?? '') === event) &&
    (userId === undefined || (sent.userId ?? '') === userId) &&
    row.acceptedAt >= from &&
    row.acceptedAt < to
  );
}

function list(rows: Rows, { destination, filter, before, limit }: LogQuery): LogPage {
  const end = { receivedAt: Infinity, delivery: Infinity };
  const { receivedAt: acceptedAt, delivery: order } = before === undefined ? end : positionIn(before);
  const isOlder = (row: StoredDelivery): boolean =>
    row.acceptedAt < acceptedAt || (row.acceptedAt === acceptedAt && row.order < order);
  const found = rows
    .all()
    .filter((row) => row.destination === destination && isOlder(row) && chooses(filter, row))
    .toSorted(byAcceptance)
    .toReversed();
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const next = found.length > limit && last !== undefined ? { next: `${last.acceptedAt}.${last.order}` } : {};
  return { deliveries: page.map(loggedOf), ...next };
}

function counts({ counts: all }: Rows, { destination, from, to }: CountsQuery): HourlyCount[] {
  const first = from - (from % HOUR);
  return [...all].flatMap(([key, count]) => {
    const [hour, of, what]: [number, string, string] = JSON.parse(key);
    return of === destination && hour >= first && hour < to ? [{ hour, what, count }] : [];
  });
}

function sums(rows: Rows, { destinations, from, to }: SumsQuery): HourlySums {
  const counted = destinations.map((destination) => ({
    destination,
    counts: counts(rows, { destination, from, to }),
  }));
  const ends = counted.flatMap(({ counts: all }) => all.filter(({ what }) => ENDS.some((end) => end === what)));
  const byHour = Map.groupBy(ends, ({ hour }) => hour);
  return {
    destinations: counted.flatMap(({ destination, counts: all }) =>
      [...totals(all)].map(([what, count]) => ({ destination, what, count })),
    ),
    hours: [...byHour].flatMap(([hour, all]) => [...totals(all)].map(([what, count]) => ({ hour, what, count }))),
  };
}

function totals(counted: readonly HourlyCount[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { what, count } of counted) found.set(what, (found.get(what) ?? 0) + count);
  return found;
}

function loggedOf({ id, message, state, round, dueAt, endedAt, acceptedAt, replayed }: StoredDelivery): LoggedDelivery {
  const { messageId, type, event = '', userId = '' } = message.event;
  const isEnded = state !== 'pending' && state !== 'trying';
  return {
    delivery: id,
    messageId,
    type,
    event,
    userId,
    state,
    rounds: round,
    replays: replayed.length,
    receivedAt: acceptedAt,
    ...(state === 'pending' ? { dueAt } : {}),
    ...(isEnded ? { endedAt } : {}),
  };
}

function storyOf(row: StoredDelivery): DeliveryStory {
  const attempts = row.attempts.toSorted(
    (a, b) => a.round - b.round || a.startedAt + a.durationMs - b.startedAt - b.durationMs || a.number - b.number,
  );
  return { ...loggedOf(row), attempts: attempts.slice(-MAX_TOLD), replayed: row.replayed.slice(-MAX_TOLD) };
}

import type { DatabaseSync } from 'node:sqlite';
import { deliveryId } from '../../../model/delivery.ts';
import type {
  DeliveryStory,
  HourlyCount,
  LoggedAttempt,
  LoggedDelivery,
  LoggedReplay,
} from '../../../model/logged-delivery.ts';
import type { Phases } from '../../../ports/transport.ts';
import type { DeliveryLog } from '../../delivery-log.ts';
import type { Operations } from '../../verbs.ts';
import { CHOSEN, valuesOf } from './filter.ts';
import type { Names } from './names.ts';
import { query } from './query.ts';

type LogOperations = Pick<Operations, keyof DeliveryLog>;

const HOUR = 3_600_000;

/** So many rows of the log are looked at in one call: a few milliseconds of the thread. */
const MAX_EXAMINED = 2_000;

const DELIVERY = `
  d.id AS delivery, (SELECT field_of(m.event, 'messageId') FROM messages m WHERE m.id = d.message) AS messageId,
  d.type, d.event, d.user_id AS userId, d.state, d.round AS rounds, d.received_at AS receivedAt,
  d.due_at AS dueAt, d.ended_at AS endedAt, (SELECT count(*) FROM replays r WHERE r.delivery = d.id) AS replays`;

type DeliveryRow = Omit<LoggedDelivery, 'delivery'> & {
  readonly delivery: number;
  readonly dueAt: number;
  readonly endedAt: number;
};
type AttemptRow = Omit<LoggedAttempt, 'status' | 'nextDueAt' | 'phases'> & {
  readonly status: number | null;
  readonly nextDueAt: number | null;
} & { readonly [Part in keyof Phases]-?: number | null };

export function logOperations(database: DatabaseSync, names: Names): LogOperations {
  return { list: list(database, names), read: read(database, names), counts: counts(database, names) };
}

function list(database: DatabaseSync, names: Names): LogOperations['list'] {
  // Two bounds on the two columns of the index, so that no row outside of them is looked at.
  const before = 'd.destination = :destination AND (d.received_at, d.id) < (:beforeReceived, :beforeId)';
  const end = query<Position>(
    database,
    `SELECT d.received_at AS receivedAt, d.id AS delivery FROM deliveries d WHERE ${before} AND d.received_at >= :from
     ORDER BY d.received_at DESC, d.id DESC LIMIT 1 OFFSET ${MAX_EXAMINED - 1}`,
  );
  const chosen = query<DeliveryRow>(
    database,
    `SELECT ${DELIVERY} FROM deliveries d WHERE ${before} AND (d.received_at, d.id) >= (:endReceived, :endId)
     AND ${CHOSEN} ORDER BY d.received_at DESC, d.id DESC LIMIT :limit`,
  );
  return ({ destination, filter, before: start, limit }) => {
    const { from = 0, to = Number.MAX_SAFE_INTEGER } = filter;
    const begin = start === undefined ? undefined : positionIn(start);
    const first = begin !== undefined && begin.receivedAt < to ? begin : { receivedAt: to, delivery: 0 };
    const within = {
      destination: names.idOf(destination),
      beforeReceived: first.receivedAt,
      beforeId: first.delivery,
    };
    const examinedTo = end.get({ ...within, from });
    const least = { endReceived: examinedTo?.receivedAt ?? from, endId: examinedTo?.delivery ?? 0 };
    const rows = chosen.all({ ...within, ...least, ...valuesOf(filter), limit });
    const last = rows.length === limit ? rows.at(-1) : undefined;
    const next = last ?? examinedTo;
    return { deliveries: rows.map(deliveryOf), ...(next === undefined ? {} : { next: textOf(next) }) };
  };
}

/** A place in the order of acceptance. */
export interface Position {
  readonly receivedAt: number;
  readonly delivery: number;
}

function textOf({ receivedAt, delivery }: Position): string {
  return `${receivedAt}.${delivery}`;
}

function positionIn(text: string): Position {
  const [receivedAt = 0, delivery = 0] = text.split('.').map(Number);
  return { receivedAt, delivery };
}

function read(database: DatabaseSync, names: Names): LogOperations['read'] {
  const one = query<DeliveryRow>(database, `SELECT ${DELIVERY} FROM deliveries d WHERE d.id = ? AND d.destination = ?`);
  const attempts = query<AttemptRow>(
    database,
    `SELECT round, webhook, number, started_at AS startedAt, duration_ms AS durationMs, outcome, status, excerpt, rule,
       next_due_at AS nextDueAt, connect_ms AS connectMs, send_ms AS sendMs, wait_ms AS waitMs, read_ms AS readMs
     FROM attempts WHERE delivery = ? ORDER BY round, started_at + duration_ms, number`,
  );
  const replayed = query<LoggedReplay>(
    database,
    'SELECT at, earlier_rounds AS earlierRounds FROM replays WHERE delivery = ? ORDER BY at, earlier_rounds',
  );
  return ({ destination, delivery }): DeliveryStory | undefined => {
    const id = Number(delivery);
    const row = one.get(id, names.idOf(destination));
    if (row === undefined) return undefined;
    return { ...deliveryOf(row), attempts: attempts.all(id).map(attemptOf), replayed: replayed.all(id) };
  };
}

function counts(database: DatabaseSync, names: Names): LogOperations['counts'] {
  const hourly = query<HourlyCount>(
    database,
    `SELECT hour, what, count FROM counts WHERE hour = ? AND destination = ? ORDER BY what`,
  );
  return ({ destination, from, to }) => {
    const id = names.idOf(destination);
    const first = from - (from % HOUR);
    const hours = Array.from({ length: Math.ceil((to - first) / HOUR) }, (_, index) => first + index * HOUR);
    return hours.flatMap((hour) => hourly.all(hour, id));
  };
}

function deliveryOf({ dueAt, endedAt, delivery, ...rest }: DeliveryRow): LoggedDelivery {
  const row = { delivery: deliveryId(String(delivery)), ...rest };
  if (row.state === 'pending') return { ...row, dueAt };
  return row.state === 'trying' ? row : { ...row, endedAt };
}

function attemptOf({ status, nextDueAt, connectMs, sendMs, waitMs, readMs, ...row }: AttemptRow): LoggedAttempt {
  const phases = given({ connectMs, sendMs, waitMs, readMs });
  return { ...row, ...given({ status, nextDueAt }), ...(Object.keys(phases).length === 0 ? {} : { phases }) };
}

/** What is null is absent. */
function given<Field extends string>(
  values: Readonly<Record<Field, number | null>>,
): { readonly [F in Field]?: number } {
  const entries = Object.entries<number | null>(values).filter(([, value]) => value !== null);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the nulls are gone, and the fields are the same
  return Object.fromEntries(entries) as { readonly [F in Field]?: number };
}

import type { DatabaseSync } from 'node:sqlite';
import {
  type DeliveryStory,
  type DestinationCount,
  ENDS,
  type HourlyCount,
  type LoggedReplay,
} from '../../../model/logged-delivery.ts';
import { type DeliveryLog, MAX_TOLD } from '../../delivery-log.ts';
import {
  attemptOf,
  type AttemptRow,
  deliveryOf,
  type DeliveryRow,
  type Position,
  positionIn,
  textOf,
} from '../../logged-rows.ts';
import type { Operations } from '../../verbs.ts';
import { CHOSEN, valuesOf } from './filter.ts';
import type { Names } from './names.ts';
import { examine, query } from './query.ts';

type LogOperations = Pick<Operations, keyof DeliveryLog>;

const HOUR = 3_600_000;

const DELIVERY = `
  d.id AS delivery, (SELECT field_of(m.event, 'messageId') FROM messages m WHERE m.id = d.message) AS messageId,
  d.type, d.event, d.user_id AS userId, d.state, d.round AS rounds, d.received_at AS receivedAt,
  d.due_at AS dueAt, d.ended_at AS endedAt, (SELECT count(*) FROM replays r WHERE r.delivery = d.id) AS replays`;

export function logOperations(database: DatabaseSync, names: Names): LogOperations {
  return {
    list: list(database, names),
    read: read(database, names),
    counts: counts(database, names),
    sums: sums(database),
  };
}

function list(database: DatabaseSync, names: Names): LogOperations['list'] {
  // Two bounds on the two columns of the index, so that no row outside of them is looked at.
  const places = query<Position & { readonly isChosen: number }>(
    database,
    `SELECT d.received_at AS receivedAt, d.id AS delivery, ${CHOSEN} AS isChosen FROM deliveries d
     WHERE d.destination = :destination AND (d.received_at, d.id) < (:beforeReceived, :beforeId) AND d.received_at >= :from
     ORDER BY d.received_at DESC, d.id DESC`,
  );
  const one = query<DeliveryRow>(database, `SELECT ${DELIVERY} FROM deliveries d WHERE d.id = ?`);
  return ({ destination, filter, before: start, limit }) => {
    const { from = 0, to = Number.MAX_SAFE_INTEGER } = filter;
    const begin = start === undefined ? undefined : positionIn(start);
    const first = begin !== undefined && begin.receivedAt < to ? begin : { receivedAt: to, delivery: 0 };
    const bounds = { beforeReceived: first.receivedAt, beforeId: first.delivery, from };
    const rows: DeliveryRow[] = [];
    const within = { destination: names.find(destination), ...bounds, ...valuesOf(filter) };
    const { last, isMore } = examine(places.each(within), (place) => {
      const row = place.isChosen === 1 ? one.get(place.delivery) : undefined;
      if (row !== undefined) rows.push(row);
      return rows.length < limit;
    });
    return { deliveries: rows.map(deliveryOf), ...(isMore && last !== undefined && { next: textOf(last) }) };
  };
}

function read(database: DatabaseSync, names: Names): LogOperations['read'] {
  const one = query<DeliveryRow>(database, `SELECT ${DELIVERY} FROM deliveries d WHERE d.id = ? AND d.destination = ?`);
  const attempts = query<AttemptRow>(
    database,
    `SELECT round, webhook, number, started_at AS startedAt, duration_ms AS durationMs, outcome, status, excerpt, rule,
       next_due_at AS nextDueAt, connect_ms AS connectMs, send_ms AS sendMs, wait_ms AS waitMs, read_ms AS readMs
     FROM (SELECT * FROM attempts WHERE delivery = ? ORDER BY round DESC, started_at DESC, number DESC LIMIT ${MAX_TOLD})
     ORDER BY round, started_at + duration_ms, number`,
  );
  const replayed = query<LoggedReplay>(
    database,
    `SELECT at, earlier_rounds AS earlierRounds
     FROM (SELECT * FROM replays WHERE delivery = ? ORDER BY at DESC, earlier_rounds DESC LIMIT ${MAX_TOLD})
     ORDER BY at, earlier_rounds`,
  );
  return ({ destination, delivery }): DeliveryStory | undefined => {
    const id = Number(delivery);
    const row = one.get(id, names.find(destination));
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
    const id = names.find(destination);
    return hoursOf({ from, to }).flatMap((hour) => hourly.all(hour, id));
  };
}

/** Each hour of each destination is looked up: what is counted of others is not read. */
const COUNTED = `(SELECT id, name FROM names WHERE name IN (SELECT value FROM json_each(:names))) n
  CROSS JOIN json_each(:hours) h CROSS JOIN counts c ON c.hour = h.value AND c.destination = n.id`;

function sums(database: DatabaseSync): LogOperations['sums'] {
  const ofDestinations = query<DestinationCount>(
    database,
    `SELECT n.name AS destination, c.what, sum(c.count) AS count FROM ${COUNTED} GROUP BY n.id, c.what`,
  );
  const ofHours = query<HourlyCount>(
    database,
    `SELECT c.hour, c.what, sum(c.count) AS count FROM ${COUNTED}
     WHERE c.what IN (${ENDS.map((end) => `'${end}'`).join()}) GROUP BY c.hour, c.what`,
  );
  return ({ destinations, from, to }) => {
    const asked = { names: JSON.stringify(destinations), hours: JSON.stringify(hoursOf({ from, to })) };
    return { destinations: ofDestinations.all(asked), hours: ofHours.all(asked) };
  };
}

/** When each begins. */
function hoursOf({ from, to }: { readonly from: number; readonly to: number }): number[] {
  const first = from - (from % HOUR);
  return Array.from({ length: Math.ceil((to - first) / HOUR) }, (_, index) => first + index * HOUR);
}

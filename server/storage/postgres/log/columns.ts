import type { DeliveryId } from '../../../model/delivery.ts';
import type { LoggedDelivery } from '../../../model/logged-delivery.ts';
import { deliveryOf, type DeliveryRow } from '../../logged-rows.ts';
import type { LogParts } from './log-operations.ts';

/** The tables of deliveries; a delivery is in exactly one of them. */
export const TABLES = ['queue', 'tries', 'log'] as const;
export type DeliveryTable = (typeof TABLES)[number];

const STATE = { queue: "'pending'::text", tries: "'trying'::text", log: 'state' };
const DUE_AT = { queue: 'due_at', tries: '0::bigint', log: '0::bigint' };
const ENDED_AT = { queue: '0::bigint', tries: '0::bigint', log: 'ended_at' };

/** The same columns of each table, and of the same types, so that the planner can merge them in their order. */
export function rowsOf(table: DeliveryTable): string {
  return `SELECT id, message, ${STATE[table]} AS state, round, received_at, type, event, user_id,
    ${DUE_AT[table]} AS due_at, ${ENDED_AT[table]} AS ended_at FROM ${table}`;
}

/**
 * The messageId as JSON, which events are written with at their beginning, so that long ones are not sent here whole; of
 * one that is written otherwise the whole event. The server's own functions refuse JSON that is deeply nested.
 */
const MESSAGE_ID = String.raw`coalesce(
  substring(left(m.event, 600) FROM '^\{"type":"[a-z]+","messageId":("(?:[^"\\]|\\.)*")'), m.event)`;

/** What is told of a delivery `d`, a row of `rowsOf`. */
export const LOGGED = `
  d.id AS delivery, (SELECT ${MESSAGE_ID} FROM messages m WHERE m.id = d.message) AS "messageId",
  d.type, d.event, d.user_id AS "userId", d.state, d.round AS rounds, d.received_at AS "receivedAt",
  d.due_at AS "dueAt", d.ended_at AS "endedAt",
  (SELECT count(*) FROM replays r WHERE r.delivery = d.id) AS replays`;

/** Due times are told in the steady time of this process. */
export function loggedOf(row: DeliveryRow, time: LogParts['time']): LoggedDelivery {
  return deliveryOf({ ...row, messageId: messageIdIn(row.messageId), dueAt: time.fromDatabase(row.dueAt) });
}

function messageIdIn(json: string): string {
  // It was written by this store: a text, or an event.
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : String(Reflect.get(Object(value), 'messageId'));
}

/** The number of the resource that is named by a parameter; null where nothing is stored of it. */
export function numberOf(parameter: string): string {
  return `(SELECT id FROM names WHERE name = ${parameter})`;
}

/** So many names are looked at by one statement: names stay when what they are of is gone, so that there may be any number. */
export const NAMES_AT_ONCE = 1_000;

/** The first of the names between two, with their numbers, by the bytes of which they are in the index: `0` follows the slash. */
export function namesBetween(after: string, before: string, limit: number): string {
  return `(SELECT id, name FROM names WHERE name ~>~ (${after}) AND name ~<~ (${before}) ORDER BY name USING ~<~ LIMIT ${limit})`;
}

/**
 * Rows `t` of a DELETE whose ids are in an array. One by one: of the array as a whole the planner could look for each in an
 * index that does not begin with the id, while it takes the table for empty.
 */
export function whoseIdsAre(parameter: string): string {
  return `USING unnest(${parameter}::bigint[]) one (id) WHERE t.id = one.id`;
}

/** The number of a delivery; undefined for what no delivery is named. */
export function numberIn(delivery: DeliveryId): number | undefined {
  const number = Number(delivery);
  return Number.isSafeInteger(number) ? number : undefined;
}

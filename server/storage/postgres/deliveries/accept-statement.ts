import { CONFIRM, DURABLE } from '../connection/statement.ts';
import { CARRIED, LIFE } from './columns.ts';
import { type NewRows, newRows } from './new-rows.ts';

/** Ten minutes: how long a message id is looked for in the database itself. */
const SLOT_MS = 600_000;
/** Longer than a statement may run: whoever began before a slot has ended by then, or waits for a standby. */
const SETTLED_MS = 30_000;
/** A router that knows less of what others accepted could take an id again. */
const MAX_BEHIND_MS = 480_000;

/** The values of the statement, in their order; from `events` on they are columns. */
const FIELDS = [
  // Who accepts; null before it has joined.
  'node',
  'epoch',
  'commit',
  // By the database's clock: all that was committed until then is known here.
  'knownUntil',
  // The texts of all events, and the fingerprints of the ids of all messages, each in one piece.
  'events',
  'fingerprints',
  // The configurations by which messages were routed.
  'workspaces',
  'versions',
  // For each message the place of its configuration.
  'routings',
  // Of each message that goes anywhere: its place among all, and where its event is.
  'messagePlaces',
  'messageIds',
  'sources',
  'messageTimes',
  'starts',
  'lengths',
  // Of each delivery: the place of its message, and its row.
  'places',
  'ids',
  'messages',
  'destinations',
  'claimed',
  'receivedAt',
  'windowFrom',
  'bytes',
  'types',
  'names',
  'users',
  'lines',
] as const;

/** Further values, where something is caught for audiences: the place of its message, and where it is among their texts. */
const CAUGHT_FIELDS = ['caughtPlaces', 'caughtSources', 'caught', 'caughtStarts', 'caughtLengths'] as const;

export type AcceptValues = { readonly [Field in (typeof FIELDS)[number]]: unknown };

export interface AcceptAnswer {
  /** Whether the life of the node goes on, where there is one. */
  readonly alive: boolean;
  /** Whether this router knows enough of what others accepted. */
  readonly known: boolean;
  /** Whether a commit was stored under this id, now. */
  readonly stored: boolean;
  /** The places of the configurations that are of now … */
  readonly current: readonly number[];
  /** … and of the messages that are new. */
  readonly fresh: readonly number[];
}

export type CaughtValues = { readonly [Field in (typeof CAUGHT_FIELDS)[number]]: unknown };

/** What is sent to the database; those who catch nothing pay nothing for it. */
export interface AcceptCall {
  readonly statement: NewRows;
  readonly values: readonly unknown[];
}

export function callOf(values: AcceptValues, caught: CaughtValues | undefined): AcceptCall {
  const own = FIELDS.map((field) => values[field]);
  if (caught === undefined) return { statement: ACCEPT, values: own };
  return { statement: ACCEPT_CAUGHT, values: [...own, ...CAUGHT_FIELDS.map((field) => caught[field])] };
}

function $(field: (typeof FIELDS)[number] | (typeof CAUGHT_FIELDS)[number]): string {
  return `$${[...FIELDS, ...CAUGHT_FIELDS].indexOf(field) + 1}`;
}

function fingerprint(place: string): string {
  return `substring(${$('fingerprints')}::bytea FROM 12 * ${place}::integer - 11 FOR 12)`;
}

/** Where an id is looked for: in the slot of now, and in the one before, as long as not all of that is known. */
const SLOTS = `slot AS MATERIALIZED (
  SELECT (now / ${SLOT_MS} % 3)::smallint AS slot FROM clock
  UNION ALL
  SELECT ((now / ${SLOT_MS} - 1) % 3)::smallint FROM clock WHERE ${$('knownUntil')}::bigint < now - now % ${SLOT_MS} + ${SETTLED_MS}
)`;

/** What CARRIED has of a delivery that nobody has tried. */
const NEW_DELIVERY = `id, message, destination, 0, 0, '[]', received_at, window_from, bytes, type, event, user_id, line`;

const CATCHES = `, catching AS (
     INSERT INTO inbox (source, caught)
     SELECT source, convert_from(substring(${$('caught')}::bytea FROM start FOR length), 'UTF8')
     FROM unnest(${$('caughtPlaces')}::integer[], ${$('caughtSources')}::integer[], ${$('caughtStarts')}::integer[],
       ${$('caughtLengths')}::integer[]) caught (place, source, start, length)
     WHERE (place IN (SELECT place FROM fresh)) IS TRUE AND EXISTS (SELECT FROM stored) ORDER BY place
   )`;

/**
 * All that a group of accepts stores. What stands in parentheses with IS TRUE is looked up in a hash table, whatever
 * statistics say. Lines are in the order of the database's own clock, whichever routers accept. Fingerprints are inserted in one order by everybody, so that nobody waits in a circle; whoever has the same
 * id under way is waited for.
 */
const TAKES = `WITH clock AS MATERIALIZED (SELECT now_ms() AS now),
   ${LIFE}, may AS MATERIALIZED (
     SELECT ${DURABLE} AND (${$('node')}::integer IS NULL OR EXISTS (SELECT FROM life)) AS alive,
       ${$('knownUntil')}::bigint >= now - ${MAX_BEHIND_MS} AS known FROM clock
   ), ${SLOTS}, current AS MATERIALIZED (
     SELECT routing.place FROM unnest(${$('workspaces')}::text[], ${$('versions')}::bigint[])
       WITH ORDINALITY routing (workspace, version, place)
     WHERE routing.version = coalesce(
       (SELECT v.version FROM config_versions v WHERE v.workspace = routing.workspace), 0)
   ), taken AS (
     INSERT INTO seen (slot, fingerprint)
     SELECT slot, fingerprint FROM slot, (
       SELECT ${fingerprint('place')} AS fingerprint FROM unnest(${$('routings')}::integer[]) WITH ORDINALITY message (routing, place)
       WHERE (routing IN (SELECT place FROM current)) IS TRUE AND (SELECT alive AND known FROM may)
     ) message
     ORDER BY 1, 2`;
const STORES = `RETURNING fingerprint
   ), fresh AS MATERIALIZED (
     SELECT place FROM unnest(${$('routings')}::integer[]) WITH ORDINALITY message (routing, place)
     WHERE (${fingerprint('place')} IN (
       SELECT fingerprint FROM taken GROUP BY fingerprint HAVING count(*) = (SELECT count(*) FROM slot)
     )) IS TRUE
   ), stored AS (
     INSERT INTO commits (id, at, fingerprints)
     SELECT ${$('commit')}::bigint, (SELECT now FROM clock), string_agg(${fingerprint('place')}, '') FROM fresh
     HAVING count(*) > 0 RETURNING id
   ), kept AS (
     INSERT INTO messages (id, source, received_at, replay, event)
     SELECT id, source, received_at, (SELECT coalesce(max(id), 0) FROM replay_jobs), convert_from(substring(${$('events')}::bytea FROM start FOR length), 'UTF8')
     FROM unnest(${$('messagePlaces')}::integer[], ${$('messageIds')}::bigint[], ${$('sources')}::integer[],
       ${$('messageTimes')}::bigint[], ${$('starts')}::integer[], ${$('lengths')}::integer[])
       message (place, id, source, received_at, start, length)
     WHERE (place IN (SELECT place FROM fresh)) IS TRUE AND EXISTS (SELECT FROM stored)
   ), delivery AS MATERIALIZED (
     SELECT place, id, message, destination, claimed, received_at, bytes, type, event, user_id, line,
       CASE WHEN line IS NULL THEN window_from ELSE (SELECT now FROM clock) END AS window_from
     FROM unnest(${$('places')}::integer[], ${$('ids')}::bigint[], ${$('messages')}::bigint[],
       ${$('destinations')}::integer[], ${$('claimed')}::boolean[], ${$('receivedAt')}::bigint[], ${$('windowFrom')}::bigint[],
       ${$('bytes')}::integer[], ${$('types')}::text[], ${$('names')}::text[], ${$('users')}::text[],
       ${$('lines')}::bigint[])
       delivery (place, id, message, destination, claimed, received_at, window_from, bytes, type, event, user_id, line)
     WHERE (place IN (SELECT place FROM fresh)) IS TRUE AND EXISTS (SELECT FROM stored)
   ), trying AS (
     INSERT INTO tries (node, epoch, round, set_at, ${CARRIED})
     SELECT ${$('node')}::integer, ${$('epoch')}::bigint, 1, window_from, ${NEW_DELIVERY} FROM delivery WHERE claimed
   ), waiting AS (
     INSERT INTO queue (round, due_at, set_at, ${CARRIED})
     SELECT 0, window_from, window_from, ${NEW_DELIVERY} FROM delivery WHERE NOT claimed
   )`;
/**
 * What stores nothing writes a word into the log, whose commit waits for the synchronous standby: a message that is there already
 * may be of a commit that no standby has, where its wait was ended or the server started again (NODE-1).
 */
const CONFIRMS = `CASE WHEN NOT EXISTS (SELECT FROM stored) THEN ${CONFIRM} END`;
const ANSWERS = `
   SELECT ${CONFIRMS} AS confirmed, alive, known, EXISTS (SELECT FROM stored) AS stored, ARRAY(SELECT place FROM current) AS current,
     ARRAY(SELECT place FROM fresh) AS fresh FROM may`;

const ACCEPT = newRows('accept', (onTaken) => `${TAKES} ${onTaken} ${STORES}${ANSWERS}`);
const ACCEPT_CAUGHT = newRows('accept_caught', (onTaken) => `${TAKES} ${onTaken} ${STORES}${CATCHES}${ANSWERS}`);

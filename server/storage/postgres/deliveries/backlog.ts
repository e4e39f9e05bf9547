import type { Backlog, DeliveryStorage } from '../../delivery-storage.ts';
import type { Queries } from '../connection/database.ts';
import { reads } from '../connection/statement.ts';
import type { Names } from '../names.ts';
import type { DatabaseTime } from '../time.ts';

export interface BacklogParts {
  readonly database: Queries;
  readonly names: Names;
  readonly time: DatabaseTime;
}

interface QueueRow {
  readonly destination: number;
  readonly nextDueAt: number;
  readonly oldestReceivedAt: number;
}

function least(column: 'due_at' | 'window_from'): string {
  return `(SELECT ${column} FROM queue WHERE destination = page.destination ORDER BY destination, ${column}, id LIMIT 1)`;
}

/** From one destination to the next, by the index, and the first of each: it takes as long however much waits. */
const BACKLOG = reads(
  'backlog',
  `WITH RECURSIVE queues AS (
     (SELECT destination FROM queue WHERE destination > $1 ORDER BY destination LIMIT 1)
     UNION ALL
     SELECT next.destination FROM queues, LATERAL (SELECT destination FROM queue
       WHERE destination > queues.destination ORDER BY destination LIMIT 1) next
   )
   SELECT destination, ${least('due_at')} AS "nextDueAt", ${least('window_from')} AS "oldestReceivedAt"
   FROM (SELECT destination FROM queues LIMIT $2) page`,
);

/** Of some destinations, of each behind a row of its own. */
const COUNT = reads(
  'count_backlog',
  `WITH page AS MATERIALIZED (
     SELECT q.* FROM unnest($1::integer[], $2::bigint[], $3::bigint[]) begin (destination, due_at, id), LATERAL (
       SELECT destination, due_at, id FROM queue
       WHERE (destination, due_at, id) > (begin.destination, begin.due_at, begin.id) AND destination = begin.destination
       ORDER BY destination, due_at, id LIMIT $4) q LIMIT $4
   ), last AS MATERIALIZED (SELECT * FROM page OFFSET $4 - 1)
   SELECT page.*, ${least('due_at')} AS "nextDueAt", ${least('window_from')} AS "oldestReceivedAt",
     (SELECT due_at FROM last) AS "lastDueAt", (SELECT id FROM last) AS "lastId"
   FROM (SELECT destination, count(*) AS waiting FROM page GROUP BY destination) page ORDER BY page.destination`,
);
const TRYING = reads('count_trying', 'SELECT count(*) AS count, min(window_from) AS oldest FROM tries');

interface CountRow extends QueueRow {
  readonly waiting: number;
  /** Of the last row that was counted; null where it was the last of all. */
  readonly lastDueAt: number | null;
  readonly lastId: number | null;
}

export function backlog(parts: BacklogParts): DeliveryStorage['backlog'] {
  return async ({ after = '0', limit }) => {
    const rows = await parts.database.run<QueueRow>(BACKLOG, [Number(after), limit]);
    return {
      queues: await found(parts, rows),
      next: rows.length === limit ? String(rows.at(-1)?.destination) : undefined,
    };
  };
}

/** A page ends at a place in the index, within a queue as well. */
export function countBacklog(parts: BacklogParts): DeliveryStorage['countBacklog'] {
  return async ({ destinations, after = '', limit }) => {
    const [from = 0, dueAt = 0, id = 0] = after.split(' ').map(Number);
    await parts.names.find(destinations);
    const known = destinations.filter((name) => parts.names.hasAll([name])).map((name) => parts.names.idOf(name));
    const left = [...new Set(known)].filter((number) => number >= from).toSorted((one, other) => one - other);
    const begin = (place: number): number[] => left.map((number) => (number === from ? place : 0));
    const rows = await parts.database.run<CountRow>(COUNT, [left, begin(dueAt), begin(id), limit]);
    const queues = await found(parts, rows);
    return {
      queues: queues.map((queue, index) => ({ ...queue, waiting: rows[index]?.waiting ?? 0 })),
      next: nextOf(rows),
    };
  };
}

async function found({ names, time }: BacklogParts, rows: readonly QueueRow[]): Promise<Backlog[]> {
  await names.read(rows.map(({ destination }) => destination));
  return rows.map(({ destination, nextDueAt, oldestReceivedAt }) => ({
    destination: names.nameOf(destination),
    nextDueAt: time.fromDatabase(nextDueAt),
    oldestReceivedAt: time.fromDatabase(oldestReceivedAt),
  }));
}

/** The last row of a page is of the last of its destinations. */
function nextOf(rows: readonly CountRow[]): string | undefined {
  const { destination, lastDueAt = null, lastId = null } = rows.at(-1) ?? {};
  return lastDueAt === null || lastId === null ? undefined : `${destination} ${lastDueAt} ${lastId}`;
}

interface Counted {
  readonly count: number;
  readonly oldest: number | null;
}

export function trying({ database, time }: BacklogParts): DeliveryStorage['trying'] {
  return async () => {
    const [{ count, oldest } = { count: 0, oldest: null }] = await database.run<Counted>(TRYING);
    return { count, oldestReceivedAt: oldest === null ? undefined : time.fromDatabase(oldest) };
  };
}

import type { DeliveryStorage } from '../../delivery-storage.ts';
import type { Queries } from '../connection/database.ts';
import { reads } from '../connection/statement.ts';
import type { Names } from '../names.ts';
import { eachPart, inPart } from '../parts.ts';
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

/** So many rows are counted by one statement: some tens of milliseconds. However much waits, none is ended for taking too long. */
const ROWS = 50_000;
/** Of destinations up to `$4`, behind a row. */
const COUNT = reads(
  'count_backlog',
  `WITH page AS MATERIALIZED (
     SELECT destination, due_at, id FROM queue WHERE (destination, due_at, id) > ($1, $2, $3) AND destination <= $4
     ORDER BY destination, due_at, id LIMIT ${ROWS}
   ), last AS MATERIALIZED (SELECT * FROM page OFFSET ${ROWS - 1})
   SELECT destination, count(*) AS waiting, (SELECT due_at FROM last) AS "lastDueAt", (SELECT id FROM last) AS "lastId"
   FROM page GROUP BY destination`,
);
const PENDING = reads(
  'count_pending',
  `SELECT count(*) AS count, min(window_from) AS oldest FROM queue WHERE ${inPart(1)}`,
);
const TRYING = reads('count_trying', 'SELECT count(*) AS count, min(window_from) AS oldest FROM tries');

interface CountRow {
  readonly destination: number;
  readonly waiting: number;
  /** Of the last row that was counted; null where it was the last of all. */
  readonly lastDueAt: number | null;
  readonly lastId: number | null;
}

export function backlog({ database, names, time }: BacklogParts): DeliveryStorage['backlog'] {
  return async ({ after = '0', limit, isCounted = false }) => {
    const rows = await queuesOf(database, Number(after), limit);
    await names.read(rows.map(({ destination }) => destination));
    const counts = isCounted ? await countsOf(database, rows) : undefined;
    return {
      queues: rows.map(({ destination, nextDueAt, oldestReceivedAt }) => ({
        destination: names.nameOf(destination),
        waiting: counts?.get(destination) ?? 1,
        nextDueAt: time.fromDatabase(nextDueAt),
        oldestReceivedAt: time.fromDatabase(oldestReceivedAt),
      })),
      next: rows.length === limit ? String(rows.at(-1)?.destination) : undefined,
    };
  };
}

function queuesOf(database: Queries, after: number, limit: number): Promise<readonly QueueRow[]> {
  return database.run<QueueRow>(BACKLOG, [after, limit]);
}

/** By destination. Of one that has been emptied meanwhile there is none. */
async function countsOf(database: Queries, queues: readonly QueueRow[]): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  const [first, end] = [queues[0], queues.at(-1)];
  if (first === undefined || end === undefined) return counts;
  let from: readonly number[] | undefined = [first.destination, 0, 0];
  while (from !== undefined) {
    const rows: readonly CountRow[] = await database.run<CountRow>(COUNT, [...from, end.destination]);
    for (const { destination, waiting } of rows) counts.set(destination, (counts.get(destination) ?? 0) + waiting);
    from = placeBehind(rows);
  }
  return counts;
}

/** The last row of a page is of the last of its destinations. */
function placeBehind(rows: readonly CountRow[]): readonly number[] | undefined {
  const { lastDueAt = null, lastId = null } = rows[0] ?? {};
  if (lastDueAt === null || lastId === null) return undefined;
  return [Math.max(...rows.map(({ destination }) => destination)), lastDueAt, lastId];
}

interface Counted {
  readonly count: number;
  readonly oldest: number | null;
}

const NONE: Counted = { count: 0, oldest: null };

export function unfinished({ database, time }: BacklogParts): DeliveryStorage['unfinished'] {
  return async () => {
    const [trying] = await database.run<Counted>(TRYING);
    const counted = { pending: await allWaiting(database), trying: trying ?? NONE };
    return (['pending', 'trying'] as const).map((state) => {
      const { count, oldest } = counted[state];
      return { state, count, oldestReceivedAt: count === 0 || oldest === null ? undefined : time.fromDatabase(oldest) };
    });
  };
}

async function allWaiting(database: Queries): Promise<Counted> {
  const parts: Counted[] = [];
  await eachPart(database, 'queue', async (bounds) => parts.push(...(await database.run<Counted>(PENDING, bounds))));
  return parts.reduce(
    (one, other) => ({
      count: one.count + other.count,
      oldest: Math.min(one.oldest ?? Infinity, other.oldest ?? Infinity),
    }),
    NONE,
  );
}

import type { Queries } from '../connection/database.ts';
import { StatementRefused } from '../connection/failures.ts';
import { reads, writes } from '../connection/statement.ts';
import { firstIdOf } from '../deliveries/ids.ts';

/** Tables of days are made so many days ahead: routers that are up need no purge for so long. */
const DAYS_AHEAD = 3;

const TODAY = reads('today', 'SELECT now_ms() / 86400000 AS day');
const DAYS = reads(
  'days',
  `SELECT to_date(right(c.relname, 10), 'YYYY_MM_DD') - date '1970-01-01' AS day
   FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = to_regclass('log') ORDER BY day`,
);
const MAKE = writes('make_days', 'SELECT make_days($1, $2)');
/** What a sync has not counted is kept, and its day with it. */
const DROP = writes(
  'drop_day',
  `SELECT CASE WHEN NOT EXISTS (SELECT FROM tellings WHERE delivery >= $3 AND delivery < $4)
     THEN drop_day($1, $2) END AS deliveries`,
);

interface DayRow {
  readonly day: number;
}

/** Today, as the database sees it, in days since the epoch. */
export async function today(queries: Queries): Promise<number> {
  const [row] = await queries.run<DayRow>(TODAY);
  if (row === undefined) throw new Error('the database did not say which day it is');
  return row.day;
}

/** The days that have tables, oldest first. */
export async function storedDays(queries: Queries): Promise<readonly number[]> {
  return (await queries.run<DayRow>(DAYS)).map(({ day }) => day);
}

/** Makes what is missing of the tables of today and of the days ahead; a router may think a moment longer that it is yesterday. */
export async function makeDays(queries: Queries): Promise<void> {
  const [present, stored] = [await today(queries), new Set(await storedDays(queries))];
  const [first, last] = [present - 1, present + DAYS_AHEAD];
  const days = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  if (!days.every((day) => stored.has(day))) await queries.run(MAKE, [first, last]);
}

/** SQLSTATE: a row fits no partition, for want of any other check. */
const NO_DAY = '23514';

/** Stores in tables of days. After a long pause there may be none for today: then they are made, and it is done again. */
export async function storeInDays<T>(queries: Queries, store: () => Promise<T>): Promise<T> {
  try {
    return await store();
  } catch (error) {
    if (!(error instanceof StatementRefused) || error.code !== NO_DAY) throw error;
    await makeDays(queries);
    return store();
  }
}

/**
 * Drops a whole day when everything of it has ended before: about how many deliveries went. Undefined when something of it
 * is younger, or when somebody uses the tables just now, for whom nobody is made to wait.
 */
export async function dropDay(queries: Queries, day: number, endedBefore: number): Promise<number | undefined> {
  const [row] = await queries.run<{ readonly deliveries: number | null }>(DROP, [
    day,
    endedBefore,
    firstIdOf(day),
    firstIdOf(day + 1),
  ]);
  return row?.deliveries ?? undefined;
}

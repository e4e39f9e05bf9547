import type { JobStorage } from '../../job-storage.ts';
import type { Database } from '../connection/database.ts';
import { reads, writes } from '../connection/statement.ts';
import { firstIdOf } from '../deliveries/ids.ts';
import { whoseIdsAre } from '../log/columns.ts';
import { dropDay, makeDays, storedDays, today } from './days.ts';
import { foldCounts } from './fold-counts.ts';
import type { JobParts } from './job-operations.ts';
import { type Gone, removeRest } from './remove.ts';
import { sweep } from './sweep.ts';

const DAY_MS = 86_400_000;

/** In the order of their ids, which is nearly that of their acceptance. */
const PAGE = reads(
  'purge_page',
  `SELECT id, ended_at < $1 AS "isOver" FROM log WHERE id > $2 AND id <= $3 ORDER BY id LIMIT $4`,
);
/** What a sync has not counted stays. */
const REMOVE = writes(
  'purge_log',
  `DELETE FROM log t ${whoseIdsAre('$1')} AND t.ended_at < $2
     AND (SELECT true FROM tellings o WHERE o.delivery = t.id LIMIT 1) IS NULL RETURNING t.id, t.message`,
);

interface Candidate {
  readonly id: number;
  readonly isOver: boolean;
}

interface Walk {
  readonly endedBefore: number;
  readonly today: number;
  readonly limit: number;
}

/** What one call did: deliveries that went, and the id behind which the next goes on. */
interface Walked {
  readonly deliveries: number;
  readonly after: number;
}

/**
 * A day whose deliveries have all ended before is dropped as a whole, which costs next to nothing. So what is old is kept
 * until its whole day is, and row by row goes only what would wait for that too long: of today and yesterday, where the
 * retention is as short, and of days that something younger has kept for a day already.
 */
export function purge({ database, time }: JobParts): JobStorage['purge'] {
  return async ({ endedBefore, seenBefore, after, limit }) => {
    if (after === undefined) {
      await makeDays(database);
      await foldCounts(database);
    }
    const days = await storedDays(database);
    const walk = { endedBefore, today: await today(database), limit };
    const walked = await walkDays(database, days, walk, Number(after ?? 0));
    const before = { endedBefore, seenBefore: time.toDatabase(seenBefore), firstId: firstIdOf(days[0] ?? 0), limit };
    const { ids, isMore } = await sweep(database, before);
    const next = walked?.after ?? (isMore ? lastIdOf(days.at(-1) ?? 0) : undefined);
    return { deliveries: walked?.deliveries ?? 0, ids, next: next === undefined ? undefined : String(next) };
  };
}

/** The first day on which something is left to do; undefined when there is none. */
async function walkDays(
  database: Database,
  days: readonly number[],
  walk: Walk,
  after: number,
): Promise<Walked | undefined> {
  for (const day of days.filter((one) => after < lastIdOf(one))) {
    const walked = await walkDay(database, day, walk, after);
    if (walked !== undefined) return walked;
  }
  return undefined;
}

async function walkDay(database: Database, day: number, walk: Walk, after: number): Promise<Walked | undefined> {
  const end = (day + 1) * DAY_MS;
  const isYoung = day >= walk.today - 1;
  if (isYoung) return walkRows(database, day, walk, after);
  if (end > walk.endedBefore) return undefined;
  // What was moved here from a data folder has the ids of the first day of all, from 1.
  const isNew = after <= firstIdOf(day);
  const dropped = isNew ? await dropDay(database, day, walk.endedBefore) : undefined;
  if (dropped !== undefined) return { deliveries: dropped, after: lastIdOf(day) };
  return end + DAY_MS > walk.endedBefore ? undefined : walkRows(database, day, walk, after);
}

/** A page of rows; undefined when the day has no more of them that are old. */
async function walkRows(database: Database, day: number, walk: Walk, after: number): Promise<Walked | undefined> {
  const { endedBefore, today: present, limit } = walk;
  const within = [Math.max(after, firstIdOf(day) - 1), lastIdOf(day)];
  const rows = await database.run<Candidate>(PAGE, [endedBefore, ...within, limit]);
  const over = rows.filter(({ isOver }) => isOver).map(({ id }) => id);
  const isLast = rows.length < limit;
  if (over.length === 0 && (isLast || day >= present - 1)) return undefined;
  const deliveries = await database.transaction(async (queries) => {
    const gone = await queries.run<Gone>(REMOVE, [over, endedBefore]);
    await removeRest(queries, gone);
    return gone.length;
  });
  return { deliveries, after: isLast ? lastIdOf(day) : (rows.at(-1)?.id ?? after) };
}

function lastIdOf(day: number): number {
  return firstIdOf(day + 1) - 1;
}

import type { Queries } from '../connection/database.ts';
import { reads, writes } from '../connection/statement.ts';
import { CARRIED } from './columns.ts';

/** Longer than any statement may run: whoever saw a life that is over has a number by then, or has ended. */
const SETTLED_MS = 30_000;

/**
 * What lives that are over hold, of node `$2` or of all. Their accepts may have been under way when they ended, so this is
 * asked again until no transaction of that time is left. What somebody has locked is for the next time: nobody waits here.
 */
const FREE = writes(
  'free',
  `WITH over AS MATERIALIZED (
     SELECT id, epoch, until IS NULL AS ended FROM nodes WHERE over_at IS NOT NULL AND ($2::integer IS NULL OR id = $2)
   ), found AS MATERIALIZED (
     SELECT t.ctid AS tid FROM over JOIN tries t ON t.node = over.id AND (over.ended OR t.epoch < over.epoch)
     FOR UPDATE OF t SKIP LOCKED
   ), gone AS (
     DELETE FROM tries t USING found WHERE t.ctid = found.tid RETURNING t.*
   ), back AS (
     INSERT INTO queue (${CARRIED}, round, due_at, set_at)
     SELECT id, message, destination, tries, earlier_rounds, closed, received_at,
       window_from - greatest(0, set_at - $1::bigint), bytes, type, event, user_id, line, round, $1, $1 FROM gone
   )
   SELECT count(*) AS freed FROM gone`,
);
const IS_OVER = reads('is_over', 'SELECT EXISTS (SELECT FROM nodes WHERE over_at IS NOT NULL) AS found');
const NOTE_HORIZON = writes(
  'note_horizon',
  `UPDATE nodes SET horizon = pg_snapshot_xmax(pg_current_snapshot())
   WHERE horizon IS NULL AND over_at < now_ms() - ${SETTLED_MS}`,
);
const SETTLE = writes(
  'settle',
  `UPDATE nodes SET over_at = NULL, horizon = NULL
   WHERE horizon <= pg_snapshot_xmin(pg_current_snapshot())
     AND NOT EXISTS (SELECT FROM tries t WHERE t.node = nodes.id AND (nodes.until IS NULL OR t.epoch < nodes.epoch))`,
);

/** Puts back what lives that are over held, due at `at`; answers how many. */
export async function free(queries: Queries, at: number, node?: number): Promise<number> {
  const [over] = await queries.run<{ readonly found: boolean }>(IS_OVER);
  if (over?.found !== true) return 0;
  const [answer] = await queries.run<{ readonly freed: number }>(FREE, [at, node ?? null]);
  await queries.run(NOTE_HORIZON);
  await queries.run(SETTLE);
  return answer?.freed ?? 0;
}

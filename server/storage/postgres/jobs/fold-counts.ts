import type { Queries } from '../connection/database.ts';
import { writes } from '../connection/statement.ts';
import { eachPart, inPart } from '../parts.ts';

/** What is older than a day has been folded many times. */
const BACK_MS = 26 * 3_600_000;

/**
 * Makes one row of those that routers counted in. What is added is what this very statement deletes, so nothing is counted twice
 * or missed, whoever folds or counts meanwhile. Who counts just now keeps its row: nobody who holds rows waits for one.
 */
const FOLD_COUNTS = writes(
  'fold_counts',
  `WITH found AS MATERIALIZED (
     SELECT ctid AS tid FROM counts WHERE ${inPart(1)} AND hour >= now_ms() - ${BACK_MS} AND node <> 0 FOR UPDATE SKIP LOCKED
   ), gone AS (
     DELETE FROM counts WHERE ctid = ANY (ARRAY(SELECT tid FROM found)) RETURNING hour, destination, what, count
   ), folded AS (
     INSERT INTO counts AS c (hour, destination, what, node, count)
     SELECT hour, destination, what, 0, sum(count) FROM gone GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
     ON CONFLICT (destination, hour, what, node) DO UPDATE SET count = c.count + excluded.count
   )
   SELECT`,
);

export function foldCounts(queries: Queries): Promise<void> {
  return eachPart(queries, 'counts', (bounds) => queries.run(FOLD_COUNTS, bounds));
}

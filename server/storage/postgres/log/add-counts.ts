import type { CountStorage } from '../../delivery-log.ts';
import type { Queries } from '../connection/database.ts';
import { writes } from '../connection/statement.ts';
import type { Names } from '../names.ts';

/**
 * In one row for all routers: each hears what the others added. Rows are locked in one order, so that none waits for another
 * that waits for it.
 */
const ADD_COUNTS = writes(
  'add_counts',
  `WITH added AS (
     INSERT INTO counts AS c (hour, destination, what, node, count)
     SELECT hour, destination, what, 0, more
     FROM unnest($1::bigint[], $2::int[], $3::text[], $4::bigint[]) AS one (hour, destination, what, more)
     ORDER BY destination, hour, what
     ON CONFLICT (destination, hour, what, node) DO UPDATE SET count = c.count + excluded.count
     RETURNING c.hour, c.destination, c.what, c.count)
   SELECT a.count FROM unnest($1::bigint[], $2::int[], $3::text[]) WITH ORDINALITY AS one (hour, destination, what, n)
   JOIN added a USING (hour, destination, what) ORDER BY n`,
);

export function addCounts(database: Queries, names: Pick<Names, 'add' | 'idOf'>): CountStorage['addCounts'] {
  return async (additions) => {
    await names.add(additions.map(({ of }) => of));
    const rows = await database.run<{ readonly count: number }>(ADD_COUNTS, [
      additions.map(({ hour }) => hour),
      additions.map(({ of }) => names.idOf(of)),
      additions.map(({ what }) => what),
      additions.map(({ count }) => count),
    ]);
    return rows.map(({ count }) => count);
  };
}

import type { CountStorage } from '../../delivery-log.ts';
import type { Queries } from '../connection/database.ts';
import { writes } from '../connection/statement.ts';
import type { Names } from '../names.ts';

/**
 * In one row for all routers: each hears what the others added. Rows are locked in one order, so that none waits for another
 * that waits for it. Of thousands, what there is then is told by its key: joined with what was given, each would be compared with each.
 */
const ADD_COUNTS = writes(
  'add_counts',
  `INSERT INTO counts AS c (hour, destination, what, node, count)
   SELECT hour, destination, what, 0, more
   FROM unnest($1::bigint[], $2::int[], $3::text[], $4::bigint[]) AS one (hour, destination, what, more)
   ORDER BY destination, hour, what
   ON CONFLICT (destination, hour, what, node) DO UPDATE SET count = c.count + excluded.count
   RETURNING c.hour, c.destination, c.what, c.count`,
);

interface CountRow {
  readonly hour: number;
  readonly destination: number;
  readonly what: string;
  readonly count: number;
}

export function addCounts(database: Queries, names: Pick<Names, 'add' | 'idOf'>): CountStorage['addCounts'] {
  return async (additions) => {
    await names.add(additions.map(({ of }) => of));
    const given = additions.map(({ of, ...one }) => ({ ...one, destination: names.idOf(of) }));
    const rows = await database.run<CountRow>(ADD_COUNTS, [
      given.map(({ hour }) => hour),
      given.map(({ destination }) => destination),
      given.map(({ what }) => what),
      given.map(({ count }) => count),
    ]);
    const counts = new Map(rows.map((row) => [keyOf(row), row.count]));
    return given.map((one) => counts.get(keyOf(one)) ?? one.count);
  };
}

function keyOf({ hour, destination, what }: Omit<CountRow, 'count'>): string {
  return `${hour} ${destination} ${what}`;
}

import type { DatabaseSync } from 'node:sqlite';
import type { Operations } from '../../verbs.ts';
import type { Names } from './names.ts';
import { query } from './query.ts';

/** They stand among those of deliveries. */
export function addCounts(database: DatabaseSync, names: Names): Operations['addCounts'] {
  const add = query<{ readonly count: number }>(
    database,
    `INSERT INTO counts (hour, destination, what, count) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET count = count + excluded.count RETURNING count`,
  );
  return (additions) =>
    additions.map(({ of, hour, what, count }) => add.get(hour, names.idOf(of), what, count)?.count ?? count);
}

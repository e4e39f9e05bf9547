import type { DatabaseSync } from 'node:sqlite';
import { query } from '../file/deliveries/query.ts';
import type { Into, MovedTable } from './moved-table.ts';
import { COUNTED } from './moved-tables.ts';
import { beginning, type Counts, type MovedRow, pageQuery, type RowKey, withLaterTimes } from './moving.ts';

export interface SqliteRows {
  read(table: MovedTable, after: RowKey | undefined, limit: number): readonly MovedRow[];
  write(table: MovedTable, rows: readonly MovedRow[]): void;
  counts(): Counts;
}

/** The rows that are moved, from or to a delivery store; of what is read, times of its last life become so much later. */
export function sqliteRows(database: DatabaseSync, aheadMs = 0): SqliteRows {
  return {
    read(table, after = beginning(table), limit) {
      const page = pageQuery(table, table.sqlite.from, () => '?');
      const rows = query<MovedRow>(database, page).all(...after, limit);
      return rows.map((row) => withLaterTimes(table, row, aheadMs, ['time']));
    },
    write(table, rows) {
      for (const into of table.sqlite.into) {
        const insert = database.prepare(insertOf(table, into));
        for (const row of rows) insert.run(...Object.keys(table.columns).map((column) => row[column] ?? null));
      }
    },
    counts: () =>
      Object.fromEntries(
        Object.entries(COUNTED).map(([name, { sqlite }]) => [name, Number(database.prepare(sqlite).get()?.['count'])]),
      ),
  };
}

function insertOf({ columns }: MovedTable, { table, values, where = '1' }: Into): string {
  const row = Object.keys(columns).map((column, index) => `?${index + 1} AS ${column}`);
  return `INSERT INTO ${table} (${Object.keys(values).join(', ')})
    SELECT ${Object.values(values).join(', ')} FROM (SELECT ${row.join(', ')}) WHERE ${where}`;
}

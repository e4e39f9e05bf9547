import type { Queries } from '../postgres/connection/database.ts';
import { reads, type Statement, writes } from '../postgres/connection/statement.ts';
import { storable } from '../../model/json-values.ts';
import type { Column, Into, MovedTable } from './moved-table.ts';
import { COUNTED } from './moved-tables.ts';
import { beginning, type Counts, type MovedRow, pageQuery, type RowKey, type Value, withLaterTimes } from './moving.ts';

/** Times that wait are those of the database there, and of this process everywhere else: the first is so much later. */
export interface PostgresRows {
  read(table: MovedTable, after: RowKey | undefined, limit: number): Promise<readonly MovedRow[]>;
  write(table: MovedTable, rows: readonly MovedRow[]): Promise<void>;
  counts(): Promise<Counts>;
}

/** The rows that are moved, from or to a database. */
export function postgresRows(queries: Queries, laterMs: number): PostgresRows {
  return {
    async read(table, after = beginning(table), limit) {
      const rows = await queries.run<MovedRow>(readOf(table), [...after, limit]);
      return rows.map((row) => withLaterTimes(table, row, -laterMs, TIMES));
    },
    async write(table, rows) {
      const there = rows.map((row) => withLaterTimes(table, row, laterMs, TIMES));
      const values = Object.keys(table.columns).map((column) => there.map((row) => stored(row[column] ?? null)));
      for (const into of table.postgres.into) await queries.run(insertOf(table, into), values);
    },
    async counts() {
      const counts: Record<string, number> = {};
      for (const [name, { postgres }] of Object.entries(COUNTED)) {
        const [row] = await queries.run<{ readonly count: number }>(reads(`move_count_${name}`, postgres));
        counts[name] = row?.count ?? 0;
      }
      return counts;
    },
  };
}

function readOf(table: MovedTable): Statement {
  return reads(
    `move_read_${table.name}`,
    pageQuery(table, table.postgres.from, (index) => `$${index}`),
  );
}

const TIMES: readonly Column[] = ['time', 'wall'];

const TYPES: Readonly<Record<Column, string>> = {
  number: 'bigint',
  real: 'double precision',
  time: 'bigint',
  wall: 'bigint',
  text: 'text',
  bytes: 'bytea',
};

/** Ids that the database would give itself are given here. */
function insertOf({ columns }: MovedTable, { table, values, where = 'true' }: Into): Statement {
  const arrays = Object.values(columns).map((column, index) => `$${index + 1}::${TYPES[column]}[]`);
  return writes(
    `move_into_${table}`,
    `INSERT INTO ${table} (${Object.keys(values).join(', ')}) OVERRIDING SYSTEM VALUE
     SELECT ${Object.values(values).join(', ')}
     FROM unnest(${arrays.join(', ')}) moved (${Object.keys(columns).join(', ')}) WHERE ${where}`,
  );
}

function stored(value: Value): Value {
  if (typeof value === 'string') return storable(value);
  return value instanceof Uint8Array ? Buffer.from(value) : value;
}

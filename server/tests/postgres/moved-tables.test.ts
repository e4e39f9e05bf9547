import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { prepare } from '../../storage/file/deliveries/schema.ts';
import { prepareProfiles } from '../../storage/profiles/sqlite/schema.ts';
import { LEFT_OUT } from '../support/left-out.ts';
import { MOVED } from '../../storage/move/moved-tables.ts';
import { pageQuery } from '../../storage/move/moving.ts';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import { makeDays } from '../../storage/postgres/jobs/days.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';
import { analyze } from '../support/statistics.ts';
import { storeRows } from '../support/stored-rows.ts';

/** `table.column`, of all that an engine stores. */
type Columns = readonly string[];

const OF_POSTGRES = reads(
  'test_columns',
  `SELECT c.relname || '.' || a.attname AS column FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     AND a.attnum > 0 AND NOT a.attisdropped`,
);

function sqliteColumns(database: DatabaseSync): Columns {
  return database
    .prepare(
      `SELECT t.name || '.' || c.name AS column FROM sqlite_schema t, pragma_table_info(t.name) c
       WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`,
    )
    .all()
    .map(({ column }) => String(column));
}

/** Columns that no move fills, and that nobody says why they are left out. */
function forgotten(engine: 'sqlite' | 'postgres', columns: Columns): Columns {
  const into = MOVED.flatMap((table) => table[engine].into);
  const filled = into.flatMap(({ table, values }) => Object.keys(values).map((column) => `${table}.${column}`));
  const known = new Set([...filled, ...Object.keys(LEFT_OUT[engine])]);
  return columns.filter((column) => !known.has(column) && !known.has(column.slice(0, column.indexOf('.'))));
}

/** What is said of columns and tables that are not there. */
function superfluous(engine: 'sqlite' | 'postgres', columns: Columns): Columns {
  const known = new Set(columns.flatMap((column) => [column, column.slice(0, column.indexOf('.'))]));
  return Object.keys(LEFT_OUT[engine]).filter((name) => !known.has(name));
}

test('a move fills every column of the delivery store and of the profile store', () => {
  using database = new DatabaseSync(':memory:');
  using profiles = new DatabaseSync(':memory:');
  prepare(database);
  prepareProfiles(profiles);
  const columns = [...sqliteColumns(database), ...sqliteColumns(profiles)];
  expect(new Set(columns).size).toBe(columns.length);
  expect(forgotten('sqlite', columns)).toEqual([]);
  expect(superfluous('sqlite', columns)).toEqual([]);
});

test('a new column or table of the delivery store that no move fills is found', () => {
  using database = new DatabaseSync(':memory:');
  prepare(database);
  database.exec('ALTER TABLE messages ADD COLUMN color TEXT; CREATE TABLE colors (name TEXT)');
  expect(forgotten('sqlite', sqliteColumns(database)).toSorted()).toEqual(['colors.name', 'messages.color']);
});

test('what is moved is read and written under the same names', () => {
  for (const { key, columns, sqlite, postgres } of MOVED) {
    expect(Object.keys(columns)).toEqual(expect.arrayContaining([...key]));
    for (const { values } of [...sqlite.into, ...postgres.into]) {
      const used = Object.values(values).flatMap((expression) => expression.match(/^(?:\w+\()?(\w+)/)?.[1] ?? []);
      expect([...Object.keys(columns), '0']).toEqual(expect.arrayContaining(used));
    }
  }
});

describeWithPostgres('the tables of PostgreSQL', () => {
  test('a move fills every column, but for those that are left out with a reason', async () => {
    await using place = await postgresPlace();
    const columnsOf = async (): Promise<Columns> =>
      (await place.superuser.run<{ readonly column: string }>(OF_POSTGRES)).map(({ column }) => column);
    const columns = await columnsOf();
    expect(forgotten('postgres', columns)).toEqual([]);
    expect(superfluous('postgres', columns)).toEqual([]);
    await place.superuser.run(script('ALTER TABLE log ADD COLUMN color text'));
    expect(forgotten('postgres', await columnsOf())).toEqual(['log.color']);
  });

  test.each(['deliveries', 'attempts', 'message_ids'])(
    'a page of %s is read in its order, without a sort',
    async (name) => {
      await using place = await postgresPlace();
      await makeDays(place.database);
      await storeRows(place.superuser, { table: 'log', count: 2_000, from: 0 });
      await analyze(place.superuser);
      const [table] = MOVED.filter((one) => one.name === name);
      const query = table && pageQuery(table, table.postgres.from, (index) => (index > table.key.length ? '10' : '0'));
      const plan = await place.superuser.run<{ readonly 'QUERY PLAN': string }>(script(`EXPLAIN ${query}`));
      const steps = plan.map((row) => row['QUERY PLAN']);
      expect(steps.join()).toContain('Index Scan');
      expect(steps.filter((step) => /\bSort {2}|Seq Scan/.test(step))).toEqual([]);
    },
  );
});

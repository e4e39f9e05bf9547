import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openDatabase } from '../../storage/file/deliveries/database.ts';
import { createOperations } from '../../storage/file/deliveries/operations.ts';
import { run } from '../../storage/file/deliveries/serve.ts';
import { SCHEMA_VERSION } from '../../storage/file/deliveries/schema.ts';
import { freeSpaceOf } from '../../storage/file/free-space/free-space.ts';
import { newFolder } from '../support/delivery-world.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 1);

/** One life on the file: it joins at the time that it takes for now, while the wall is so far ahead of that. */
function live(database: DatabaseSync, steady: number, ahead: number): void {
  const space = freeSpaceOf(database);
  const clock = { now: () => steady + ahead, steady: () => steady };
  const engine = {
    database,
    path: ':memory:',
    space,
    format: SCHEMA_VERSION,
    ...createOperations(database, space, clock),
  };
  const result = run(engine, [{ name: 'join', argument: { now: steady } }]);
  expect(result).toMatchObject({ results: [{}] });
}

/** What waits, and was accepted an hour before; message ids of then. */
function store(database: DatabaseSync, steady: number): void {
  database.exec(`
    INSERT INTO messages VALUES (1, 1, ${steady}, '{}');
    INSERT INTO deliveries VALUES (1, 1, 1, 'pending', 3, 3, ${steady + 60_000}, ${steady}, '[]',
      ${steady}, ${steady - HOUR}, 0, 0, 'track', 'E', 'u', NULL);
    INSERT INTO seen VALUES (1, ${steady - HOUR}, zeroblob(12))`);
}

function ages(database: DatabaseSync, now: number): unknown {
  return database
    .prepare(`SELECT ${now} - window_from AS window, due_at - ${now} AS due, (SELECT ${now} - seen_at FROM seen) AS seen
      FROM deliveries`)
    .get();
}

test.each([10 * HOUR, 56 * 365 * 24 * HOUR])(
  'HOOK-21: where the wall was set forward by %i ms in a life, what waits is as old as it was to the next',
  (ahead) => {
    using database = openDatabase(':memory:');
    live(database, NOW - ahead, 0);
    store(database, NOW - ahead);
    live(database, NOW - ahead, ahead);
    live(database, NOW, 0);
    expect(ages(database, NOW)).toEqual({ window: HOUR, due: 60_000, seen: HOUR });
    // It is added once.
    live(database, NOW, 0);
    expect(ages(database, NOW)).toEqual({ window: HOUR, due: 60_000, seen: HOUR });
  },
);

test('HOOK-21: where the wall was set forward by mistake, and a life that ended was never set right, nothing waits', () => {
  using database = openDatabase(':memory:');
  live(database, NOW, 0);
  store(database, NOW);
  live(database, NOW, 10 * HOUR);
  live(database, NOW, 0);
  expect(ages(database, NOW)).toEqual({ window: HOUR, due: 0, seen: 0 });
});

test('HOOK-21: where the wall was set back in a life, nothing is made older', () => {
  using database = openDatabase(':memory:');
  live(database, NOW, 0);
  store(database, NOW);
  live(database, NOW, -HOUR);
  live(database, NOW - HOUR, 0);
  expect(ages(database, NOW - HOUR)).toEqual({ window: HOUR, due: 0, seen: 0 });
});

function numbersTo(last: number): string {
  return `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${last})`;
}

/** More than one transaction changes: events that wait, and message ids of large commits. */
function storeMany(database: DatabaseSync, steady: number): void {
  database.exec(`
    INSERT INTO messages VALUES (1, 1, ${steady}, '{}');
    ${numbersTo(MANY)} INSERT INTO deliveries SELECT i, 1, i % 7, 'pending', 1, 1, ${steady + 60_000}, ${steady}, '[]', ${steady},
      ${steady - HOUR}, 0, 0, 'track', 'E', 'u', NULL FROM n;
    ${numbersTo(300)} INSERT INTO seen SELECT i, ${steady - HOUR}, randomblob(12000) FROM n`);
}

const MANY = 80_000;

function withLife<T>(folder: string, steady: number, look: (database: DatabaseSync) => T): T {
  using database = openDatabase(join(folder, 'deliveries.sqlite'));
  live(database, steady, 0);
  return look(database);
}

/** A folder whose last life noted that the wall was set. */
function folderOfMany(ahead: number): string {
  const folder = newFolder();
  withLife(folder, NOW - ahead, (database) => {
    storeMany(database, NOW - ahead);
    live(database, NOW - ahead, ahead);
  });
  return folder;
}

function alter(file: string, sql: string): void {
  using database = openDatabase(file);
  database.exec(sql);
}

/** How many have each age. */
function agesOfAll(database: DatabaseSync): unknown {
  const counted = (from: string): unknown => database.prepare(`SELECT ${from} GROUP BY 1, 2 ORDER BY 1`).all();
  return [
    counted(`${NOW} - window_from AS window, due_at - ${NOW} AS due, count(*) AS count FROM deliveries`),
    counted(`${NOW} - seen_at AS seen, length(ids) AS bytes, count(*) AS count FROM seen`),
  ];
}

const agesOf = (due: number, seen: number): unknown => [
  [{ window: HOUR, due, count: MANY }],
  [{ seen, bytes: 12_000, count: 300 }],
];

test.each([
  { by: 2_000, ages: agesOf(60_000, HOUR) },
  { by: -3 * HOUR, ages: agesOf(0, 0) },
])(
  'HOOK-21: what a wall that was set by $by ms changes at a start takes little of a full disk',
  ({ by, ages: expected }) => {
    const folder = folderOfMany(by);
    const log = join(folder, 'deliveries.sqlite-wal');
    const [all, bytes] = withLife(folder, NOW, (database) => [agesOfAll(database), statSync(log).size]);
    expect(all).toEqual(expected);
    expect(bytes).toBeLessThan(6_000_000);
  },
);

test.each([
  { table: 'deliveries', column: 'due_at', id: 20_000 },
  { table: 'seen', column: 'seen_at', id: 200 },
])('HOOK-21: a start that is killed while it adds what a wall was set by to $table adds it once', (killed) => {
  const folder = folderOfMany(2_000);
  const file = join(folder, 'deliveries.sqlite');
  const { table, column, id } = killed;
  const trap = `CREATE TRIGGER trap BEFORE UPDATE OF ${column} ON ${table} WHEN NEW.id = ${id} BEGIN SELECT raise(ABORT, 'killed'); END`;
  alter(file, trap);
  expect(() => withLife(folder, NOW, agesOfAll)).toThrow('killed');
  alter(file, 'DROP TRIGGER trap');
  expect(withLife(folder, NOW, agesOfAll)).toEqual(agesOf(60_000, HOUR));
});

import type { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openDatabase } from '../../storage/file/deliveries/database.ts';
import { createOperations } from '../../storage/file/deliveries/operations.ts';
import { run } from '../../storage/file/deliveries/serve.ts';
import { SCHEMA_VERSION } from '../../storage/file/deliveries/schema.ts';
import { freeSpaceOf } from '../../storage/file/free-space/free-space.ts';

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

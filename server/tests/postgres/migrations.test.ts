import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Database } from '../../storage/postgres/connection/database.ts';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import { formatOf, migrateDatabase, stepsFrom } from '../../storage/postgres/migrations/migrate.ts';
import { MIGRATIONS, type PostgresMigration } from '../../storage/postgres/migrations/migrations.ts';
import { describeWithPostgres, emptyPlace } from '../support/postgres-place.ts';

/** Two steps: an older router can work with the first of them, and not with the second. */
const STEPS: readonly PostgresMigration[] = [
  { version: 1, oldest: 1, what: 'things', sql: 'CREATE TABLE things (id int, old text)' },
  { version: 2, oldest: 1, what: 'things have a name', sql: 'ALTER TABLE things ADD name text' },
  { version: 3, oldest: 2, what: 'nothing is called old any more', sql: 'ALTER TABLE things DROP old' },
];

const READ_THINGS = reads('read_things', 'SELECT id FROM things');
/** Who waits for a lock of that table. */
const WAITING = reads('waiting', "SELECT pid FROM pg_locks WHERE relation = 'things'::regclass AND NOT granted");

describeWithPostgres('migrations of PostgreSQL', () => {
  test('NODE-7: an empty database gets all tables once', async () => {
    await using place = await emptyPlace();
    const { database } = place;
    expect(await formatOf(database)).toEqual({ version: 0, oldest: 0 });
    expect(await migrateDatabase(database)).toEqual(MIGRATIONS);
    expect(await migrateDatabase(database)).toEqual([]);
    expect((await formatOf(database)).version).toBe(MIGRATIONS.length);
  });

  test('NODE-7: two that migrate at once do each step once', async () => {
    await using place = await emptyPlace();
    const both = [migrateDatabase(place.database, STEPS), migrateDatabase(place.database, STEPS)];
    const done = (await Promise.all(both)).flat();
    expect(done.toSorted((a, b) => a.version - b.version)).toEqual(STEPS);
  });

  test('NODE-7: a step that fails changes nothing, and those before it stay', async () => {
    await using place = await emptyPlace();
    const { database } = place;
    const broken = { version: 2, oldest: 1, what: 'broken', sql: 'CREATE TABLE half (); SELECT 1 / 0' };
    await expect(migrateDatabase(database, [...STEPS.slice(0, 1), broken])).rejects.toThrow('22012');
    expect([await formatOf(database), await tablesOf(database)]).toEqual([
      { version: 1, oldest: 1 },
      ['things', 'waybill_format'],
    ]);
    expect(await migrateDatabase(database, STEPS)).toEqual(STEPS.slice(1));
  });

  test('NODE-7: parts of a step stay when a later one fails, and are done again before the step is', async () => {
    await using place = await emptyPlace();
    const { database } = place;
    const step = { version: 2, oldest: 1, what: 'in parts', sql: 'CREATE TABLE last ()' };
    const parts = ['CREATE TABLE IF NOT EXISTS first ()', 'SELECT 1 / 0'];
    const failing = [...STEPS.slice(0, 1), { ...step, parts }];
    await expect(migrateDatabase(database, failing)).rejects.toThrow('22012');
    expect([(await formatOf(database)).version, await tablesOf(database)]).toEqual([
      1,
      ['first', 'things', 'waybill_format'],
    ]);
    const whole = [...STEPS.slice(0, 1), { ...step, parts: parts.slice(0, 1) }];
    const both = await Promise.all([migrateDatabase(database, whole), migrateDatabase(database, whole)]);
    expect(both.flat().map(({ version }) => version)).toEqual([2]);
    expect(await tablesOf(database)).toEqual(['first', 'last', 'things', 'waybill_format']);
  });

  test('NODE-7: a step waits for who uses its table, and routers that come meanwhile are answered', async () => {
    await using place = await emptyPlace();
    const { database } = place;
    await migrateDatabase(database, STEPS.slice(0, 1));
    const migrating = await database.transaction(async (queries) => {
      await queries.run(READ_THINGS);
      const begun = migrateDatabase(database, STEPS.slice(0, 2));
      await expect.poll(() => database.run(WAITING)).toHaveLength(1);
      expect(await database.run(READ_THINGS)).toEqual([]);
      return { begun };
    });
    expect((await migrating.begun).map(({ version }) => version)).toEqual([2]);
  });

  test('NODE-7: a step that is kept from its table says by what, and the way out', async () => {
    await using place = await emptyPlace();
    const { database } = place;
    await migrateDatabase(database, STEPS.slice(0, 1));
    await database.transaction(async (queries) => {
      await queries.run(READ_THINGS);
      const kept = migrateDatabase(database, STEPS.slice(0, 2), 1);
      await expect(kept).rejects.toThrow(/in use by a transaction that does not end .*55P03.*: end it, or wait for it/);
    });
    expect((await migrateDatabase(database, STEPS.slice(0, 2), 1)).map(({ version }) => version)).toEqual([2]);
  });

  test('what a damaged index let in twice is named, with the way out', async () => {
    await using place = await emptyPlace();
    const { database } = place;
    await migrateDatabase(database, MIGRATIONS.slice(0, 10));
    const twice = "ALTER TABLE names DROP CONSTRAINT names_name_key; INSERT INTO names (name) VALUES ('a'), ('a')";
    await database.run(script(`${twice}; ALTER TABLE names ADD CONSTRAINT names_name_key CHECK (true)`));
    await expect(migrateDatabase(database)).rejects.toThrow(/has something twice .*names_name.*: restore a backup/);
  });

  test('NODE-7: functions are replaced in databases that were made when their parameters had other names', async () => {
    await using place = await emptyPlace();
    const { database } = place;
    const earlier = MIGRATIONS.slice(0, 7).map((step) => ({
      ...step,
      sql: step.sql.replaceAll(/\bkept\b/g, '"json"'),
    }));
    await migrateDatabase(database, earlier);
    const named = reads(
      'named',
      String.raw`SELECT proargnames[1] AS name, has_item('["\u0000", "a"]', '"a"') AS has FROM pg_proc WHERE oid = 'has_item(text, text)'::regprocedure`,
    );
    expect(await database.run(named)).toEqual([{ name: 'json', has: false }]);
    expect((await migrateDatabase(database, MIGRATIONS.slice(0, 8))).map(({ version }) => version)).toEqual([8]);
    expect(await database.run(named)).toEqual([{ name: 'json', has: true }]);
  });

  test('NODE-7: a router works with a newer format until its tables are taken away', async () => {
    await using place = await emptyPlace();
    const { database } = place;
    const older = STEPS.slice(0, 1);
    await migrateDatabase(database, STEPS.slice(0, 2));
    expect(stepsFrom(await formatOf(database), 'here', older)).toEqual([]);
    expect(await migrateDatabase(database, older)).toEqual([]);
    await migrateDatabase(database, STEPS);
    await expect(migrateDatabase(database, older)).rejects.toThrow(
      'has format 3, for versions of Waybill that know format 2; this one knows format 1: start a newer version of Waybill',
    );
  });
});

test('NODE-7: the steps to the format of today have no gaps, and shut out nobody who is not older', () => {
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => index + 1));
  expect(MIGRATIONS.filter(({ version, oldest }) => oldest > version || oldest < 1)).toEqual([]);
});

/** Of the text of each step, by its version. Databases were made by it: what is to be different is a step of its own. */
const RELEASED: readonly string[] = [
  '163fc7e77adb',
  '80691447fa67',
  'f9fbb69887a1',
  'fa336162c113',
  '6e4261695ad1',
  '06528c670251',
  '1d987fb48422',
  'd53f8afc5ab2',
  '18bdc38ce36c',
  'ece669728280',
  'd06da8e41027',
  '90a9eaf9c671',
  '3209e1572b70',
  '2de7681a25f4',
  '1751ec28107e',
];

test('NODE-7: steps to a format stay as they were released', () => {
  const digests = MIGRATIONS.map(({ parts = [], sql }) =>
    createHash('sha256')
      .update([...parts, sql].join(';'))
      .digest('hex')
      .slice(0, 12),
  );
  expect(digests).toEqual(RELEASED);
});

async function tablesOf(database: Database): Promise<string[]> {
  const tables = reads('tables', 'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 ORDER BY 1');
  const rows = await database.run<{ readonly name: string }>(tables, [database.schema]);
  return rows.map(({ name }) => name);
}

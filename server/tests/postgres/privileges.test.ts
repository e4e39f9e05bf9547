import { expect, test } from 'vitest';
import { StorageUnusable } from '../../storage/errors.ts';
import { script } from '../../storage/postgres/connection/statement.ts';
import { inspectDatabase } from '../../storage/postgres/inspect.ts';
import { migratePlace, planMigration } from '../../storage/postgres/open-migrated.ts';
import { describeWithPostgres, emptyPlace, postgresPlace } from '../support/postgres-place.ts';
import { grantsOf, urlAs } from '../support/postgres-schema.ts';

describeWithPostgres('the role of a router', () => {
  test('reads and changes rows of all tables', async () => {
    await using place = await postgresPlace();
    expect(await inspectDatabase(place.url)).toMatchObject({ role: 'waybill_router', forbidden: [], routers: 0 });
  });

  test('is seen to make no tables, in a schema that is there and in one that is not', async () => {
    await using made = await postgresPlace();
    expect(await inspectDatabase(made.url)).toMatchObject({ mayMakeTables: false });
    await using place = await emptyPlace();
    expect(await inspectDatabase(urlAs('waybill_router', place.url))).toMatchObject({ mayMakeTables: false });
    await place.database.run(script(grantsOf(place.database.schema)));
    expect(await inspectDatabase(urlAs('waybill_owner', place.url))).toMatchObject({ mayMakeTables: true });
  });

  test.each([
    'DROP TABLE queue',
    'ALTER TABLE log ADD x int',
    'TRUNCATE messages',
    'CREATE TABLE x ()',
    'DROP FUNCTION now_ms',
  ])('may not %s', async (statement) => {
    await using place = await postgresPlace();
    await expect(place.database.run(script(statement))).rejects.toThrow('42501');
  });

  test('may not change the format, and is told who may', async () => {
    await using place = await emptyPlace();
    await place.database.run(script(grantsOf(place.database.schema)));
    const migrated = migratePlace(urlAs('waybill_router', place.url));
    await expect(migrated).rejects.toThrow(StorageUnusable);
    await expect(migrated).rejects.toThrow('run "waybill migrate" as the role that owns the schema');
  });

  test('is told to be granted the use of the schema', async () => {
    await using place = await emptyPlace();
    const { schema } = place.database;
    await place.database.run(script(`${grantsOf(schema)}; REVOKE USAGE ON SCHEMA ${schema} FROM waybill_router`));
    await expect(planMigration(urlAs('waybill_router', place.url))).rejects.toThrow('grant it USAGE on the schema');
  });

  test('that misses a table is found', async () => {
    await using place = await postgresPlace();
    await place.superuser.run(script('REVOKE DELETE ON queue FROM waybill_router'));
    expect((await inspectDatabase(place.url)).forbidden).toEqual(['queue']);
  });
});

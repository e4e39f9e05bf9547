import { expect, test } from 'vitest';
import { formatOf, migrateDatabase } from '../../storage/postgres/migrations/migrate.ts';
import { MIGRATIONS } from '../../storage/postgres/migrations/migrations.ts';
import { describeWithPostgres, emptyPlace } from '../support/postgres-place.ts';

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
    const done = await Promise.all([migrateDatabase(place.database), migrateDatabase(place.database)]);
    expect(done.flat()).toEqual(MIGRATIONS);
  });
});

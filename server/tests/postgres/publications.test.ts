import { expect, test } from 'vitest';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import { makeDays } from '../../storage/postgres/jobs/days.ts';
import { migrateDatabase } from '../../storage/postgres/migrations/migrate.ts';
import { describeWithPostgres, emptyPlace } from '../support/postgres-place.ts';
import type { PostgresPlace } from '../support/postgres-schema.ts';

const TABLES = reads(
  'logged_tables',
  `SELECT relname AS name FROM pg_class
   WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'p') AND relpersistence = 'p' ORDER BY relname`,
);

/** Those of which the server lets nobody delete a row. */
async function fixedTables({ superuser }: PostgresPlace): Promise<string[]> {
  const fixed: string[] = [];
  for (const { name } of await superuser.run<{ readonly name: string }>(TABLES, [superuser.schema])) {
    const isFixed = await superuser.run(script(`DELETE FROM "${name}" WHERE false`)).then(
      () => false,
      (error: unknown) => String(error).includes('replica identity'),
    );
    if (isFixed) fixed.push(name);
  }
  return fixed;
}

describeWithPostgres('a publication of all tables', () => {
  test('stops no step to a format, and no change of a row', async () => {
    await using place = await emptyPlace();
    const { superuser } = place;
    const { schema } = superuser;
    await superuser.run(
      script(`CREATE SCHEMA ${schema}; CREATE PUBLICATION p_${schema} FOR TABLES IN SCHEMA ${schema}`),
    );
    await migrateDatabase(superuser);
    await makeDays(superuser);
    const fixed = await fixedTables(place);
    await superuser.run(script('CREATE TABLE without_one (id integer)'));
    const found = await fixedTables(place);
    await superuser.run(script(`DROP PUBLICATION p_${schema}`));
    expect([fixed, found]).toEqual([[], ['without_one']]);
  });
});

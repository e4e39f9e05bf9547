import { expect, test } from 'vitest';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import { makeDays } from '../../storage/postgres/jobs/days.ts';
import { migrateDatabase } from '../../storage/postgres/migrations/migrate.ts';
import { describeWithPostgres, emptyPlace } from '../support/postgres-place.ts';
import type { PostgresPlace } from '../support/postgres-schema.ts';

/** Texts are compared by the library of the locale, unless their collation is C, or their operators are those of bytes. */
const SORTED_BY_LOCALE = reads(
  'sorted_by_locale',
  `SELECT i.indexrelid::regclass::text AS index FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid,
     unnest(i.indcollation::oid[], i.indclass::oid[]) part (collation_oid, class_oid)
     JOIN pg_collation l ON l.oid = collation_oid JOIN pg_opclass o ON o.oid = class_oid
   WHERE c.relnamespace = to_regnamespace($1) AND l.collname <> 'C' AND o.opcname <> 'text_pattern_ops' ORDER BY 1`,
);

async function sortedByLocale({ superuser }: PostgresPlace): Promise<string[]> {
  const rows = await superuser.run<{ readonly index: string }>(SORTED_BY_LOCALE, [superuser.schema]);
  return rows.map(({ index }) => index.split('.').at(-1) ?? '');
}

describeWithPostgres('the library that sorts the texts of a database', () => {
  test('may be another one: no index by which something is found once depends on it', async () => {
    await using place = await emptyPlace();
    await migrateDatabase(place.superuser);
    await makeDays(place.superuser);
    // A count that is not found is begun in another row.
    expect(await sortedByLocale(place)).toEqual(['counts_pkey']);
    await place.superuser.run(script('CREATE TABLE other (name text UNIQUE)'));
    expect(await sortedByLocale(place)).toEqual(['counts_pkey', 'other_name_key']);
  });
});

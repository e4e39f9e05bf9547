import { expect, test } from 'vitest';
import { reads } from '../../storage/postgres/connection/statement.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';
import type { PostgresPlace } from '../support/postgres-schema.ts';
import { MARK, POLL, storedUser } from '../support/stored-user.ts';

const TABLES = reads(
  '',
  `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`,
);

/** Tables of which a row, as text, has the mark; those of a day by what they are of. */
async function traces({ superuser }: PostgresPlace): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const { name } of await superuser.run<{ readonly name: string }>(TABLES)) {
    const marked = reads('', `SELECT FROM "${name}" t WHERE position($1 IN t::text) > 0 LIMIT 1`);
    if ((await superuser.run(marked, [MARK])).length > 0) found.add(name.replace(/_\d{4}_\d\d_\d\d$/, ''));
  }
  return [...found].toSorted();
}

describeWithPostgres('a user who is deleted', () => {
  test('AUD-9: is named by no row of any table, however many named that user before', async () => {
    await using place = await postgresPlace();
    const user = await storedUser(place.url);
    const named = 'anonymous log loss_items messages queue replay_jobs results told traits users'.split(' ');
    await expect.poll(() => traces(place), POLL).toEqual(named);
    await user.remove();
    expect(await traces(place)).toEqual([]);
  }, 120_000);
});

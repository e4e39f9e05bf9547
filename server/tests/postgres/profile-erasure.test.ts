import { expect, test } from 'vitest';
import { space } from '../conformance/profile-place.ts';
import type { Database, Queries } from '../../storage/postgres/connection/database.ts';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import { postgresProfiles } from '../../storage/postgres/profiles/profiles.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';

const SECONDS = 9;
const LEFT = reads('', 'SELECT value FROM users ORDER BY id');

/** The lock was there for long whenever that is asked; `looks` are the numbers of ids that were looked up at a time. */
function slow(database: Database, looks: number[]): Database {
  const slowly =
    (queries: Queries): Queries['run'] =>
    async (statement, values = []) => {
      if (statement.name === 'find_users') looks.push(Array.isArray(values[1]) ? values[1].length : 0);
      const rows = await queries.run<never>(statement, values);
      return statement.name === 'locked_for' ? rows.map((row) => Object.assign(row, { seconds: SECONDS })) : rows;
    };
  return {
    ...database,
    transaction: (work) => database.transaction((queries) => work({ ...queries, run: slowly(queries) })),
  };
}

describeWithPostgres('a deletion of very many users', () => {
  test('AUD-9: a step looks up no more of them than it has time to remove, and removes one at least', async () => {
    await using place = await postgresPlace();
    await place.superuser.run(
      script(`INSERT INTO spaces (name) VALUES ('${space().id}');
        INSERT INTO users (space, value) SELECT s.id, 'u' || n FROM spaces s, generate_series(1, 3) n`),
    );
    const looks: number[] = [];
    const profiles = postgresProfiles(slow(place.database, looks));
    const erased = (...userIds: readonly string[]) =>
      profiles.erase({ workspace: 'workspaces/main', userIds, spaces: async () => [] });
    const strangers = Array.from({ length: 2_400 }, (_one, index) => `stranger ${index}`);
    expect(await erased('u1', ...strangers, 'u2')).toEqual({
      unasked: [],
      isMore: true,
      tookMs: 1_000 * SECONDS,
      refusedIds: 0,
      undecided: [],
    });
    expect(looks).toEqual([1_000]);
    expect(await erased(...strangers, 'u2', 'u3')).toMatchObject({ isMore: true });
    expect(looks).toEqual([1_000, 1_000, 1_000, 402]);
    expect(await place.superuser.run(LEFT)).toHaveLength(1);
    expect(await erased(...strangers, 'u2', 'u3')).toMatchObject({ isMore: false });
    expect(await place.superuser.run(LEFT)).toEqual([]);
  });
});

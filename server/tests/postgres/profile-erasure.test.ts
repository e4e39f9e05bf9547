import { expect, test } from 'vitest';
import { space } from '../conformance/profile-place.ts';
import type { Database, Queries } from '../../storage/postgres/connection/database.ts';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import { postgresProfiles } from '../../storage/postgres/profiles/profiles.ts';
import { explained } from '../support/plan-rows.ts';
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

/** How many rows each statement that removes counts has looked at. */
function looking(database: Database, looks: Map<string, number>): Database {
  const onLook = (name: string, rows: number): void => {
    if (/_(amounts|counted_values|ends)$/.test(name)) looks.set(name, (looks.get(name) ?? 0) + rows);
  };
  return { ...database, transaction: (work) => database.transaction((queries) => work(explained(queries, onLook))) };
}

describeWithPostgres('a deletion of one user beside very many counts', () => {
  test.each([
    ['350 days', 'generate_series(20001, 20350)', 2 * 350],
    ['two days that are far apart', 'unnest(ARRAY[-719162, 20000])', 30],
  ])('AUD-9: %s in which others have counts are looked at a few times each', async (_days, days, atMost) => {
    await using place = await postgresPlace();
    await place.superuser.run(
      script(`INSERT INTO spaces (name) VALUES ('${space().id}'); INSERT INTO measures (space, name) VALUES (1, 'm');
        INSERT INTO users (space, value) VALUES (1, 'ada'), (1, 'bob');
        INSERT INTO amounts (measure, day, holder, hour, events, numbers, total) SELECT 1, day, holder, 24 * day, 1, 0, 0
          FROM ${days} day, generate_series(2, 101) holder`),
    );
    const looks = new Map<string, number>();
    const profiles = postgresProfiles(looking(place.database, looks));
    await profiles.erase({ workspace: 'workspaces/main', userIds: ['ada'], spaces: async () => [] });
    expect(looks.get('erase_amounts')).toBeLessThan(atMost);
  });

  test('AUD-9: looks at each count some times, those of its own devices too, and for none of another kind', async () => {
    await using place = await postgresPlace();
    const [days, hours] = [600, 24];
    // Of the user 1, of its own device, and of another user.
    await place.superuser.run(
      script(`INSERT INTO spaces (name) VALUES ('${space().id}');
        INSERT INTO measures (space, name) SELECT 1, 'm' || n FROM generate_series(1, 3) n;
        INSERT INTO users (space, value) VALUES (1, 'ada'), (1, 'bob');
        INSERT INTO anonymous (space, value) VALUES (1, 'phone');
        INSERT INTO links (anonymous, hour, at, owner) VALUES (-1, 24, 1, 1);
        INSERT INTO amounts (measure, day, holder, hour, events, numbers, total)
          SELECT 2, day, holder, 24 * day + hour, 1, 0, 0
          FROM generate_series(1, ${days}) day, generate_series(0, ${hours - 1}) hour, unnest(ARRAY[1, -1, 2]) holder`),
    );
    const looks = new Map<string, number>();
    const profiles = postgresProfiles(looking(place.database, looks));
    const erased = await profiles.erase({ workspace: 'workspaces/main', userIds: ['ada'], spaces: async () => [] });
    expect(erased).toMatchObject({ isMore: false });
    const tiles = 2 * days * hours;
    expect(looks.get('erase_amounts')).toBeLessThan(6 * tiles);
    expect([...looks.keys()].filter((name) => name.startsWith('erase'))).toEqual(['erase_amounts']);
    const left = reads('', 'SELECT holder, count(*) AS tiles FROM amounts GROUP BY holder');
    expect(await place.superuser.run(left)).toEqual([{ holder: 2, tiles: days * hours }]);
  });
});

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

import { expect, test } from 'vitest';
import { space, T } from '../conformance/profile-place.ts';
import type { Database, Queries } from '../../storage/postgres/connection/database.ts';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import { postgresProfiles } from '../../storage/postgres/profiles/profiles.ts';
import { manyProfiles } from '../support/many-profiles.ts';
import { explained } from '../support/plan-rows.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';
import type { PostgresPlace } from '../support/postgres-schema.ts';

const SECONDS = 9;
const LEFT = reads('', 'SELECT value FROM users ORDER BY id');

interface Answered {
  readonly statement: string;
  readonly values: readonly unknown[];
  /** May be changed. */
  readonly rows: readonly object[];
}

/** Tells of each answer within its transactions. */
function told(database: Database, onAnswer: (answered: Answered) => void): Database {
  const telling = (queries: Queries): Queries => ({
    async run(statement, values = []) {
      const rows = await queries.run<never>(statement, values);
      onAnswer({ statement: statement.name, values, rows });
      return rows;
    },
  });
  return { ...database, transaction: (work) => database.transaction((queries) => work(telling(queries))) };
}

/** The lock was there for so long whenever that is asked. */
function held({ statement, rows }: Answered, seconds: number): void {
  if (statement === 'locked_for') for (const row of rows) Object.assign(row, { seconds });
}

/** The lock was there for long; `looks` are the numbers of ids that were looked up at a time. */
function slow(database: Database, looks: number[]): Database {
  return told(database, (answered) => {
    const { statement, values } = answered;
    if (statement === 'find_users') looks.push(Array.isArray(values[1]) ? values[1].length : 0);
    held(answered, SECONDS);
  });
}

/** A moment passes between two looks at the clock, and each part that is removed came to its end at a time. */
function quick(database: Database, endsAt: () => number, lots: number[] = []): Database {
  let seconds = 0;
  return told(database, (answered) => {
    const { statement, values, rows } = answered;
    held(answered, (seconds += 0.0001));
    if (/^erase_(shared_)?[a-z_]+$/.test(statement)) for (const row of rows) Object.assign(row, { at: endsAt() });
    if (statement === 'erase_ids_users') lots.push(String(values[0]).split(',').length);
  });
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
    ['730 days', 'generate_series(20001, 20730)', 2 * 730],
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
      next: '0',
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

const MANY = 80;
/** Of each table that has something of profiles, all rows. */
const ALL = reads(
  '',
  'amounts counted_values ends traits links users moved anonymous'
    .split(' ')
    .map((table) => `SELECT '${table}' AS name, t::text AS row FROM ${table} t`)
    .join(' UNION ALL ') + ' ORDER BY 1, 2',
);

/** Profiles of two hours, each of three ids; of their devices, some were seen with several of them. */
async function manyStored(): Promise<PostgresPlace> {
  const place = await postgresPlace();
  await place.superuser.run(
    script(`${manyProfiles(MANY)}
      INSERT INTO links SELECT -n, ${T} - 10, 0, 1 + (n + 30) % ${MANY} FROM generate_series(2, ${MANY}, 4) n;`),
  );
  return place;
}

/** Until nothing of them is left. */
async function eraseAll(database: Database, users: readonly string[]): Promise<void> {
  const profiles = postgresProfiles(database);
  const userIds = [...users];
  for (;;) {
    const { unasked, isMore } = await profiles.erase({ workspace: 'workspaces/main', userIds, spaces: async () => [] });
    userIds.push(...unasked);
    if (unasked.length === 0 && !isMore) return;
  }
}

describeWithPostgres('a deletion of many users who did little', () => {
  const gone = Array.from({ length: 60 }, (_one, index) => `user ${index + 1}`);

  test('AUD-9: removes twice as many together as before, and what one after the other would remove', async () => {
    await using together = await manyStored();
    await using single = await manyStored();
    const lots: number[] = [];
    await eraseAll(
      quick(together.database, () => 0, lots),
      gone,
    );
    expect(lots).toEqual([1, 2, 4, 8, 16, 29].map((count) => 3 * count));
    for (const user of gone) await eraseAll(single.database, [user]);
    expect(await together.superuser.run(ALL)).toEqual(await single.superuser.run(ALL));
  });

  test('AUD-9: leaves those whole for whom there was no time, and goes on with one of them', async () => {
    await using place = await manyStored();
    const userIds = gone.flatMap((user, n) => [user, `before ${n === 0 ? 2 * MANY : n}`, `before ${n + MANY}`]);
    // None is in time but the first, which is removed however long it takes.
    const profiles = postgresProfiles(quick(place.database, () => Infinity));
    for (const removed of [1, 2]) {
      const erased = await profiles.erase({ workspace: 'workspaces/main', userIds, spaces: async () => [] });
      expect(erased).toMatchObject({ unasked: [], isMore: true });
      await using other = await manyStored();
      await eraseAll(other.database, gone.slice(0, removed));
      expect(await place.superuser.run(ALL)).toEqual(await other.superuser.run(ALL));
    }
  });
});

describeWithPostgres('a deletion of a user whose devices said very much', () => {
  test('AUD-9: removes a part after the other, so that no statement takes too long', async () => {
    await using place = await postgresPlace();
    const [most, hours] = [20_000, 21_000];
    await place.superuser.run(
      script(`INSERT INTO spaces (name) VALUES ('${space().id}'); INSERT INTO trait_names (space, name) VALUES (1, 'plan');
        INSERT INTO users (space, value) VALUES (1, 'ada'), (1, 'bob');
        INSERT INTO anonymous (space, value) VALUES (1, 'own'), (1, 'shared');
        INSERT INTO links SELECT device, hour, 1, 1 FROM generate_series(1, ${hours}) hour, unnest(ARRAY[-1, -2]) device;
        INSERT INTO links VALUES (-2, 0, 1, 2);
        INSERT INTO traits (name, holder, hour, at, value) SELECT 1, device, hour, 1, '1'
          FROM generate_series(0, ${hours}) hour, unnest(ARRAY[-1, -2]) device;`),
    );
    const parts = new Map<string, number[]>();
    const database = told(place.database, ({ statement, rows }) => {
      for (const row of rows)
        if ('gone' in row) parts.set(statement, [...(parts.get(statement) ?? []), Number(row.gone)]);
    });
    await eraseAll(database, ['ada']);
    expect([...parts]).toEqual([
      ['erase_traits', [most, 1_001]],
      ['erase_shared_traits', [most, 1_000]],
      ['erase_links', [most, most, 2_000]],
    ]);
    expect(await place.superuser.run(reads('', 'SELECT holder, hour FROM traits'))).toEqual([{ holder: -2, hour: 0 }]);
  });
});

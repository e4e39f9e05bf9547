import { expect, test } from 'vitest';
import type { Aggregate, Plan } from '../../audiences/plan.ts';
import type { Database, Queries } from '../../storage/postgres/connection/database.ts';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import { addCounts } from '../../storage/postgres/log/add-counts.ts';
import { Names } from '../../storage/postgres/names.ts';
import { oldestCaught } from '../../storage/postgres/profiles/oldest-caught.ts';
import { postgresProfiles } from '../../storage/postgres/profiles/profiles.ts';
import { syncVerbs } from '../../storage/postgres/tellings/syncs.ts';
import { EVERYBODY, measured, not, space, where } from '../conformance/profile-place.ts';
import { AMOUNTS, ENDS, manyProfiles, VALUES } from '../support/many-profiles.ts';
import { explained, type OnLook } from '../support/plan-rows.ts';
import { jobsOf } from '../support/postgres-jobs.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';

const PRO: Plan = { kind: 'trait', name: 'plan', is: { eq: 'pro' } };
const COUNT = where(measured(AMOUNTS, 'count', 'zero'), { gte: 1 });

/** One of the conditions is on a list that is as long as there are users. */
function plansOf(users: number): Readonly<Record<string, Plan>> {
  const values = Array.from({ length: users }, (_, index) => `plan ${index}`);
  return {
    everybody: EVERYBODY,
    trait: PRO,
    'no trait': not(PRO),
    'all of two': { kind: 'all', of: [PRO, COUNT] },
    'any of two': { kind: 'any', of: [PRO, not(COUNT)] },
    'one of many values': { kind: 'trait', name: 'plan', is: { in: values } },
  };
}

const AGGREGATES: readonly (readonly [Aggregate, typeof AMOUNTS])[] = [
  ...(['count', 'sum'] as const).map((one) => [one, AMOUNTS] as const),
  ...(['distinct', 'list'] as const).map((one) => [one, VALUES] as const),
  ...(['last'] as const).map((one) => [one, ENDS] as const),
];

/** What four times as many users may cost: four times as much, and a little. */
const GROWTH = 6;

describeWithPostgres('runs over many profiles', () => {
  test.each([
    ['no statistics', ''],
    ['those of now', 'ANALYZE users, moved, links, traits, amounts, counted_values, ends'],
  ])(
    'AUD-4: with %s, runs over four times as many users look at four times as many rows',
    async (_, analyze) => {
      const [few, many] = [await looksOf(300, analyze), await looksOf(1_200, analyze)];
      const grown = [...many].map(([of, rows]) => [of, rows / (few.get(of) ?? 0)] as const);
      expect(grown.map(([of]) => of)).toContain('trait 2: the definition');
      expect(grown.filter(([, times]) => times > GROWTH)).toEqual([]);
    },
    120_000,
  );

  test('AUD-4: the open syncs of four times as many computations are all found, by looking at four times as many rows', async () => {
    const [few, many] = [await openSyncsOf(300), await openSyncsOf(1_200)];
    expect([few.found, many.found]).toEqual([300, 1_200]);
    expect(many.rows / few.rows).toBeLessThan(GROWTH);
  }, 60_000);

  test.each([
    ['in turn', 'n % 300'],
    ['nearly all by one', 'CASE WHEN n % 300 < 250 THEN 0 ELSE n % 300 END'],
    ['one after the other', 'n / 100'],
  ])('SAFE-2: what 300 sources caught %s is found in its order, by a look at some times as much', async (_, source) => {
    await using place = await postgresPlace();
    const caught = `SELECT id, '{}' FROM generate_series(0, 29999) n JOIN names ON name = 'workspaces/w/sources/s' || (${source}) ORDER BY n`;
    await place.superuser.run(
      script(`INSERT INTO names (name) SELECT 'workspaces/w/sources/s' || n FROM generate_series(0, 299) n;
        INSERT INTO inbox (source, caught) ${caught}; ANALYZE inbox`),
    );
    const all = await place.superuser.run<{ readonly id: number }>(reads('', 'SELECT id FROM inbox ORDER BY id'));
    const [part, first] = [
      { workspace: 'workspaces/w', upTo: all[20_000]?.id },
      all.slice(0, 1_000).map(({ id }) => ({ id, workspace: 'workspaces/w' })),
    ];
    let rows = 0;
    const found = await place.database.transaction((queries) =>
      oldestCaught(
        explained(queries, (_name, looked) => (rows += looked)),
        part,
        1_000,
      ),
    );
    expect(found).toEqual(first);
    expect(rows).toBeLessThan(20_000);
    expect(await oldestCaught(place.database, { ...part, upTo: first[1]?.id }, 1_000)).toEqual(first.slice(0, 2));
  });

  test('SAFE-2: what sources caught is found by a look at as much, however many destinations they had', async () => {
    const [few, many] = [await caughtBeside(30), await caughtBeside(3_000)];
    expect([few.caught, many]).toEqual([2, few]);
  });

  test('SAFE-2: what was told of a user is removed in steps that look at as much, however many audiences its workspace had', async () => {
    expect(await toldErasedBeside(3_000)).toBe(await toldErasedBeside(2_000));
  }, 30_000);

  test('D-31: four times as many counts are added by looking at four times as many rows', async () => {
    const [few, many] = [await countsOf(200), await countsOf(800)];
    expect([few.counts, many.counts]).toEqual([200, 800]);
    expect(many.rows / few.rows).toBeLessThan(GROWTH);
  }, 60_000);

  test('a statement that compares all with all is found', async () => {
    const compare = reads(
      '',
      `WITH one AS MATERIALIZED (SELECT id FROM users), other AS MATERIALIZED (SELECT id FROM users)
       SELECT id FROM one WHERE NOT EXISTS (SELECT FROM other WHERE other.id = one.id)`,
    );
    const [few, many] = await Promise.all(
      [200, 800].map((users) => looksWith(users, (queries) => queries.run(compare))),
    );
    expect((many ?? 0) / (few ?? 1)).toBeGreaterThan(GROWTH);
  });
});

async function looksWith(users: number, work: (queries: Queries) => Promise<unknown>): Promise<number> {
  await using place = await postgresPlace();
  await place.superuser.run(script(manyProfiles(users)));
  let most = 0;
  await place.database.patient.transaction((queries) =>
    work(
      explained(queries, (_, rows) => {
        most = Math.max(most, rows);
      }),
    ),
  );
  return most;
}

/** Of two sources of which one had so many destinations: how much of what they caught is found, and how many rows are looked at. */
async function caughtBeside(destinations: number): Promise<{ readonly caught: number; readonly rows: number }> {
  await using place = await postgresPlace();
  // Names that could be taken for parts of others.
  const workspace = 'workspaces/destinations';
  const source = `${workspace}/sources/destinations`;
  await place.superuser.run(
    script(`INSERT INTO names (name) VALUES ('${source}'), ('${source}0');
      INSERT INTO names (name) SELECT '${source}/destinations/' || n FROM generate_series(1, ${destinations}) n;
      INSERT INTO inbox (source, caught) SELECT id, '{}' FROM names WHERE id <= 2`),
  );
  let rows = 0;
  const caught = await place.database.transaction((queries) =>
    oldestCaught(
      explained(queries, (_name, looked) => (rows += looked)),
      { workspace },
      9,
    ),
  );
  return { caught: caught.length, rows };
}

/** Of a workspace that had so many audiences, the last of which told two destinations something: how many rows a step looks at. */
async function toldErasedBeside(audiences: number): Promise<number> {
  await using place = await postgresPlace();
  const scope = 'workspaces/w';
  await place.superuser.run(
    script(`INSERT INTO names (name) SELECT '${scope}/audiences/' || n FROM generate_series(1, ${audiences}) n;
      INSERT INTO names (name) VALUES ('${scope}/audiences/x'), ('${scope}/computed-traits/x');
      INSERT INTO told SELECT id, destination, 'ada', 'true', 1, 1, 0 FROM names, generate_series(1, 2) destination WHERE name LIKE '%/x'`),
  );
  let [most, after]: [number, string | undefined] = [0, undefined];
  do {
    const counting = countingTransactions(place.database, 'next_told');
    ({ next: after } = await jobsOf(counting.database).eraseUsers({
      scope,
      userIds: ['ada'],
      now: 1,
      limit: 9,
      after,
    }));
    most = Math.max(most, counting.rows());
  } while (after?.startsWith('told') === true);
  expect(await place.superuser.run(reads('', 'SELECT computation FROM told'))).toEqual([]);
  return most;
}

/** The last syncs of computations that have five each: how many are found, and how many rows are looked at. */
async function openSyncsOf(computations: number): Promise<{ readonly found: number; readonly rows: number }> {
  await using place = await postgresPlace();
  await place.superuser.run(
    script(`INSERT INTO names (name) SELECT 'workspaces/main/audiences/' || n FROM generate_series(1, ${computations}) n;
      INSERT INTO syncs SELECT id, n, 'DONE', 1, 1, NULL, '{"destinations":[]}', 0, 0, 0, 0, 0, 0
      FROM names, generate_series(1, 5) n`),
  );
  const counting = countingRows(place.database);
  const open = await syncVerbs({ database: counting.database, names: new Names(place.database) }).openSyncs();
  return { found: new Set(open.map(({ computation }) => computation)).size, rows: counting.rows() };
}

/** So many counts, each of another source: how many are answered, and how many rows are looked at. */
async function countsOf(sources: number): Promise<{ readonly counts: number; readonly rows: number }> {
  await using place = await postgresPlace();
  const counting = countingRows(place.database);
  const add = addCounts(counting.database, new Names(place.database));
  const additions = Array.from({ length: sources }, (_, n) => ({ of: `source ${n}`, hour: 0, what: 'x', count: n }));
  await add(additions);
  const counts = await add(additions);
  expect(counts).toEqual(additions.map(({ count }) => 2 * count));
  return { counts: counts.length, rows: counting.rows() };
}

/** The same database, which counts the rows that statements outside of transactions look at. */
function countingRows(database: Database): { readonly database: Database; readonly rows: () => number } {
  let rows = 0;
  const run: Database['run'] = (statement, values) =>
    database.transaction((queries) => explained(queries, (_, looks) => (rows += looks)).run(statement, values));
  return { database: { ...database, run }, rows: () => rows };
}

/** The same database, which counts the rows that a statement within transactions looks at. */
function countingTransactions(database: Database, statement: string): ReturnType<typeof countingRows> {
  let rows = 0;
  const count: OnLook = (name, looks) => (rows += name === statement ? looks : 0);
  const transaction: Database['transaction'] = (work) =>
    database.transaction((queries) => work(explained(queries, count)));
  return { database: { ...database, transaction }, rows: () => rows };
}

/** How many rows each run and preview looks at, by statement. */
async function looksOf(users: number, analyze: string): Promise<ReadonlyMap<string, number>> {
  await using place = await postgresPlace();
  await place.superuser.run(script(manyProfiles(users)));
  await place.superuser.run(script(analyze));
  const looks = new Map<string, number>();
  let of = '';
  const profiles = postgresProfiles(
    explaining(place.database, (statement, rows) => looks.set(`${of}: ${statement}`, rows)),
  );
  const { id } = space();
  for (const [name, members] of Object.entries(plansOf(users))) {
    of = `preview of ${name}`;
    await profiles.preview({ space: id, members, sample: 9 });
    // All enter, stay, and leave.
    for (const [index, plan] of [members, members, not(members)].entries()) {
      of = `${name} ${index + 1}`;
      await profiles.compute({ space: id, computation: name, run: index + 1, of: { members: plan } });
    }
  }
  for (const [aggregate, values] of AGGREGATES) {
    of = aggregate;
    await profiles.compute({ space: id, computation: of, run: 1, of: { values: measured(values, aggregate) } });
  }
  return looks;
}

/** The same database, which says of each statement of its patient how many rows it looks at. */
function explaining(database: Database, onLook: OnLook): Database {
  const { patient } = database;
  return {
    ...database,
    patient: {
      ...patient,
      transaction: (work) => patient.transaction((queries) => work(explained(queries, onLook))),
    },
  };
}

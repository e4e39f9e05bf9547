import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliveryId } from '../../model/delivery.ts';
import type { Database } from '../../storage/postgres/connection/database.ts';
import { script } from '../../storage/postgres/connection/statement.ts';
import { makeDays } from '../../storage/postgres/jobs/days.ts';
import { logOperations } from '../../storage/postgres/log/log-operations.ts';
import { allSteps, type Asked, planOf, type PlanStep, recorded } from '../support/plans.ts';
import { jobsOf } from '../support/postgres-jobs.ts';
import { describeWithPostgres, type PostgresPlace, postgresPlace } from '../support/postgres-place.ts';
import { momentAt } from '../support/still-clock.ts';
import { DESTINATION, storeRows } from '../support/stored-rows.ts';

/** What is never read from one end to the other. */
const LARGE = /^(messages|log|attempts)_|^(queue|counts|commits|replays)$/;
/** Statements that call functions alone. */
const FUNCTIONS = ['drop_day', 'make_days', 'pause'];
const DAY_MS = 86_400_000;

/** Each statement of the log and of jobs. */
async function askAll(place: PostgresPlace): Promise<readonly Asked[]> {
  const { database, asked } = recorded(place.database);
  const [log, jobs] = [logOperations({ database, time: { fromDatabase: (at) => at } }), jobsOf(database)];
  const delivery = deliveryId(String(await storeRows(place.database, { table: 'log', count: 20, from: 0 })));
  const of = { destination: DESTINATION, delivery };
  await log.list({ destination: DESTINATION, filter: {}, limit: 10 });
  await log.read(of);
  await log.counts({ destination: DESTINATION, from: 0, to: DAY_MS });
  await jobs.leaseJob({ job: 'purge', forMs: 1 });
  await jobs.replay({ ...of, at: momentAt(1) });
  const wanted = { destination: DESTINATION, filter: {}, dryRun: false, perSecond: 1, createdAt: 1 };
  const replay = await jobs.createReplay(wanted);
  await jobs.getReplay(replay);
  await jobs.listReplays({ destination: DESTINATION, after: 0, limit: 10 });
  await jobs.runningReplays();
  await jobs.stepReplay({ replay: replay.id, at: momentAt(1), limit: 5, waitingLimit: 9_999 });
  await jobs.cancelReplay({ ...replay, now: 1 });
  // One that is purged while the database itself still looks for its ids.
  await place.database.run(
    script("INSERT INTO commits (id, at, fingerprints) VALUES (0, now_ms(), '\\x000102030405060708090a0b')"),
  );
  await jobs.purge({ endedBefore: DAY_MS, seenBefore: Number.MAX_SAFE_INTEGER, limit: 5 });
  await jobs.eraseUsers({ scope: 'workspaces/main', userIds: ['ada'], now: 1, limit: 5 });
  return [...asked.values()];
}

/** Much in every large table. */
async function fill(database: Database): Promise<void> {
  for (const table of ['log', 'queue', 'tries'] as const)
    await storeRows(database, { table, count: 5_000, from: { log: 100_000, queue: 200_000, tries: 300_000 }[table] });
  await database.run(
    script(`INSERT INTO attempts (delivery, round, number, started_at, webhook, duration_ms, outcome, excerpt, rule)
        SELECT id, 1, 0, 1, '', 1, '', '', '' FROM log;
      INSERT INTO replays SELECT id, 1, 1 FROM log;
      INSERT INTO counts SELECT hour, 1, what::text, 1, 1 FROM generate_series(1, 500) hour, generate_series(1, 10) what;
      INSERT INTO commits (id, at, fingerprints) SELECT n, 1, '' FROM generate_series(1, 5000) n`),
  );
}

/** The plan without what it says of small tables, which are read in any way. */
function largeOf(plan: PlanStep | undefined): PlanStep | undefined {
  if (plan === undefined) return undefined;
  const steps = plan.steps.flatMap((step) => largeOf(step) ?? []);
  const isSmall = plan.table !== undefined && !LARGE.test(plan.table);
  return isSmall ? { ...plan, does: 'Scan', index: undefined, steps } : { ...plan, steps };
}

/** Names of the statements in these folders. */
function written(): readonly string[] {
  const texts = globSync('server/storage/postgres/{log,jobs}/*.ts').map((file) => readFileSync(file, 'utf8'));
  return texts.flatMap((text) => [...text.matchAll(/(?:reads|writes)\(\s*'([a-z_]+)'/g)].map(([, name = '']) => name));
}

describeWithPostgres('plans of the log and of jobs', () => {
  let place: PostgresPlace;
  let asked: readonly Asked[];
  const plans: Record<string, Map<string, PlanStep>> = {};

  const planAll = async (when: string): Promise<void> => {
    const made = new Map<string, PlanStep>();
    for (const one of asked) made.set(one.statement.name, await planOf(place.url, one));
    plans[when] = made;
  };

  beforeAll(async () => {
    place = await postgresPlace();
    const { database } = place;
    await makeDays(database);
    asked = await askAll(place);
    await planAll('empty');
    await place.superuser.run(script('ANALYZE'));
    await fill(database);
    await planAll('stale');
    await place.superuser.run(script('ANALYZE'));
    await planAll('fresh');
  }, 60_000);

  afterAll(async () => place[Symbol.asyncDispose]());

  test.each(['empty', 'stale', 'fresh'])('no large table is read whole with %s statistics', (when) => {
    const scanned = [...(plans[when] ?? [])].flatMap(([name, plan]) =>
      allSteps(plan)
        .filter(({ does, table = '' }) => /^(Seq|Bitmap Heap) Scan$/.test(does) && LARGE.test(table))
        .map(({ does, table }) => `${name}: ${does} of ${table}`),
    );
    expect(scanned).toEqual([]);
  });

  test.each(['stale', 'fresh'])('plans with %s statistics are those of an empty database', (when) => {
    for (const [name, plan] of plans[when] ?? [])
      expect([name, largeOf(plan)]).toEqual([name, largeOf(plans['empty']?.get(name))]);
  });

  test('each statement that reads or changes rows is among them', () => {
    const names = new Set(asked.map(({ statement }) => statement.name));
    expect(
      written()
        .filter((name) => !names.has(name))
        .toSorted(),
    ).toEqual(FUNCTIONS);
  });
});

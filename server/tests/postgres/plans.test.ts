import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../storage/postgres/connection/database.ts';
import { script, type Statement } from '../../storage/postgres/connection/statement.ts';
import { makeDays } from '../../storage/postgres/jobs/days.ts';
import { type EngineStatements, engineStatements } from '../support/engine-statements.ts';
import { plansOf, type PlanStep } from '../support/plans.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';
import type { PostgresPlace } from '../support/postgres-schema.ts';
import { analyze, withoutAutovacuum } from '../support/statistics.ts';
import { storeRows } from '../support/stored-rows.ts';

/** What is never read from one end to the other; `tries` has only what routers have in flight. */
const LARGE =
  /^(messages|log|attempts)_\d|^seen_\d$|^(queue|counts|commits|replays|names|resources|config_changes|rates|used_ids|loss_counts|loss_items|inbox|told|tellings|replay_jobs)$/;
/** Statements that are meant to go through a whole table, each with the reason. */
const WHOLE: Readonly<Record<string, string>> = {
  count_outdated: 'it counts what is to be encrypted anew, once at each start with keys',
  sealed_rows: 'it is asked by the doctor alone',
};
/** Indexes of few rows of a large table, whole or not. */
const SMALL = ['replay_jobs_running'];
/** What a plan can be asked of. */
const PLANNED = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;

describeWithPostgres('plans of all statements of the engine', () => {
  let place: PostgresPlace;
  let statements: EngineStatements;
  const plans: Record<string, ReadonlyMap<string, PlanStep>> = {};

  beforeAll(async () => {
    place = await postgresPlace();
    statements = engineStatements();
    await makeDays(place.database);
    await withoutAutovacuum(place.superuser);
    const planned = statements.made.filter(isPlanned);
    plans['empty'] = await plansOf(place.url, planned);
    await analyze(place.superuser);
    await fill(place.superuser);
    plans['stale'] = await plansOf(place.url, planned);
    await analyze(place.superuser);
    plans['fresh'] = await plansOf(place.url, planned);
  });

  afterAll(async () => place[Symbol.asyncDispose]());

  test('every statement is known, by a name of its own', () => {
    const made = statements.made.map(({ name }) => name);
    expect(statements.named.filter((name) => !made.includes(name))).toEqual([]);
    expect(made.filter((name, index) => made.indexOf(name) !== index)).toEqual([]);
  });

  test.each(['empty', 'stale', 'fresh'])('with %s statistics none reads a large table whole', (when) => {
    const scanned = [...(plans[when] ?? [])].flatMap(([name, plan]) =>
      name in WHOLE ? [] : scansOf(plan).map((table) => `${name}: ${table}`),
    );
    expect(scanned).toEqual([]);
  });

  test.each(['stale', 'fresh'])('with %s statistics they are those of an empty database', (when) => {
    for (const [name, plan] of plans[when] ?? [])
      expect([name, accessesOf(plan)]).toEqual([name, accessesOf(plans['empty']?.get(name))]);
  });

  test.each([
    ['SELECT id FROM queue WHERE user_id = $1', ['queue']],
    ['SELECT id FROM queue WHERE user_id = $1 ORDER BY id', ['queue']],
    ['SELECT id FROM queue WHERE id = $1', []],
    ['SELECT id FROM queue ORDER BY id LIMIT $1', []],
  ])('of %s, these tables are found to be read whole: %j', async (text, tables) => {
    const [plan] = (await plansOf(place.url, [{ name: 'twin', text, access: 'read' }])).values();
    expect(plan && scansOf(plan)).toEqual(tables);
  });
});

function isPlanned({ text }: Statement): boolean {
  return PLANNED.test(text);
}

/** Large tables that a plan reads from one end to the other, by an index or not. What stands below a limit may end early. */
function scansOf(plan: PlanStep): readonly string[] {
  const { does, table = '', index = '', isBounded } = plan;
  if (does === 'Limit') return plan.steps.flatMap(({ steps }) => steps).flatMap(scansOf);
  const isWhole =
    /^(Seq|Bitmap Heap|Index|Index Only) Scan$/.test(does) && LARGE.test(table) && !isBounded && !SMALL.includes(index);
  return [...(isWhole ? [table] : []), ...plan.steps.flatMap(scansOf)];
}

/** How a plan reaches the rows of large tables; small ones are read in any way. */
function accessesOf(plan: PlanStep | undefined): readonly string[] {
  if (plan === undefined) return [];
  const { does, table = '', index, isBounded } = plan;
  const own = LARGE.test(table) ? [`${does} ${table} ${index ?? ''} ${isBounded ? 'in part' : 'whole'}`] : [];
  return [...own, ...plan.steps.flatMap(accessesOf)].toSorted();
}

async function fill(database: Database): Promise<void> {
  for (const table of ['log', 'queue', 'tries'] as const)
    await storeRows(database, { table, count: 5_000, from: { log: 100_000, queue: 200_000, tries: 300_000 }[table] });
  await database.run(
    script(`INSERT INTO attempts (delivery, round, number, started_at, webhook, duration_ms, outcome, excerpt, rule)
        SELECT id, 1, 0, 1, '', 1, '', '', '' FROM log;
      INSERT INTO replays SELECT id, 1, 1 FROM log;
      INSERT INTO counts SELECT hour, 1, what::text, 1, 1 FROM generate_series(1, 500) hour, generate_series(1, 10) what;
      INSERT INTO commits (id, at, fingerprints) SELECT n, 1, '' FROM generate_series(1, 5000) n;
      INSERT INTO names (name) SELECT 'name ' || n FROM generate_series(1, 5000) n;
      INSERT INTO seen SELECT n % 3, decode(md5(n::text), 'hex') FROM generate_series(1, 15000) n;
      INSERT INTO used_ids SELECT 'owner ' || n % 10, decode(md5(n::text), 'hex'), n FROM generate_series(1, 5000) n;
      INSERT INTO rates SELECT 'key ' || n, 1, n FROM generate_series(1, 5000) n;
      INSERT INTO loss_counts SELECT 'owner ' || n % 10, 'dropped', n, '', '', 1, 1, 1 FROM generate_series(1, 5000) n;
      INSERT INTO loss_items (owner, list, at, item) SELECT 'owner ' || n % 10, 'dropped', n, '' FROM generate_series(1, 5000) n;
      INSERT INTO replay_jobs (destination, state, filter, dry_run, per_second, created_at, examined, matched, at_received, at_id)
        SELECT n % 50, 'finished', '{}', false, 1, 1, 1, 1, 1, 1 FROM generate_series(1, 5000) n;
      INSERT INTO inbox (source, caught) SELECT 1, '{}' FROM generate_series(1, 5000) n;
      INSERT INTO syncs SELECT n % 5, n, 'DONE', 1, 1, NULL, '{}', 0, 0, 0, 0, 0, 0 FROM generate_series(1, 500) n;
      INSERT INTO told SELECT n % 5, n % 3, 'user ' || n, 'true', 1, n, 0 FROM generate_series(1, 15000) n;
      INSERT INTO tellings SELECT n, n % 5, n FROM generate_series(1, 5000) n;
      INSERT INTO resources SELECT 'name ' || n, 'sources', 'home ' || n % 50, n, '{}' FROM generate_series(1, 5000) n;
      INSERT INTO config_changes SELECT n, 1, gen_random_uuid(), 'home', 'sources', 'name ' || n FROM generate_series(1, 5000) n`),
  );
}

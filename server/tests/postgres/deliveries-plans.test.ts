import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OutcomeUnknown } from '../../storage/errors.ts';
import { createWaitingQueues } from '../../delivery/waiting-queues.ts';
import { NO_SHARE } from '../../storage/members.ts';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { openDatabase } from '../../storage/postgres/connection/database.ts';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import { openPostgresStorage } from '../../storage/postgres/open-postgres-storage.ts';
import { eachPart, inPart } from '../../storage/postgres/parts.ts';
import { systemClock } from '../../system-clock.ts';
import { A, accepted, B, firstOf, NOW, postponed, recordOf, unfinished } from '../conformance/delivery-store-events.ts';
import { ATTEMPT } from '../conformance/log-facts.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { batchOf } from '../support/memory-storage.ts';
import { allSteps, type Asked, planOf, type PlanStep, recorded } from '../support/plans.ts';
import { losingAnswers } from '../support/postgres-nodes.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';
import type { PostgresPlace } from '../support/postgres-schema.ts';
import { analyze, withoutAutovacuum } from '../support/statistics.ts';
import { storeRows } from '../support/stored-rows.ts';

const COUNT_PART = reads('test_part', `SELECT count(*) AS count FROM queue WHERE ${inPart(1)}`);

/** What is not read from one end to the other. */
const LARGE = /^(messages|log|attempts)_|^seen_\d$|^(queue|tries|counts|commits|names)$/;
/** Asked at a start, when a router is gone, or by people; and what is being tried fits into the memory of routers (D-26). */
const READS_ALL = ['count_trying', 'free', 'settle', 'members'];
/** They read no table, or are asked only while somebody holds a transaction open. */
const NOT_PLANNED = ['empty_next_slot', 'lock_nodes', 'now', 'tail_late_commits', 'take_id_blocks', 'await_one'];

/** Of few rows: of the oldest of a queue, and the first of its lines. */
const SORTS_SOME = ['claim_probe', 'claim_probe_onward', 'claim_received', 'claim_received_onward'];

/** Each statement of deliveries and members, as it was last asked. */
async function askAll(place: PostgresPlace): Promise<readonly Asked[]> {
  const { database, asked } = recorded(openDatabase(readAddress(place.url)));
  const losing = ['accept', 'accept_caught', 'record', 'record_and_next'].reduce(
    (own, name) => losingAnswers(name)(own),
    database,
  );
  const storage = await openPostgresStorage({ database: losing, clock: systemClock, log: new RecordingLog() });
  const { deliveries, members } = storage;
  await members.join({ now: systemClock.steady() });
  const batch = batchOf([
    accepted('m1', true),
    accepted('m2', true),
    accepted('m3', false),
    accepted('m4', true),
    accepted('m6', true),
  ]);
  const [first, second, , fourth, inLine] = await twice(() => deliveries.accept(batch));
  await deliveries.backlog({ limit: 9 });
  await deliveries.countBacklog({ destinations: [A, B], limit: 9 });
  const caught = batchOf([{ ...accepted('m5', false), caught: '{}' }]);
  await twice(() => deliveries.accept(caught));
  const last = recordOf(firstOf(first), { state: 'delivered' });
  const rounds = [last, recordOf(firstOf(second), postponed(NOW))];
  await twice(() => deliveries.record(rounds));
  const ended = [{ ...recordOf(firstOf(inLine), { state: 'delivered' }), line: 7 }];
  await twice(() => deliveries.record(ended));
  await twice(() => deliveries.record([{ ...recordOf(firstOf(first), { state: 'delivered' }), attempts: [ATTEMPT] }]));
  await deliveries.release([firstOf(fourth)]);
  // From the beginning of the queue, and from where it was found to begin.
  await deliveries.claim({ which: 'due', destination: A, now: NOW, limit: 1 });
  await deliveries.claim({ which: 'due', destination: A, now: NOW, limit: 1 });
  // The first finds something, and the second nothing, so that it looks from the beginning as well.
  for (const limit of [1, 9]) {
    await deliveries.claim({ which: 'received', destination: A, upTo: NOW, limit });
    await deliveries.claim({ which: 'probe', destination: A, limit });
  }
  await Promise.all([deliveries.held({ limit: 9 }), unfinished(deliveries)]);
  await Promise.all([
    members.beat(),
    members.members(),
    members.exchange({ waits: [], circuits: [], division: NO_SHARE }),
  ]);
  await members.reap({ now: systemClock.steady() });
  // Nobody else lives, and something waits whose dates may be ahead.
  await members.join({ now: systemClock.steady() });
  await storage.close();
  return [...asked.values()].filter(({ statement: { name } }) => written().includes(name));
}

/** The first answer is lost, so that the second try is wary. */
async function twice<T>(ask: () => Promise<T>): Promise<T> {
  await expect(ask()).rejects.toThrow(OutcomeUnknown);
  return ask();
}

/** The names of all statements of this folder. */
function written(): readonly string[] {
  const texts = globSync('server/storage/postgres/deliveries/*.ts').map((file) => readFileSync(file, 'utf8'));
  const named = (makers: RegExp): readonly string[] =>
    texts.flatMap((text) => [...text.matchAll(makers)].map(([, name = '']) => name));
  const rows = named(/newRows\(\s*'([a-z_]+)'/g).flatMap((name) => [name, `${name}_wary`]);
  const claims = ['due', 'received', 'probe'].flatMap((which) => [`claim_${which}`, `claim_${which}_onward`]);
  return [...named(/(?:reads|keeps|writes)\(\s*'([a-z_]+)'/g), ...rows, ...claims];
}

const FILL = script(`
  INSERT INTO counts SELECT hour, 1, what::text, 1, 1 FROM generate_series(1, 500) hour, generate_series(1, 10) what;
  INSERT INTO names (name) SELECT 'n' || n FROM generate_series(1, 5000) n;
  INSERT INTO seen SELECT n % 3, decode(lpad(to_hex(n), 24, '0'), 'hex') FROM generate_series(1, 9000) n;
  INSERT INTO commits (id, at, fingerprints) SELECT n, 1, '' FROM generate_series(1, 5000) n`);

async function fill({ database }: PostgresPlace): Promise<void> {
  for (const [index, table] of (['log', 'queue', 'tries'] as const).entries())
    await storeRows(database, { table, count: 5_000, from: (index + 1) * 100_000_000 });
  await database.run(FILL);
}

describeWithPostgres('plans of deliveries', () => {
  test('each is the same whatever statistics say, and none reads a large table from one end to the other', async () => {
    await using place = await postgresPlace();
    await withoutAutovacuum(place.superuser);
    const asked = await askAll(place);
    const names = asked.map(({ statement }) => statement.name).filter((name) => !NOT_PLANNED.includes(name));
    expect(written().filter((name) => ![...names, ...NOT_PLANNED].includes(name))).toEqual([]);
    const planAll = async (): Promise<Record<string, readonly string[]>> => {
      const scans: [string, readonly string[]][] = [];
      for (const one of asked) scans.push([one.statement.name, scansOf(await planOf(place.url, one))]);
      return Object.fromEntries(scans);
    };
    const empty = await planAll();
    await analyze(place.superuser);
    await fill(place);
    expect(await planAll()).toEqual(empty);
    await analyze(place.superuser);
    expect(await planAll()).toEqual(empty);
    const whole = Object.entries(empty).filter(([name]) => !READS_ALL.includes(name));
    expect(whole.filter(([, scans]) => scans.some((scan) => scan.startsWith('Seq Scan')))).toEqual([]);
    const sorted: string[] = [];
    for (const one of asked) if (sortsAll(await planOf(place.url, one))) sorted.push(one.statement.name);
    expect(sorted.toSorted()).toEqual(SORTS_SOME);
  }, 60_000);
});

describeWithPostgres('much that waits', () => {
  test('SAFE-2: it is counted to its end, a part in each statement', async () => {
    await using place = await postgresPlace();
    const database = openDatabase(readAddress(place.url));
    const storage = await openPostgresStorage({ database, clock: systemClock, log: new RecordingLog() });
    await storage.members.join({ now: systemClock.steady() });
    await storeRows(place.database, { table: 'queue', count: 60_000, from: 0, destination: A });
    await storeRows(place.database, { table: 'queue', count: 3, from: 200_000, destination: B });
    const { deliveries } = storage;
    const read = createWaitingQueues({
      store: deliveries,
      openCircuits: async () => ({ circuits: [], count: 0 }),
      clock: systemClock,
    });
    const { waiting } = await read('workspaces/main', [A, B]);
    expect([...waiting.values()].map((queue) => queue.waiting)).toEqual([60_000, 3]);
    expect(await unfinished(deliveries)).toMatchObject([{ count: 60_003 }, { count: 0 }]);
    let rows = 0;
    await eachPart(place.database, 'queue', async (bounds) => {
      rows += (await place.database.run<{ readonly count: number }>(COUNT_PART, bounds))[0]?.count ?? 0;
    });
    expect(rows).toBe(60_003);
    await storage.close();
  });
});

/** Whether all of a large table is put in order for the first of it: a page would take as long as all of them. */
function sortsAll(plan: PlanStep): boolean {
  const limited = allSteps(plan).filter(({ does }) => does === 'Limit');
  const sorts = limited.flatMap(allSteps).filter(({ does }) => does === 'Sort');
  return sorts.flatMap(allSteps).some(({ does, table = '' }) => LARGE.test(table) && does.endsWith('Scan'));
}

/** How each large table is read. */
function scansOf(plan: PlanStep): readonly string[] {
  const steps = allSteps(plan).filter(({ does, table = '' }) => LARGE.test(table) && does.endsWith('Scan'));
  return steps.map(({ does, table = '', index = '' }) => `${does} ${table} ${index}`).toSorted();
}

import { expect, test } from 'vitest';
import type { Claim, RoundRecord } from '../../model/delivery.ts';
import { NO_SHARE } from '../../storage/members.ts';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { type Database, openDatabase, type Queries } from '../../storage/postgres/connection/database.ts';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import { foldCounts } from '../../storage/postgres/jobs/fold-counts.ts';
import { sharedState } from '../../storage/postgres/shared/shared-state.ts';
import type { SharedState } from '../../storage/shared-state.ts';
import type { Verbs } from '../../storage/verbs.ts';
import { A, accepted, firstOf, NOW, postponed, recordOf } from '../conformance/delivery-store-events.ts';
import { batchOf } from '../support/memory-storage.ts';
import { postgresNodes, type PostgresNodes } from '../support/postgres-nodes.ts';
import { describeWithPostgres, serverUrl } from '../support/postgres-place.ts';
import { type Weighed, weighed } from '../support/weighed.ts';

/** So many rounds come before the first look at what a call costs, and before the second; a look is at the sum of some rounds. */
const [FEW, MANY, WEIGHED] = [30, 250, 10];
const HOUR = 3_600_000;
/**
 * A call may look at so many more pages, or so many times as many, after so many rounds: indexes become deeper. Rows that one
 * router writes a few times a second at most (its lease, leases of jobs, quotas, limits of requests) stay below it, as a page has
 * some dozens of them; an exchange reads those of leases three times.
 */
const [MORE, TIMES] = [24, 2];
/** It adds to one row of an hour, whose sum it answers, every few seconds; the next hour begins anew. */
const MAY_GROW = 'add_counts';
/** Of one destination alone, all that is counted has a page to itself for long. */
const DESTINATIONS = 20;

/** What must be among them. */
const WEIGHED_CALLS = [
  'accept',
  'add_counts',
  'beat',
  'claim_due_onward',
  'claim_probe_onward',
  'claim_received_onward',
  'exchange',
  'lease_job',
  'living',
  'record',
  'take',
];

interface World extends AsyncDisposable {
  readonly nodes: PostgresNodes;
  readonly verbs: Verbs;
  readonly shared: SharedState;
  readonly weighing: Weighed;
}

/** A router that is a member, whose statements can be spoilt. */
async function world(spoil = (database: Database): Database => database): Promise<World> {
  const nodes = await postgresNodes(NOW);
  let weighing: Weighed | undefined;
  const { verbs } = await nodes.open('one', {
    spoil: (own) => {
      weighing = weighed(own);
      return spoil(weighing.database);
    },
  });
  if (weighing === undefined) throw new Error('the storage opened no database');
  await verbs.join({ now: nodes.now() });
  const shared = sharedState(weighing.database);
  return { nodes, verbs, shared, weighing, [Symbol.asyncDispose]: () => nodes[Symbol.asyncDispose]() };
}

/** An event that is sent at once, to many. */
async function deliver({ nodes, verbs }: World, tag: string): Promise<void> {
  const [one] = [accepted(`sent-${tag}`, true, nodes.now() - NOW)];
  const routes = Array.from({ length: DESTINATIONS }, (_, at) => ({ destination: `${A}-${at}`, claimed: true }));
  const [claims] = await verbs.accept(batchOf([{ ...one, routes }]));
  if (claims === undefined || claims === 'duplicate') throw new Error('nothing was taken');
  await verbs.record(claims.map((claim) => recordOf(claim, { state: 'delivered' })));
}

/** What routers do for each event, and again and again, where something always waits. */
async function passAll(own: World, tag: string): Promise<void> {
  const { nodes, verbs, shared } = own;
  const since = nodes.now() - NOW;
  await deliver(own, tag);
  await verbs.accept(batchOf(['a', 'b', 'c', 'd'].map((name) => accepted(`${name}-${tag}`, false, since))));
  await nodes.advance(100);
  await verbs.beat();
  const due = await verbs.claim({ which: 'due', destination: A, now: nodes.now(), limit: 1 });
  const received = await verbs.claim({ which: 'received', destination: A, upTo: nodes.now(), limit: 1 });
  const probe = await verbs.claim({ which: 'probe', destination: A, limit: 1 });
  const claims = [...due.claims, ...received.claims, ...probe.claims];
  await verbs.record(claims.map((claim, index) => ended(claim, index, nodes.now())));
  await verbs.exchange({ waits: [], circuits: [], division: NO_SHARE });
  await verbs.leaseJob({ job: 'purge', forMs: 5_000 });
  await verbs.addCounts([{ of: 'workspaces/main', hour: NOW - (NOW % HOUR), what: 'accepted', count: 1 }]);
  await shared.take({ key: 'token', windowMs: 60_000 });
}

function ended(claim: Claim, index: number, now: number): RoundRecord {
  return recordOf(claim, index === 0 && claim.round === 1 ? postponed(now + 1_000) : { state: 'delivered' });
}

/** How many pages a call of each statement looked at before, and looks at now. */
type Grown = ReadonlyMap<string, readonly [before: number, now: number]>;

/** Of many rounds beside a transaction that is held open. */
async function growth(own: World, pass: typeof deliver): Promise<Grown> {
  const another = openDatabase(readAddress(await serverUrl()));
  const rounds = async (count: number, tag: string, held: Queries): Promise<void> => {
    for (let at = 0; at < count; at += 1) {
      await pass(own, `${tag}-${at}`);
      // The server ends what is idle for long.
      if (at % 20 === 0) await held.run(LOOK);
    }
  };
  const weigh = async (tag: string, held: Queries): Promise<ReadonlyMap<string, number>> => {
    const weighing = own.weighing.weigh();
    await rounds(WEIGHED, tag, held);
    return weighing.stop();
  };
  try {
    return await another.transaction(async (held) => {
      await held.run(script('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ'));
      await rounds(FEW, 'few', held);
      const few = await weigh('first', held);
      await rounds(MANY, 'many', held);
      const many = await weigh('last', held);
      const grown = [...many].map(([name, pages]) => [name, few.get(name) ?? NaN, pages] as const);
      return new Map(grown.map(([name, ...pages]) => [name, pages]));
    });
  } finally {
    await another.close();
  }
}

const LOOK = reads('', 'SELECT count(*) FROM pg_class');

function tooMuch(grown: Grown): Record<string, unknown> {
  return Object.fromEntries([...grown].filter(([, [before, now]]) => now > before + MORE && now > before * TIMES));
}

/** As if a router counted in one row all the time. */
function inOneChapter(database: Database): Database {
  return {
    ...database,
    run: (statement, values = []) =>
      database.run(statement, statement.name === 'record' ? [...values.slice(0, -1), 1] : values),
  };
}

describeWithPostgres('beside a transaction that is held open', () => {
  test('no call on the way of an event looks at much more, however many came before', async () => {
    await using own = await world();
    const grown = await growth(own, passAll);
    expect([...grown.keys()].toSorted()).toEqual(WEIGHED_CALLS);
    const { [MAY_GROW]: _, ...others } = tooMuch(grown);
    expect(others).toEqual({});
  }, 240_000);

  test('rounds that are counted in one row all the time are seen to look at ever more', async () => {
    await using own = await world(inOneChapter);
    expect(tooMuch(await growth(own, deliver))).toEqual({ record: expect.anything() });
  }, 240_000);
});

async function delivering(verbs: Verbs, tag: string): Promise<void> {
  for (let at = 0; at < 60; at += 1) {
    const [claims] = await verbs.accept(batchOf([accepted(`${tag}-${at}`, true)]));
    await verbs.record([recordOf(firstOf(claims), { state: 'delivered' })]);
  }
}

describeWithPostgres('rows that routers counted in', () => {
  test('are made one, of which nothing is missing, while others count', async () => {
    await using nodes = await postgresNodes(NOW);
    const [{ verbs: one }, { verbs: other }] = [await nodes.open('one'), await nodes.open('other')];
    for (const verbs of [one, other]) await verbs.join({ now: NOW });
    const range = { destination: A, from: NOW - HOUR, to: NOW + HOUR };
    const folding = async (verbs: Verbs): Promise<void> => {
      for (let at = 0; at < 20; at += 1) await foldCounts(nodes.database);
      expect((await verbs.counts(range)).length).toBeGreaterThan(0);
    };
    await delivering(one, 'first');
    expect(await nodes.count('counts')).toBeGreaterThan(1);
    await Promise.all([delivering(one, 'a'), delivering(other, 'b'), folding(one), folding(other)]);
    await foldCounts(nodes.database);
    const counted = await one.counts(range);
    expect(counted.find(({ what }) => what === 'delivered')?.count).toBe(180);
    expect(await nodes.count('counts WHERE node <> 0')).toBe(0);
    expect(await nodes.count('counts')).toBe(counted.length);
  });
});

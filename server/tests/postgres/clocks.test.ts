import { expect, test } from 'vitest';
import { measuredTime } from '../../storage/postgres/time.ts';
import { NO_SHARE } from '../../storage/members.ts';
import type { Verbs } from '../../storage/verbs.ts';
import { A, accepted, firstOf, NOW, queues, recordOf } from '../conformance/delivery-store-events.ts';
import { keptPlaces } from '../support/kept-places.ts';
import { batchOf } from '../support/memory-storage.ts';
import { type PostgresNodes, postgresNodes, stillPlace } from '../support/postgres-nodes.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Of a router whose clock is apart from that of the database. */
function apart(nodes: PostgresNodes, ms: number): { steady: () => number } {
  return { steady: () => nodes.now() + ms };
}

async function open(nodes: PostgresNodes, node: string, clock: { steady: number }): Promise<Verbs> {
  const { verbs } = await nodes.open(node, { time: measuredTime({ steady: () => clock.steady }) });
  await verbs.join({ now: clock.steady });
  return verbs;
}

/** Both clocks go on. */
async function pass(nodes: PostgresNodes, clock: { steady: number }, ms: number): Promise<void> {
  clock.steady += ms;
  await nodes.advance(ms);
}

describeWithPostgres('clocks of routers', () => {
  const kept = keptPlaces(stillPlace);

  test('HOOK-21: whatever the clock of a router reads, what waits is due after the time that passed', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const [early, late] = [apart(nodes, -5 * MINUTE), apart(nodes, 5 * MINUTE)];
    const one = await nodes.open('one', { time: measuredTime(early) });
    const two = await nodes.open('two', { time: measuredTime(late) });
    await one.verbs.join({ now: early.steady() });
    await two.verbs.join({ now: late.steady() });
    const { message, routes } = accepted('m1', true);
    const [claims] = await one.verbs.accept(batchOf([{ message: { ...message, receivedAt: early.steady() }, routes }]));
    const verdict = {
      state: 'pending',
      dueAt: early.steady() + MINUTE,
      setAt: early.steady(),
      closed: [],
      tries: 1,
    } as const;
    await one.verbs.record([recordOf(firstOf(claims), verdict)]);
    const waits = [{ destination: A, waiting: 1, nextDueAt: late.steady() + MINUTE, oldestReceivedAt: late.steady() }];
    expect(await queues(two.verbs)).toEqual(waits);
    const due = () => two.verbs.claim({ which: 'due', destination: A, now: late.steady(), limit: 1 });
    await nodes.advance(MINUTE - 1);
    await two.verbs.beat();
    expect((await due()).claims).toEqual([]);
    await nodes.advance(1);
    await two.verbs.beat();
    expect((await due()).claims).toMatchObject([{ round: 2, message: { receivedAt: late.steady() - MINUTE } }]);
  });

  test('HOOK-21: what a router with another clock reaps is due at once for all', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const behind = apart(nodes, -10 * MINUTE);
    const [one, two] = [await nodes.open('one'), await nodes.open('two', { time: measuredTime(behind) })];
    await one.verbs.join({ now: nodes.now() });
    await two.verbs.join({ now: behind.steady() });
    await one.verbs.accept(batchOf([accepted('m1', true)]));
    await nodes.advance(MINUTE);
    expect(await two.verbs.reap({ now: behind.steady() })).toBe(1);
    expect(await queues(two.verbs)).toMatchObject([{ nextDueAt: behind.steady() }]);
  });

  test("HOOK-21: the database's clock is set forward, and what waited before is as old as it was", async () => {
    await using nodes = await postgresNodes(NOW, kept());
    let steady = NOW;
    const one = await nodes.open('one', { time: measuredTime({ steady: () => steady }) });
    await one.verbs.join({ now: steady });
    const receivedAt = steady;
    const { message, routes } = accepted('m1', true);
    const [claims] = await one.verbs.accept(batchOf([{ message: { ...message, receivedAt }, routes }]));
    const verdict = { state: 'pending', dueAt: steady, setAt: steady, closed: [], tries: 1 } as const;
    await one.verbs.record([recordOf(firstOf(claims), verdict)]);
    steady += 2_000;
    await nodes.advance(2 * DAY);
    // Its lease is over by the new time.
    await one.verbs.beat();
    await one.verbs.join({ now: steady });
    await one.verbs.purge({ endedBefore: 0, seenBefore: steady - DAY, usedBefore: 0, limit: 100 });
    const again = { message: { ...accepted('m1', true).message, receivedAt: steady }, routes };
    expect(await one.verbs.accept(batchOf([again]))).toEqual(['duplicate']);
    const due = { which: 'due', destination: A, now: steady, limit: 1 } as const;
    expect((await one.verbs.claim(due)).claims).toMatchObject([{ round: 2, message: { receivedAt } }]);
  });

  test("HOOK-21: the database's clock is set back, and nothing waits for it", async () => {
    await using nodes = await postgresNodes(NOW, kept());
    let steady = NOW;
    const one = await nodes.open('one', { time: measuredTime({ steady: () => steady }) });
    await one.verbs.join({ now: steady });
    const { message, routes } = accepted('m1', true);
    const [claims] = await one.verbs.accept(batchOf([{ message: { ...message, receivedAt: steady }, routes }]));
    const dueAt = steady + MINUTE;
    const verdict = { state: 'pending', dueAt, setAt: steady, closed: [], tries: 1 } as const;
    await one.verbs.record([recordOf(firstOf(claims), verdict)]);
    steady += 2_000;
    await nodes.advance(2_000 - 60 * MINUTE);
    // A look before the clock was measured finds nothing, and keeps nothing in mind.
    const due = () => one.verbs.claim({ which: 'due', destination: A, now: steady, limit: 1 });
    expect((await due()).claims).toEqual([]);
    await one.verbs.beat();
    expect((await due()).claims).toMatchObject([{ round: 2, message: { receivedAt: steady } }]);
  });

  test("NODE-3: the database's clock is set forward, and no life ends before it was silent for its lease", async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const clock = { steady: NOW };
    const [one, two] = [await open(nodes, 'one', clock), await open(nodes, 'two', clock)];
    const claims = await two.accept(batchOf([accepted('m1', true), accepted('m2', true)]));
    await nodes.advance(60 * MINUTE);
    expect(await one.reap({ now: clock.steady })).toBe(0);
    await two.record([recordOf(firstOf(claims[0]), { state: 'delivered' })]);
    expect(await nodes.count("log WHERE state = 'delivered'")).toBe(1);
    await two.exchange({ waits: [], circuits: [], division: NO_SHARE });
    await one.beat();
    expect(await one.reap({ now: clock.steady })).toBe(0);
    await pass(nodes, clock, 9_000);
    expect(await one.reap({ now: clock.steady })).toBe(0);
    await two.beat();
    await pass(nodes, clock, 9_000);
    expect(await one.reap({ now: clock.steady })).toBe(0);
    await pass(nodes, clock, 1_000);
    expect(await one.reap({ now: clock.steady })).toBe(1);
  });

  test("NODE-4: the database's clock is set back, and what a dead router held waits for its lease alone", async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const clock = { steady: NOW };
    const [one, two] = [await open(nodes, 'one', clock), await open(nodes, 'two', clock)];
    await two.accept(batchOf([accepted('m1', true)]));
    await two.leaseJob({ job: 'retention', forMs: 30_000 });
    await nodes.advance(-60 * MINUTE);
    await one.beat();
    await pass(nodes, clock, 10_000);
    expect(await one.reap({ now: clock.steady })).toBe(1);
    expect(await one.leaseJob({ job: 'retention', forMs: 30_000 })).toBe(false);
    await pass(nodes, clock, 15 * MINUTE);
    expect(await one.leaseJob({ job: 'retention', forMs: 30_000 })).toBe(true);
  });

  test("HOOK-21: all routers die, the database's clock is set back, and a new router waits for neither", async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const clock = { steady: NOW };
    const dead = await open(nodes, 'dead', clock);
    await dead.accept(batchOf([accepted('m1', true), accepted('m2', false)]));
    await pass(nodes, clock, MINUTE);
    await nodes.advance(-60 * MINUTE);
    const one = await open(nodes, 'one', clock);
    expect(await queues(one)).toMatchObject([{ waiting: 1, nextDueAt: clock.steady }]);
    await pass(nodes, clock, 10_000);
    expect(await one.reap({ now: clock.steady })).toBe(1);
  });

  test('HOOK-21: of a clock that was set forward routers that start later hear, and take what waited as old as it was', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const clock = { steady: NOW };
    const one = await open(nodes, 'one', clock);
    const receivedAt = clock.steady;
    const { message, routes } = accepted('m1', false);
    const event = { message: { ...message, receivedAt }, routes };
    await one.accept(batchOf([event, accepted('m2', false)]));
    for (const ahead of [2 * DAY, 60 * MINUTE]) {
      await pass(nodes, clock, MINUTE);
      await nodes.advance(ahead);
      await one.beat();
    }
    await one.exchange({ waits: [], circuits: [], division: NO_SHARE });
    await pass(nodes, clock, MINUTE);
    const later = { steady: 5 * DAY };
    const two = await open(nodes, 'two', later);
    expect(await two.accept(batchOf([{ ...event, message: { ...event.message, receivedAt: later.steady } }]))).toEqual([
      'duplicate',
    ]);
    const { claims } = await two.claim({ which: 'due', destination: A, now: later.steady, limit: 1 });
    expect(claims).toMatchObject([{ message: { receivedAt: later.steady - 3 * MINUTE } }]);
    // It tells what it heard.
    const { members } = await two.exchange({ waits: [], circuits: [], division: NO_SHARE });
    expect(members.map(({ division }) => division)).toEqual([NO_SHARE]);
    const three = await open(nodes, 'three', later);
    expect(await queues(three)).toMatchObject([{ oldestReceivedAt: later.steady - 3 * MINUTE }]);
  });

  test('HOOK-21: a clock that is measured a little apart each time moves nothing', async () => {
    const clock = { steady: () => 1_000 };
    const time = measuredTime(clock);
    for (const at of [9_000, 9_049, 8_951]) await time.measure(() => Promise.resolve(at));
    expect([time.now(), time.fromDatabase(9_000), time.toDatabase(1_000)]).toEqual([9_000, 1_000, 9_000]);
    await time.measure(() => Promise.resolve(9_051));
    expect(time.now()).toBe(9_051);
  });

  test.each([
    [2, 0.5],
    [9_000, 0],
    [9_000, 1],
  ])(
    'HOOK-21: an answer that took long moves nothing, and the next does not look like a clock that was set (the first of all took %d ms)',
    async (firstMs, firstPart) => {
      const clock = { at: 1_000, steady: () => clock.at };
      const time = measuredTime(clock);
      let ahead = 8_000;
      /** Of a database that was asked after a part of the time that the answer took. */
      const measure = (ms: number, part: number) =>
        time.measure(() => {
          const at = clock.at + ahead + part * ms;
          clock.at += ms;
          return Promise.resolve(at);
        });
      expect(await measure(firstMs, firstPart)).toBe(false);
      for (const [ms, part] of [
        [2, 0.5],
        [9_000, 0],
        [9_000, 1],
        [2, 0.5],
      ] as const)
        expect([await measure(ms, part), time.now() - clock.at]).toEqual([false, 8_000]);
      expect(time.steps()).toEqual([]);
      ahead -= 3_000;
      expect(await measure(2, 0.5)).toBe(true);
    },
  );
});

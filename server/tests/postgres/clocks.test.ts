import { expect, test } from 'vitest';
import { measuredTime } from '../../storage/postgres/time.ts';
import { A, accepted, firstOf, NOW, queues, recordOf } from '../conformance/delivery-store-events.ts';
import { batchOf } from '../support/memory-storage.ts';
import { type PostgresNodes, postgresNodes } from '../support/postgres-nodes.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Of a router whose clock is apart from that of the database. */
function apart(nodes: PostgresNodes, ms: number): { steady: () => number } {
  return { steady: () => nodes.now() + ms };
}

describeWithPostgres('clocks of routers', () => {
  test('HOOK-21: whatever the clock of a router reads, what waits is due after the time that passed', async () => {
    await using nodes = await postgresNodes(NOW);
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
    await using nodes = await postgresNodes(NOW);
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
    await using nodes = await postgresNodes(NOW);
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
    await using nodes = await postgresNodes(NOW);
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

  test('HOOK-21: a clock that is measured a little apart each time moves nothing', async () => {
    const clock = { steady: () => 1_000 };
    const time = measuredTime(clock);
    for (const at of [9_000, 9_049, 8_951]) await time.measure(() => Promise.resolve(at));
    expect([time.now(), time.fromDatabase(9_000), time.toDatabase(1_000)]).toEqual([9_000, 1_000, 9_000]);
    await time.measure(() => Promise.resolve(9_051));
    expect(time.now()).toBe(9_051);
  });
});

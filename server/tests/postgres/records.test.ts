import { expect, test } from 'vitest';
import type { Statement } from '../../storage/postgres/connection/statement.ts';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { A, accepted, firstOf, NOW, postponed, queues, recordOf } from '../conformance/delivery-store-events.ts';
import { systemClock } from '../../system-clock.ts';
import { script } from '../../storage/postgres/connection/statement.ts';
import { batchOf } from '../support/memory-storage.ts';
import { postgresNodes, type Spoil } from '../support/postgres-nodes.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';

/** The second accept waits for a gate, once it has begun; statements are noted as they are done. */
function heldSecond(begun: () => void, gate: Promise<void>, done: string[]): Spoil {
  let accepts = 0;
  return (database) => ({
    ...database,
    async run<Row>(statement: Statement, values: readonly unknown[] = []) {
      if (statement.name === 'accept' && (accepts += 1) === 2) {
        begun();
        await gate;
      }
      const rows = await database.run<Row>(statement, values);
      if (/^(accept|record)/.test(statement.name)) done.push(statement.name);
      return rows;
    },
  });
}

/** This statement is turned away once, when it is asked for the `time`-th time. */
function turnedAway(name: string, time: number): Spoil {
  let asked = 0;
  return (database) => ({
    ...database,
    run<Row>(statement: Statement, values?: readonly unknown[]) {
      if (statement.name === name && (asked += 1) === time) throw new StoreUnavailable('there is no connection');
      return database.run<Row>(statement, values);
    },
  });
}

const ATTEMPT = {
  webhook: 'https://example.test/hook',
  number: 0,
  startedAt: NOW,
  durationMs: 1,
  outcome: 'delivered',
  status: 200,
  excerpt: '',
  rule: 'HOOK-8',
} as const;

describeWithPostgres('rounds that have ended', () => {
  test.each([
    { what: 'others of them', name: 'record', time: 3, count: 501 },
    { what: 'attempts that came late', name: 'record_late', time: 1, count: 1 },
  ])('NODE-6: count, and are told so, where $what could not be recorded with them', async ({ name, time, count }) => {
    await using nodes = await postgresNodes(NOW);
    const one = await nodes.open('one', { spoil: turnedAway(name, time) });
    await one.verbs.join({ now: NOW });
    const events = Array.from({ length: count + 1 }, (_, index) => accepted(`m${index}`, true));
    const [early, ...claims] = (await one.verbs.accept(batchOf(events))).map((own) => firstOf(own));
    if (early === undefined) throw new Error('nothing was accepted');
    const known = { ...recordOf(early, { state: 'delivered' }), attempts: [ATTEMPT] };
    await one.verbs.record([known]);
    const rounds = [...claims.map((claim) => recordOf(claim, postponed(NOW + 9))), known];
    await expect(one.verbs.record(rounds)).rejects.toThrow(StoreUnavailable);
    expect((await one.verbs.record(rounds)).refused).toEqual([count]);
    expect(await queues(one.verbs)).toMatchObject([{ waiting: count, nextDueAt: NOW + 9 }]);
    // From then on they are late reports as any other.
    expect((await one.verbs.record(rounds)).refused).toHaveLength(count + 1);
  });

  test.each([
    {
      what: 'wait for the accept that is under way, where they are few',
      count: 1,
      order: ['accept', 'accept', 'record'],
    },
    { what: 'are recorded at once, where they are many', count: 100, order: ['accept', 'record', 'accept'] },
    {
      what: 'are recorded at once, where one is in a line',
      count: 1,
      line: 7,
      order: ['accept', 'record_and_next', 'accept'],
    },
  ])('$what', async ({ count, line, order }) => {
    await using nodes = await postgresNodes(NOW);
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const done: string[] = [];
    const one = await nodes.open('one', { spoil: heldSecond(begun.resolve, gate.promise, done) });
    await one.verbs.join({ now: NOW });
    const events = Array.from({ length: count }, (_, index) => accepted(`m${index}`, true));
    const claims = await one.verbs.accept(batchOf(events));
    const accepting = one.verbs.accept(batchOf([accepted('later', true)]));
    await begun.promise;
    const ended = claims.map((own) => ({
      ...recordOf(firstOf(own), { state: 'delivered' }),
      ...(line === undefined ? {} : { line }),
    }));
    const recording = one.verbs.record(ended);
    if (order[1] === 'accept') gate.resolve();
    expect((await recording).refused).toEqual([]);
    gate.resolve();
    await accepting;
    expect(done).toEqual(order);
    expect(await one.verbs.counts({ destination: A, from: NOW, to: NOW + 1 })).toContainEqual({
      hour: NOW,
      what: 'delivered',
      count,
    });
  });

  test('are recorded soon, where an accept hangs, and leave no timer', async () => {
    await using nodes = await postgresNodes(NOW);
    let timers = 0;
    const clock = {
      steady: () => 0,
      async sleep(ms: number, signal?: AbortSignal) {
        // Of what goes on all the time, one is always there.
        if (ms < 1_000) timers += 1;
        await systemClock.sleep(ms, signal);
        if (ms < 1_000) timers -= 1;
      },
    };
    const begun = Promise.withResolvers<void>();
    const one = await nodes.open('one', { clock, spoil: heldSecond(begun.resolve, Promise.resolve(), []) });
    await one.verbs.join({ now: NOW });
    const claims = await one.verbs.accept(batchOf([accepted('m1', true), accepted('m2', true)]));
    const [first, second] = claims.map((own) => recordOf(firstOf(own), { state: 'delivered' }));
    if (first === undefined || second === undefined) throw new Error('nothing was accepted');
    const accepting = await nodes.superuser.transaction(async (queries) => {
      await queries.run(script('LOCK TABLE commits IN SHARE MODE'));
      const later = one.verbs.accept(batchOf([accepted('later', true)]));
      await begun.promise;
      const asked = performance.now();
      expect((await one.verbs.record([first])).refused).toEqual([]);
      expect(performance.now() - asked).toBeLessThan(1_000);
      return [later];
    });
    const recording = one.verbs.record([second]);
    await Promise.all([...accepting, recording]);
    expect(timers).toBe(0);
  });
});

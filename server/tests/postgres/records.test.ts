import { expect, test } from 'vitest';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { Recorder } from '../../delivery/recorder.ts';
import type { Queries } from '../../storage/postgres/connection/database.ts';
import type { Statement } from '../../storage/postgres/connection/statement.ts';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { NotAMember } from '../../storage/errors.ts';
import { script } from '../../storage/postgres/connection/statement.ts';
import { A, accepted, firstOf, NOW, postponed, queues, recordOf } from '../conformance/delivery-store-events.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { keptPlaces } from '../support/kept-places.ts';
import { batchOf } from '../support/memory-storage.ts';
import { aborted, postgresNodes, type Spoil, stillPlace } from '../support/postgres-nodes.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';

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

/** This statement is on its way until `gate` opens, the first time that it is asked. */
function late(name: string, asked: () => void, gate: Promise<void>): Spoil {
  let times = 0;
  const lateOf = <Q extends Pick<Queries, 'run'>>(own: Q): Q => ({
    ...own,
    async run<Row>(statement: Statement, values?: readonly unknown[]) {
      if (statement.name === name && (times += 1) === 1) {
        asked();
        await gate;
      }
      return own.run<Row>(statement, values);
    },
  });
  return (database) => ({ ...lateOf(database), urgent: lateOf(database.urgent) });
}

/** Moved by hand. Who sleeps on it for as long as rounds wait wakes at once, and all others when they are told to. */
function handClock() {
  const slept: number[] = [];
  return {
    now: 0,
    slept,
    steady(): number {
      return this.now;
    },
    async sleep(ms: number, signal?: AbortSignal): Promise<void> {
      if (ms > 40) return aborted(signal);
      slept.push(ms);
      this.now += ms;
    },
  };
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
  const kept = keptPlaces(stillPlace);

  test.each([
    { what: 'others of them', name: 'record', time: 3, count: 501 },
    { what: 'attempts that came late', name: 'record_late', time: 1, count: 1 },
  ])('NODE-6: count, and are told so, where $what could not be recorded with them', async ({ name, time, count }) => {
    await using nodes = await postgresNodes(NOW, kept());
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
    { what: 'wait until 40 ms after those before, where they are few', slept: [30] },
    { what: 'wait for nobody, where they are many', count: 100, slept: [] },
    { what: 'wait for nobody, where one is in a line', line: 7, slept: [] },
    { what: 'wait for nobody, where none were recorded for a while', since: 40, slept: [] },
  ])('$what', async ({ count = 1, line, since = 10, slept }) => {
    await using nodes = await postgresNodes(NOW, kept());
    const clock = handClock();
    const one = await nodes.open('one', { clock });
    await one.verbs.join({ now: NOW });
    const events = Array.from({ length: 1 + count }, (_, index) => accepted(`m${index}`, true));
    const claims = await one.verbs.accept(batchOf(events));
    const [first, ...later] = claims.map((own) => recordOf(firstOf(own), { state: 'delivered' }));
    if (first === undefined) throw new Error('nothing was accepted');
    expect((await one.verbs.record([first])).refused).toEqual([]);
    clock.now += since;
    const rounds = later.map((round) => ({ ...round, ...(line === undefined ? {} : { line }) }));
    expect((await one.verbs.record(rounds)).refused).toEqual([]);
    expect(clock.slept).toEqual(slept);
    expect(await one.verbs.counts({ destination: A, from: NOW, to: NOW + 1 })).toContainEqual({
      hour: NOW,
      what: 'delivered',
      count: 1 + count,
    });
  });

  test.each(['record', 'beat'] as const)(
    'NODE-1: a %s of a life that is over is answered late, and the next life goes on',
    async (name) => {
      await using nodes = await postgresNodes(NOW, kept());
      const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const { verbs } = await nodes.open('one', { spoil: late(name, asked.resolve, gate.promise) });
      await verbs.join({ now: NOW });
      const [claims] = await verbs.accept(batchOf([accepted('m1', true)]));
      const round = recordOf(firstOf(claims), { state: 'delivered' });
      const ofBefore = name === 'beat' ? verbs.beat() : verbs.record([round]);
      await asked.promise;
      await verbs.join({ now: NOW });
      gate.resolve();
      await ofBefore;
      expect(await verbs.beat()).toMatchObject({ members: [{ node: 'one' }] });
      const [own] = await verbs.accept(batchOf([accepted('m2', true)]));
      expect((await verbs.record([recordOf(firstOf(own), { state: 'delivered' })])).refused).toEqual([]);
    },
  );

  test('SAFE-2: are recorded beside one whose attempt no column can hold, and it without', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const { verbs } = await nodes.open('one');
    await verbs.join({ now: NOW });
    const claims = await verbs.accept(batchOf(['m1', 'm2', 'm3'].map((id) => accepted(id, true))));
    const recorder = new Recorder(
      { store: verbs, clock: new VirtualClock(), log: new RecordingLog() },
      () => undefined,
    );
    for (const [index, own] of claims.entries()) {
      const durationMs = index === 1 ? 2 ** 31 : 1;
      const record = recordOf(firstOf(own), { state: 'delivered' });
      recorder.add({ ...record, attempts: [{ ...ATTEMPT, durationMs }], receivedAt: NOW });
    }
    await recorder.drained(new AbortController().signal);
    const { deliveries } = await verbs.list({ destination: A, filter: {}, limit: 9 });
    expect(deliveries.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
    expect(await nodes.count('attempts')).toBe(2);
  });

  test('NODE-1: a life that was told once that it is over ends with its next beat, whatever the database says then', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const { verbs } = await nodes.open('one');
    await verbs.join({ now: NOW });
    const [claims] = await verbs.accept(batchOf([accepted('m1', true)]));
    const set = (until: string): Promise<unknown> => nodes.superuser.run(script(`UPDATE nodes SET until = ${until}`));
    await set('NULL');
    expect((await verbs.record([recordOf(firstOf(claims), { state: 'delivered' })])).refused).toEqual([0]);
    await set(String(NOW + 1_000));
    await expect(verbs.accept(batchOf([accepted('m2', true)]))).rejects.toThrow(NotAMember);
    expect(await verbs.beat()).toBeUndefined();
    await verbs.join({ now: NOW });
    expect(await verbs.accept(batchOf([accepted('m2', true)]))).toHaveLength(1);
  });
});

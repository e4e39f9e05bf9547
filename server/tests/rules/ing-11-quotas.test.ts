import { expect, test } from 'vitest';
import type { AcceptPorts } from '../../events/accept.ts';
import { openEnvelope } from '../../events/normalize-calls.ts';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { OutcomeUnknown } from '../../storage/errors.ts';
import { HEAR_MS, type Quotas } from '../../quotas/quotas.ts';
import { MemoryConfigStore, sourceNamed } from '../support/ingestion-config-store.ts';
import { openIngestionStorage } from '../support/ingestion-delivery-store.ts';
import { RecordingDispatcher } from '../support/ingestion-dispatcher.ts';
import { startPipeline } from '../support/pipeline.ts';
import { NOON, quotaWorld, type QuotaWorld, refusalOf, sent, SHOP } from '../support/quota-world.ts';
import { stillClock } from '../support/still-clock.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** Sends so many requests each 10 ms, to one router after the other; answers how many events were let in. */
async function flood({ clock }: QuotaWorld, routers: readonly Quotas[], forMs: number, events = 1): Promise<number> {
  let passed = 0;
  for (let at = 0; at < forMs; at += 10) {
    for (const router of routers) passed += await sent(router, events);
    await clock.advance(10);
  }
  return passed;
}

test('ING-11: a rate is kept over a minute, with at most a second ahead', async () => {
  const world = quotaWorld({ events_per_second: 20 });
  expect(await flood(world, [world.open()], 60 * SECOND)).toBe(60 * 20 + 19);
});

test('ING-11: what was not sent for an hour is not saved up', async () => {
  const { clock, open } = quotaWorld({ events_per_second: 10 });
  const router = open();
  expect(await sent(router)).toBe(1);
  await clock.advance(HOUR);
  expect([await sent(router, 10), await sent(router)]).toEqual([10, 0]);
});

test('ING-11: a rate holds over all routers together, however senders spread over them', async () => {
  const world = quotaWorld({ events_per_second: 40 });
  const [one, two, three] = [world.open(), world.open(), world.open()];
  const first = await flood(world, [one, two, three], 60 * SECOND);
  // At the beginning each may spend the second ahead, and what it does not know of yet.
  expect(first).toBeGreaterThan(60 * 40);
  expect(first).toBeLessThan(63 * 40 + 3 * 40);
  const second = await flood(world, [one, one, one, three], 60 * SECOND);
  expect(second / (60 * 40)).toBeGreaterThan(0.98);
  expect(second / (60 * 40)).toBeLessThan(1.02);
});

test('ING-11: what another router let in long ago is not owed', async () => {
  const world = quotaWorld({ events_per_second: 10 });
  const [one, two] = [world.open(), world.open()];
  expect(await sent(two)).toBe(1);
  await flood(world, [one], 120 * SECOND);
  expect(await sent(two, 10)).toBe(10);
  await world.clock.advance(2 * SECOND);
  expect(await sent(two, 10)).toBe(10);
});

test('ING-11: a batch of more than a second waits until nothing is ahead, and is paid for', async () => {
  const { clock, open } = quotaWorld({ events_per_second: 10 });
  const router = open();
  expect(await sent(router, 3)).toBe(3);
  expect(await refusalOf(router, 50)).toMatchObject({ failure: 'ResourceExhausted', retryAfterS: 1 });
  await clock.advance(300);
  expect(await sent(router, 50)).toBe(50);
  const refusal = await refusalOf(router);
  expect(refusal).toMatchObject({ retryAfterS: 5 });
  expect(refusal?.message).toBe('the quota of workspaces/shop is 10 events per second; retry in 5 s');
  await clock.advance(4_099);
  expect(await sent(router)).toBe(0);
  await clock.advance(1);
  expect(await sent(router)).toBe(1);
});

test('ING-11: whoever waits as long as Retry-After says is let in', async () => {
  const { clock, open } = quotaWorld({ events_per_second: 3 });
  const router = open();
  for (const events of [1, 2, 3, 7, 40, 1]) {
    const refusal = await refusalOf(router, events);
    if (refusal === undefined) continue;
    await clock.advance((refusal.retryAfterS ?? 0) * SECOND);
    expect(await sent(router, events)).toBe(events);
  }
});

test('ING-11: the events of a day are let in, and more of them the next day', async () => {
  const { clock, open } = quotaWorld({ events_per_day: 100 });
  const router = open();
  expect(await sent(router, 60)).toBe(60);
  expect(await sent(router, 50)).toBe(0);
  expect(await sent(router, 40)).toBe(40);
  const refusal = await refusalOf(router);
  expect(refusal).toMatchObject({ failure: 'ResourceExhausted', retryAfterS: (12 * HOUR) / SECOND });
  expect(await router.used(SHOP)).toEqual({ events: 100, refused: 2, endsAt: NOON + 12 * HOUR });
  await clock.advance(12 * HOUR - 1);
  expect(await sent(router)).toBe(0);
  await clock.advance(1);
  expect(await sent(router, 100)).toBe(100);
  expect(await router.used(SHOP)).toMatchObject({ events: 100, refused: 0 });
});

test('ING-11: what was let in just before midnight counts for the day before', async () => {
  const { clock, open } = quotaWorld({ events_per_day: 100 });
  const router = open();
  await clock.advance(12 * HOUR - 100);
  expect(await sent(router, 60)).toBe(60);
  await clock.advance(200);
  expect(await sent(router, 100)).toBe(100);
  await clock.advance(HEAR_MS);
  expect(await open().used(SHOP)).toMatchObject({ events: 100 });
  clock.stepWall(-SECOND);
  expect(await open().used(SHOP)).toMatchObject({ events: 60 });
});

test('ING-11: what was let in before midnight and could not be stored after it is taken off the day before', async () => {
  const { clock, open } = quotaWorld({ events_per_day: 100 });
  const router = open();
  await clock.advance(12 * HOUR - 2 * HEAR_MS);
  const pass = await router.take(SHOP, 60);
  await clock.advance(HEAR_MS);
  await clock.advance(2 * HEAR_MS);
  expect(await sent(router, 5)).toBe(5);
  pass?.giveBack();
  await clock.advance(HEAR_MS);
  expect(await open().used(SHOP)).toMatchObject({ events: 5 });
  clock.stepWall(-2 * SECOND);
  expect(await open().used(SHOP)).toMatchObject({ events: 0 });
});

test('ING-11: a restart gives nobody the day again', async () => {
  const { open } = quotaWorld({ events_per_day: 100 });
  const router = open();
  expect(await sent(router, 60)).toBe(60);
  await router.stop();
  const next = open();
  expect(await sent(next, 41)).toBe(0);
  expect(await sent(next, 40)).toBe(40);
});

test('ING-11: a killed router loses the count of half a second at most', async () => {
  const { clock, open } = quotaWorld({ events_per_day: 1_000 });
  const killed = open();
  for (let at = 0; at < 100; at += 1) {
    await sent(killed, 2);
    await clock.advance(10);
  }
  const { events } = await open().used(SHOP);
  expect(events).toBeGreaterThanOrEqual(200 - (2 * HEAR_MS) / 10);
  expect(events).toBeLessThanOrEqual(200);
});

test('ING-11: a day is counted over all routers', async () => {
  const world = quotaWorld({ events_per_day: 500 });
  const routers = [world.open(), world.open()];
  const passed = await flood(world, routers, 10 * SECOND);
  // Each may let in what it has not heard of: of one router and half a second.
  expect(passed).toBeGreaterThanOrEqual(500);
  expect(passed).toBeLessThanOrEqual(500 + HEAR_MS / 10);
});

test('ING-11: nobody without a quota waits, or costs the storage anything', async () => {
  const { asked, open } = quotaWorld({ events_per_day: 1 });
  const router = open();
  expect(router.take('workspaces/other', 1_000)).toBeUndefined();
  expect(() => router.refuseFull('workspaces/other')).not.toThrow();
  expect(asked).toEqual([]);
});

test('ING-11: a tenant that floods takes nothing from another', async () => {
  const { clock, quotas, open } = quotaWorld({ events_per_second: 10 });
  quotas.set('workspaces/bank', { events_per_second: 100, events_per_day: 0 });
  const router = open();
  let [flooding, other] = [0, 0];
  for (let at = 0; at < 10 * SECOND; at += 10) {
    for (let request = 0; request < 20; request += 1) flooding += await sent(router);
    other += await sent(router, 1, 'workspaces/bank');
    await clock.advance(10);
  }
  expect(other).toBe(1_000);
  expect(flooding).toBeLessThanOrEqual(110);
});

test('ING-11: the storage is asked twice a second while somebody sends, and then left alone', async () => {
  const world = quotaWorld({ events_per_second: 1_000, events_per_day: 1_000_000 });
  await flood(world, [world.open()], 10 * SECOND);
  expect(world.asked.filter((verb) => verb === 'counts')).toHaveLength(1);
  expect(world.asked.filter((verb) => verb === 'addCounts').length).toBeLessThanOrEqual(20);
  await world.clock.advance(15 * SECOND);
  const { length } = world.asked;
  await world.clock.advance(60 * SECOND);
  expect(world.asked).toHaveLength(length);
  expect(world.clock.sleepers).toBe(0);
});

test('ING-11: a full quota is known before a body is read', async () => {
  const { open } = quotaWorld({ events_per_day: 5 });
  const router = open();
  expect(() => router.refuseFull(SHOP)).not.toThrow();
  await sent(router, 5);
  expect(() => router.refuseFull(SHOP)).toThrow('the quota of workspaces/shop is 5 events per day');
});

const SOURCE = `${SHOP}/sources/js`;

/** Sends two events to a pipeline that holds senders to the quotas, over a storage that answers so. */
async function senderOf(quotas: Quotas, accept: AcceptPorts['deliveries']['accept']): Promise<() => Promise<void>> {
  const config = new MemoryConfigStore();
  await config.create('sources', sourceNamed(SOURCE));
  const given = {
    config,
    deliveries: { accept },
    dispatcher: new RecordingDispatcher(),
    clock: stillClock(() => NOON),
  };
  const { pipeline } = await startPipeline({ ...given, quotas });
  const call = { type: 'track', userId: 'u', event: 'E' };
  const envelope = openEnvelope({}, { receivedAt: NOON });
  const sourceNow = () => Promise.resolve({ name: SOURCE });
  return () => pipeline.receive({ source: SOURCE, sourceNow, envelope, calls: [call, call], bodyBytes: 100 });
}

test('ING-11: a request beyond the quota is refused before anything of it is stored', async () => {
  const storage = openIngestionStorage();
  const send = await senderOf(quotaWorld({ events_per_day: 3 }).open(), (request) => storage.accept(request));
  await send();
  await expect(send()).rejects.toMatchObject({ status: 429 });
  expect(storage.calls).toHaveLength(1);
});

test('ING-11: what may be stored counts', async () => {
  const router = quotaWorld({ events_per_day: 2, events_per_second: 2 }).open();
  const send = await senderOf(router, () => Promise.reject(new OutcomeUnknown('the answer was lost')));
  await expect(send()).rejects.toThrow('the answer was lost');
  expect(await router.used(SHOP)).toMatchObject({ events: 2 });
  expect(await sent(router)).toBe(0);
});

test('ING-11: what could not be stored does not count', async () => {
  const router = quotaWorld({ events_per_day: 2, events_per_second: 2 }).open();
  const send = await senderOf(router, () => Promise.reject(new StoreUnavailable('full')));
  for (let time = 0; time < 3; time += 1) await expect(send()).rejects.toThrow('full');
  expect(await router.used(SHOP)).toMatchObject({ events: 0 });
  expect(await sent(router, 2)).toBe(2);
});

test('ING-11: a count that could not be stored is stored later, once', async () => {
  const world = quotaWorld({ events_per_day: 100 });
  let fails = true;
  const router = world.open((own) => ({
    addCounts: (additions) => (fails ? Promise.reject(new StoreUnavailable('full')) : own.addCounts(additions)),
  }));
  await sent(router, 60);
  await world.clock.advance(2 * SECOND);
  expect(await sent(router, 41)).toBe(0);
  fails = false;
  await world.clock.advance(2 * SECOND);
  expect(await world.open().used(SHOP)).toMatchObject({ events: 60, refused: 1 });
  expect(world.log.lines.map(({ message }) => message)).toEqual([
    'usage of quotas is not stored, retrying',
    'usage of quotas is stored again',
  ]);
});

test('ING-11: a count of which nobody knows whether it was stored is not stored twice', async () => {
  const world = quotaWorld({ events_per_day: 100 });
  let isLost = true;
  const router = world.open((own) => ({
    addCounts: async (additions) => {
      const counts = await own.addCounts(additions);
      if (isLost) throw new OutcomeUnknown('lost');
      return counts;
    },
  }));
  await sent(router, 60);
  await world.clock.advance(HEAR_MS);
  isLost = false;
  await world.clock.advance(2 * HEAR_MS);
  expect(await router.used(SHOP)).toMatchObject({ events: 60 });
});

test('ING-11: a quota that is changed or removed holds at once', async () => {
  const { quotas, open } = quotaWorld({ events_per_day: 1 });
  const router = open();
  expect([await sent(router), await sent(router)]).toEqual([1, 0]);
  quotas.set(SHOP, { events_per_second: 0, events_per_day: 2 });
  expect([await sent(router), await sent(router)]).toEqual([1, 0]);
  quotas.delete(SHOP);
  expect(await sent(router, 1_000)).toBe(1_000);
});

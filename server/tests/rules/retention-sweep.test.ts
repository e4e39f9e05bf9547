import { DatabaseSync } from 'node:sqlite';
import { deliveryId } from '../../model/delivery.ts';
import { expect, onTestFinished, test } from 'vitest';
import { retention } from '../../jobs/retention.ts';
import { JobRunner } from '../../jobs/runner.ts';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { startDeliveryWorld } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { A, accept, B, end, left, NOW, openPlace, sweep } from '../support/retention-place.ts';
import { momentAt } from '../support/still-clock.ts';
import { replayMade } from '../support/replay-made.ts';
import { openMemory } from '../support/memory-storage.ts';

const DAY = 24 * 3_600_000;
const BOUNDS = { endedBefore: NOW + 1, seenBefore: NOW + 1 };

test('what ended before the retention goes, and the rest stays', async () => {
  const place = await openPlace();
  for (const state of ['delivered', 'failed', 'expired', 'cancelled', 'pending', 'trying'] as const) {
    await end(place, await accept(place, NOW, [state]), state);
  }
  await end(place, await accept(place, NOW + 5, ['young', 'newest']));
  expect(await sweep(place, BOUNDS)).toBe(4);
  expect(await left(place)).toEqual(['newest', 'young', 'trying', 'pending']);
});

test('a replayed delivery stays until its new end is old', async () => {
  const place = await openPlace();
  await end(place, await accept(place, NOW, ['replayed', 'other', 'newest']));
  await place.store.replay({ destination: A, delivery: deliveryId('1'), at: momentAt(NOW + 9) });
  const { claims } = await place.store.claim({ which: 'due', now: NOW + 9, destination: A, limit: 1 });
  await end(place, claims);
  expect(await sweep(place, BOUNDS)).toBe(1);
  expect(await left(place)).toEqual(['newest', 'replayed']);
});

test('HOOK-21: what came while the wall was set forward keeps nothing behind it from going', async () => {
  const place = await openPlace();
  const [ahead, behind] = [
    ['a', 'b', 'c', 'd', 'e'],
    ['f', 'g', 'h', 'i', 'j'],
  ];
  await end(place, await accept(place, NOW, ['before']));
  await end(place, await accept(place, NOW + 365 * DAY, ahead));
  await end(place, await accept(place, NOW, behind));
  await end(place, await accept(place, NOW + DAY, ['young', 'newest']));
  expect(await sweep(place, BOUNDS)).toBe(6);
  expect((await left(place)).toSorted()).toEqual([...ahead, 'newest', 'young']);
});

test('a message stays as long as one of its deliveries does', async () => {
  const place = await openPlace();
  const [toA = [], toB = []] = await accept(place, NOW, ['m1'], [A, B]).then((claims) =>
    claims.map((claim) => [claim]),
  );
  await end(place, toA);
  await end(place, toB, 'pending');
  await end(place, await accept(place, NOW, ['newest']));
  expect(await sweep(place, BOUNDS)).toBe(1);
  const { claims } = await place.store.claim({ which: 'due', now: NOW, destination: B, limit: 1 });
  expect(claims).toMatchObject([{ message: { event: { messageId: 'm1' } } }]);
});

test('the id of a delivery is never given twice', async () => {
  const place = await openPlace();
  await end(place, await accept(place, NOW, ['m1', 'm2', 'm3']));
  await sweep(place, BOUNDS);
  const [next] = await accept(place, NOW, ['m4']);
  expect(next?.delivery).toBe('4');
});

test('D-43: a message id is forgotten only when it is old itself', async () => {
  const place = await openPlace();
  await end(place, await accept(place, NOW, ['m1', 'm2']));
  await sweep(place, { ...BOUNDS, seenBefore: NOW });
  expect(await accept(place, NOW, ['m1'])).toEqual([]);
  await sweep(place, BOUNDS);
  expect(await accept(place, NOW, ['m1'])).toHaveLength(1);
});

test('D-43: ids are known for a day, however short the retention', async () => {
  const [place, clock, log] = [await openPlace(), new VirtualClock(NOW), new RecordingLog()];
  await end(place, await accept(place, NOW, ['m1', 'newest']));
  const ports = { storage: place.store, clock, log };
  const runner = new JobRunner(ports, [retention({ ...ports, config: openMemory().resources, retentionMs: 60_000 })]);
  onTestFinished(() => runner.stop());
  runner.start();
  const after = async (ms: number, ids: string[]): Promise<void> => {
    await clock.advance(ms);
    const poll = async (): Promise<string[]> => {
      await clock.advance(1_000);
      return left(place);
    };
    await expect.poll(poll, { interval: 5 }).toEqual(ids);
  };
  await after(10 * 60_000, ['newest']);
  expect(await accept(place, clock.now(), ['m1'])).toEqual([]);
  await clock.advance(DAY);
  const again = async (): Promise<number> => {
    await clock.advance(1_000);
    return (await accept(place, clock.now(), ['m1'])).length;
  };
  await expect.poll(again, { interval: 5 }).toBe(1);
  expect(log.lines).toContainEqual({ level: 'info', fields: { deliveries: 1, ids: 0 }, message: expect.any(String) });
});

test('metrics and ended replays go with the deliveries', async () => {
  const place = await openPlace();
  await end(place, await accept(place, NOW, ['m1', 'newest']));
  const { id } = await replayMade(place.store, {
    destination: A,
    filter: {},
    dryRun: true,
    perSecond: 1,
    createdAt: NOW,
  });
  await place.store.stepReplay({ replay: id, at: momentAt(NOW), limit: 1, waitingLimit: 1 });
  expect(await place.store.counts({ destination: A, from: NOW, to: NOW + 1 })).not.toEqual([]);
  await sweep(place, { endedBefore: NOW + DAY, seenBefore: NOW });
  expect(await place.store.counts({ destination: A, from: NOW, to: NOW + 1 })).toEqual([]);
  expect(await place.store.getReplay({ destination: A, id: id })).toBeUndefined();
});

test('what may be used once is forgotten when it is over', async () => {
  const place = await openPlace();
  const lives = { short: 10, long: 11 };
  const use = (id: string, life: keyof typeof lives) =>
    place.store.useOnce({ owner: A, id, now: NOW, forMs: lives[life], limit: 100 });
  for (let used = 0; used < 7; used += 1) await use(`id ${used}`, 'short');
  await use('last', 'long');
  await sweep(place, { ...BOUNDS, usedBefore: NOW + 10 });
  await place.store.close();
  using database = new DatabaseSync(place.path, { readOnly: true });
  const rows = database.prepare('SELECT owner, length(id) AS bytes, until FROM used_ids').all();
  expect(rows).toEqual([{ owner: A, bytes: 32, until: NOW + 11 }]);
});

test('D-31: what is forgotten is a 404', async () => {
  const world = await startDeliveryWorld(() => answers(200));
  await world.send({ messageId: 'm1' });
  await world.send({ messageId: 'm2' });
  await world.until('delivered', '?to=2030-01-01T00:00:00Z');
  const { name } = (await world.get('/deliveries'))['deliveries'][1];
  expect((await world.api.call('GET', `/${name}`)).status).toBe(200);
  const ended = async (): Promise<number> => {
    await world.clock.advance(0);
    const now = world.clock.now() + 1;
    return (await world.store.purge({ endedBefore: now, seenBefore: now, usedBefore: now, limit: 10 })).deliveries;
  };
  await expect.poll(ended, { interval: 5 }).toBe(1);
  expect((await world.api.call('GET', `/${name}`)).status).toBe(404);
});

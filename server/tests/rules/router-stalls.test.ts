import { expect, test } from 'vitest';
import { answers, type Endpoint } from '../../../testbed/simulation/simulated-transport.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { StallWatch } from '../../delivery/stall-watch.ts';
import { type EngineOptions, startEngine } from '../support/engine.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const quick: Endpoint = () => ({ afterMs: 50, result: answers(200).result });
const hanging: Endpoint = () => ({ afterMs: HOUR, result: answers(200).result });

test('HOOK-8: what timed out while the router stood still says so, and is tried again soon', async () => {
  const { clock, store, send, logged } = await startEngine(quick);
  await send();
  await clock.advance(10);
  await clock.stall(7 * SECOND);
  expect(store.deliveries).toMatchObject([{ state: 'pending', tries: 0, attempts: [{ outcome: 'router_stalled' }] }]);
  expect(store.deliveries[0]?.attempts[0]?.excerpt).toMatch(
    /no answer within 5 s; the router itself stood still for 6\.\d+ s/,
  );
  await clock.advance(11 * SECOND);
  expect(store.deliveries).toMatchObject([{ state: 'delivered', attempts: [{}, { outcome: 'delivered' }] }]);
  expect(logged.find(({ fields }) => fields['outcome'] === 'router_stalled')?.level).toBe('warn');
});

test('D-25: a stall opens no circuit, however many attempts it ends', async () => {
  expect(await parkedByStall({})).toBe(0);
  // A router that does not notice blames its receivers.
  expect(await parkedByStall({ stalls: { begin: () => () => 0 } })).toBe(1);
});

async function parkedByStall(options: EngineOptions): Promise<number> {
  const { clock, dispatcher, send } = await startEngine(quick, { policy: { rampStart: 32 }, ...options });
  for (let n = 0; n < 20; n += 1) await send({ messageId: `m${n}` });
  await clock.stall(10 * SECOND);
  return dispatcher.queues.parked.size;
}

test('D-25: a probe that a stall ended neither closes the circuit nor lengthens its waits', async () => {
  let isDown = true;
  const { clock, dispatcher, store, send } = await startEngine(() =>
    isDown ? answers(503) : { afterMs: 50, result: answers(200).result },
  );
  for (let n = 0; n < 12; n += 1) await send({ messageId: `m${n}` });
  await clock.advance(10);
  isDown = false;
  await clock.advance(10 * SECOND);
  await clock.stall(6 * SECOND);
  expect(dispatcher.queues.parked.size).toBe(1);
  await clock.advance(10 * SECOND + 100);
  expect(dispatcher.queues.parked.size).toBe(0);
  await clock.advance(MINUTE);
  expect(store.deliveries.every(({ state }) => state === 'delivered')).toBe(true);
});

test('HOOK-8: a receiver that hangs times out as ever, with a short stall as well', async () => {
  const { clock, store, send } = await startEngine(hanging);
  await send();
  await clock.advance(SECOND);
  await clock.stall(800);
  await clock.advance(5 * SECOND);
  expect(store.deliveries).toMatchObject([{ tries: 1, attempts: [{ outcome: 'first_byte_timeout' }] }]);
});

test('HOOK-9: an answer that is there when a stall ends is an answer', async () => {
  const { clock, store, send } = await startEngine(() => answers(503));
  await send();
  await clock.stall(4 * SECOND);
  expect(store.deliveries).toMatchObject([{ attempts: [{ outcome: 'http_5xx' }] }]);
});

test('HOOK-9: a router that always stands still does not ask a dead receiver for ever', async () => {
  const { clock, store, transport, send } = await startEngine(hanging);
  await send();
  for (let time = 0; time < 5 * HOUR; time += 2 * SECOND) {
    await clock.stall(1_500);
    await clock.advance(500);
  }
  expect(store.deliveries).toMatchObject([{ state: 'expired' }]);
  // Ten that are excused, and then the schedule of any other.
  expect(transport.posts.length).toBeLessThan(50);
});

test('the watch measures stalls, and nothing else', async () => {
  const clock = new VirtualClock();
  const watch = new StallWatch(clock);
  const [calm, before] = [watch.begin(), watch.begin()];
  await clock.advance(MINUTE);
  expect(calm()).toBe(0);
  await clock.stall(3 * SECOND);
  const after = watch.begin();
  const stalled = before();
  expect(stalled).toBeGreaterThan(2_700);
  expect(stalled).toBeLessThanOrEqual(3_000);
  await clock.advance(MINUTE);
  expect(after()).toBe(0);
  await clock.advance(SECOND);
  // Nobody watches, and so nothing beats.
  expect(clock.sleepers).toBe(0);
});

test('the watch knows of a stall before its own timer has come', () => {
  let now = 0;
  const watch = new StallWatch({ now: () => now, steady: () => now, sleep: () => new Promise(() => undefined) });
  const end = watch.begin();
  now = 5 * SECOND;
  expect(end()).toBeGreaterThan(4_500);
});

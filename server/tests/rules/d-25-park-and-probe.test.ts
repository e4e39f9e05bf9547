import { expect, test } from 'vitest';
import { type Endpoint, answers } from '../../../testbed/simulation/simulated-transport.ts';
import { seededRandom } from '../../../testbed/simulation/seeded-random.ts';
import { DESTINATION, startEngine, targetOf } from '../support/engine.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const OTHER = 'workspaces/main/sources/ios/destinations/webhooks';
const PARK_AFTER = 10;

/** Takes everything but one kind of event. */
const poison: Endpoint = ({ request }) =>
  answers(Buffer.from(request.body).toString().includes('"poison"') ? 500 : 200);
/** Two endpoints, of which the dead one never answers. */
const hangs: Endpoint = ({ request }) =>
  request.url.includes('dead') ? { afterMs: HOUR, result: answers(200).result } : answers(200);

test('D-25: a dead destination costs few attempts, whatever its backlog', async () => {
  const backlog = 3_000;
  const outage = 10 * MINUTE;
  const { clock, store, transport, send } = await startEngine(
    ({ at }) => (at - start < outage ? answers(503) : { afterMs: 20, result: answers(200).result }),
    { random: seededRandom(1) },
  );
  const start = clock.now();
  for (let i = 0; i < backlog; i += 1) await send({ messageId: `m${i}` });
  await clock.advance(outage);
  const whileDead = transport.posts.length;
  expect(whileDead).toBeGreaterThanOrEqual(PARK_AFTER);
  expect(whileDead).toBeLessThan(60);

  await clock.advance(15 * MINUTE);
  expect(store.deliveries.filter((delivery) => delivery.state !== 'delivered')).toEqual([]);
  expect(transport.posts.length - whileDead).toBe(backlog);
});

test('D-25: after recovery the first second is a ramp, no burst', async () => {
  const outage = 5 * MINUTE;
  const { clock, transport, send } = await startEngine(({ at }) =>
    at - start < outage ? answers(503) : { afterMs: 100, result: answers(200).result },
  );
  const start = clock.now();
  for (let i = 0; i < 1_000; i += 1) await send({ messageId: `m${i}` });
  await clock.advance(30 * MINUTE);
  const recovered = transport.posts.filter((post) => post.at - start >= outage);
  const first = recovered[0]?.at ?? 0;
  const inSlot = (slot: number): number =>
    recovered.filter((post) => Math.floor((post.at - first) / 100) === slot).length;
  expect(inSlot(0)).toBe(1);
  expect([1, 2, 3].map(inSlot).toSorted((a, b) => a - b)).toEqual([1, 2, 3].map(inSlot));
  expect(Math.max(...Array.from({ length: 100 }, (_, slot) => inSlot(slot)))).toBeLessThanOrEqual(32);
});

test('D-25: one event that an endpoint cannot take does not hold up the others', async () => {
  const { clock, store, send } = await startEngine(poison);
  for (let i = 0; i < PARK_AFTER; i += 1) await send({ messageId: `p${i}`, event: 'poison' });
  await clock.advance(10 * SECOND);
  for (let i = 0; i < 20; i += 1) await send({ messageId: `g${i}`, event: 'good' });
  await clock.advance(MINUTE);
  const good = store.deliveries.filter((delivery) => delivery.message.event.event === 'good');
  expect(good.map((delivery) => delivery.state)).toEqual(good.map(() => 'delivered'));
});

test('D-25: a parked event gets a last try before its window ends', async () => {
  const { clock, store, transport, send } = await startEngine(() => answers(503));
  const start = clock.now();
  for (let i = 0; i < 100; i += 1) await send({ messageId: `m${i}` });
  await clock.advance(4 * HOUR + MINUTE);
  expect(store.deliveries.every((delivery) => delivery.state === 'expired')).toBe(true);
  const lastTries = transport.posts.filter((post) => post.at - start === 4 * HOUR - 5 * SECOND);
  expect(lastTries).toHaveLength(100);
  expect(Math.max(...transport.posts.map((post) => post.at))).toBeLessThan(start + 4 * HOUR);
});

test('D-25: a last try that succeeds delivers the event', async () => {
  const { clock, store, send } = await startEngine(({ at }) => answers(at - start < 4 * HOUR - 6 * SECOND ? 503 : 200));
  const start = clock.now();
  for (let i = 0; i < 50; i += 1) await send({ messageId: `m${i}` });
  await clock.advance(5 * HOUR);
  expect(store.deliveries.every((delivery) => delivery.state === 'delivered')).toBe(true);
});

test('D-25: a last try is made although storage could not be asked at its moment', async () => {
  const { clock, store, transport, send } = await startEngine(() => answers(503));
  const start = clock.now();
  for (let i = 0; i < 50; i += 1) await send({ messageId: `m${i}` });
  const claim = store.claim.bind(store);
  store.claim = (request) =>
    clock.now() - start === 4 * HOUR - 5 * SECOND ? Promise.reject(new Error('busy')) : claim(request);
  await clock.advance(4 * HOUR + MINUTE);
  expect(transport.posts.filter((post) => post.at - start === 4 * HOUR - 4 * SECOND)).toHaveLength(50);
});

test('D-25: what is on its way from disk when a destination is parked goes back', async () => {
  const { clock, store, transport, send } = await startEngine(() => ({ ...answers(503), afterMs: 5 }));
  const claim = store.claim.bind(store);
  store.claim = async (request) => {
    await clock.sleep(SECOND);
    return claim(request);
  };
  for (let i = 0; i < 500; i += 1) await send({ messageId: `m${i}` });
  await clock.advance(4 * SECOND);
  expect(transport.posts.length).toBeGreaterThanOrEqual(PARK_AFTER);
  expect(transport.posts.length).toBeLessThan(PARK_AFTER + 4);
  expect(store.deliveries.filter(({ state }) => state === 'trying')).toEqual([]);
});

test('D-26: a destination that hangs does not slow a healthy one', async () => {
  const { clock, store, targets, send } = await startEngine(hangs, { target: targetOf('https://dead.test/') });
  targets.set(OTHER, targetOf('https://alive.test/'));
  for (let i = 0; i < 500; i += 1) {
    await send({ messageId: `d${i}` });
    await send({ messageId: `a${i}` }, OTHER);
  }
  await clock.advance(1);
  const states = (destination: string): string[] =>
    store.deliveries.filter((delivery) => delivery.destination === destination).map((delivery) => delivery.state);
  expect(states(OTHER).every((state) => state === 'delivered')).toBe(true);
  expect(new Set(states(DESTINATION))).toEqual(new Set(['trying', 'pending']));
});

test('D-30: a parked destination that is switched off is emptied', async () => {
  const { clock, store, targets, send } = await startEngine(() => answers(503));
  for (let i = 0; i < 100; i += 1) await send({ messageId: `m${i}` });
  await clock.advance(MINUTE);
  targets.clear();
  await clock.advance(4 * HOUR);
  expect(new Set(store.deliveries.map((delivery) => delivery.state))).toEqual(new Set(['cancelled']));
  expect(clock.sleepers).toBe(0);
});

test('D-25: what keeps failing without being dead is not parked', async () => {
  let count = 0;
  const random = seededRandom(3);
  const { clock, store, logged, send } = await startEngine(() => answers((count += 1) % 3 === 0 ? 200 : 503), {
    random,
  });
  for (let i = 0; i < 200; i += 1) await send({ messageId: `m${i}` });
  await clock.advance(4 * HOUR);
  expect(store.deliveries.every((delivery) => delivery.state === 'delivered')).toBe(true);
  expect(logged.filter((line) => line.message.includes('parked'))).toEqual([]);
});

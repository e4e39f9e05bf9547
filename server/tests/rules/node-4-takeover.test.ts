import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { NO_SHARE } from '../../storage/members.ts';
import { startMembers } from '../support/members.ts';

const destinations = Array.from(
  { length: 12 },
  (_, index) => `workspaces/main/sources/s${index}/destinations/webhooks`,
);

test('NODE-4: what a killed router held is sent by others within 11 s, whenever it was killed', async () => {
  for (const moment of [4_001, 4_500, 5_999]) {
    const { clock, begin, states } = startMembers(() => ({ afterMs: 3_000, ...answers(200) }));
    const killed = await begin('killed');
    const others = [await begin('b'), await begin('c')];
    await clock.advance(moment);
    for (const [index, destination] of destinations.entries()) await killed.send(`m${index}`, destination);
    await clock.advance(100);
    killed.router.kill();
    const at = clock.steady();
    await clock.advance(20_000);
    const sent = others.flatMap(({ transport }) => transport.posts.map((post) => post.at - at));
    expect([sent.length, Math.max(...sent) <= 11_000]).toEqual([destinations.length, true]);
    expect(new Set(Object.values(states()))).toEqual(new Set(['delivered']));
    expect(others.every(({ transport }) => transport.posts.length > 0)).toBe(true);
  }
});

test('NODE-4: what waits for a retry at a killed router is tried by another', async () => {
  let fails = true;
  const { clock, begin, states } = startMembers(() => answers(fails ? 503 : 200));
  const routers = [await begin('a'), await begin('b')];
  await clock.advance(2_000);
  for (const [index, destination] of destinations.entries()) await routers[0]?.send(`m${index}`, destination);
  await clock.advance(1_000);
  fails = false;
  routers[0]?.router.kill();
  await clock.advance(25_000);
  expect(new Set(Object.values(states()))).toEqual(new Set(['delivered']));
});

test('D-62: what one router could not send at once, another sends that owns its queue', async () => {
  const { clock, begin, states } = startMembers(() => ({ afterMs: 2_000, ...answers(200) }));
  const routers = [await begin('a'), await begin('b'), await begin('c')];
  await clock.advance(3_000);
  const [first] = routers;
  for (let count = 0; count < 40; count += 1) await first?.send(`m${count}`);
  await clock.advance(60_000);
  expect(new Set(Object.values(states()))).toEqual(new Set(['delivered']));
  expect(routers.filter(({ transport }) => transport.posts.length > 0).length).toBeGreaterThanOrEqual(1);
  expect(routers.reduce((sum, { transport }) => sum + transport.posts.length, 0)).toBe(40);
});

test('D-62: a router that joins takes over queues, and nothing that waited there is left behind', async () => {
  let fails = true;
  const { clock, begin, states } = startMembers(() => answers(fails ? 503 : 200));
  const first = await begin('a');
  for (const [index, destination] of destinations.entries()) await first.send(`m${index}`, destination);
  await clock.advance(500);
  const second = await begin('b');
  fails = false;
  await clock.advance(60_000);
  expect(new Set(Object.values(states()))).toEqual(new Set(['delivered']));
  expect(second.transport.posts.length).toBeGreaterThan(0);
});

test('D-25: a destination that one router parks is parked for all, and recovers for all', async () => {
  let fails = true;
  const { clock, begin, states } = startMembers(() => answers(fails ? 503 : 200));
  const routers = [await begin('a'), await begin('b'), await begin('c')];
  await clock.advance(2_500);
  for (let count = 0; count < 12; count += 1) {
    await routers[0]?.send(`m${count}`);
    await clock.advance(10);
  }
  await clock.advance(3_000);
  expect(routers.map(({ router }) => router.membership.parked)).toEqual([1, 1, 1]);
  fails = false;
  await clock.advance(120_000);
  expect(routers.map(({ router }) => router.membership.parked)).toEqual([0, 0, 0]);
  expect(new Set(Object.values(states()))).toEqual(new Set(['delivered']));
});

test('D-62: who does not tell how it divides limits is waited for until it must have heard that there are others', async () => {
  const { clock, begin } = startMembers();
  await begin('old', (own) => ({ exchange: (told) => own.exchange({ ...told, division: NO_SHARE }) }));
  const second = await begin('new');
  for (const [index, destination] of destinations.entries()) await second.send(`m${index}`, destination);
  await clock.advance(10_000);
  expect(second.transport.posts).toEqual([]);
  await clock.advance(10_000);
  await second.send('later', destinations[0]);
  await clock.advance(2_000);
  expect(second.transport.posts.length).toBeGreaterThan(0);
});

import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { MembershipWorld } from '../support/membership.ts';

test('a router that stops lets what is in flight end, and is a member until then', async () => {
  const world = new MembershipWorld({ endpoint: () => ({ afterMs: 3_000, ...answers(200) }) });
  await world.membership.start();
  await world.send('m1');
  const stopped = world.membership.stop(10_000);
  await world.clock.advance(2_999);
  expect(world.membership.node).toBe('one');
  await world.clock.advance(1);
  await stopped;
  expect(world.membership.node).toBeUndefined();
  expect(world.storage.deliveries).toMatchObject([{ state: 'delivered' }]);
});

test('a router that has stopped beats no more, joins no more, and complains of nothing', async () => {
  const world = new MembershipWorld();
  await world.membership.start();
  await world.membership.stop(0);
  const asked = { ...world.asked };
  await world.clock.advance(60_000);
  expect([world.asked, world.joins.length, world.logged]).toEqual([asked, 1, []]);
});

test('a router that is stopped while it cannot join gives up joining', async () => {
  const world = new MembershipWorld();
  await world.membership.start();
  world.fault = new Error('cut off');
  await world.clock.advance(20_000);
  await world.membership.stop(0);
  world.fault = undefined;
  await world.clock.advance(60_000);
  expect([world.joins.length, world.membership.node]).toEqual([1, undefined]);
});

test('a router that is stopped while it begins is no member once it has begun', async () => {
  const answered = Promise.withResolvers<void>();
  const world = new MembershipWorld({
    spoil: (own) => ({ beat: () => answered.promise.then(() => own.beat()) }),
  });
  const started = world.membership.start();
  await world.clock.advance(10);
  await world.membership.stop(0);
  answered.resolve();
  await started;
  await world.clock.advance(0);
  expect(world.membership.fault).toBeDefined();
  const { beat } = world.asked;
  await world.clock.advance(60_000);
  expect([world.asked.beat, world.membership.node]).toEqual([beat, undefined]);
});

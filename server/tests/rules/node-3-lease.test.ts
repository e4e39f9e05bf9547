import { expect, test } from 'vitest';
import { NotAMember } from '../../storage/errors.ts';
import { StoreUnavailable } from '../../storage/config-store.ts';
import type { Event } from '../../model/message.ts';
import type { Verbs } from '../../storage/verbs.ts';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { eventOf, targetOf } from '../support/engine.ts';
import { startMembers } from '../support/members.ts';

/** A way to the storage that can be cut. */
function cuttable(): { cut: (is: boolean) => void; spoil: (own: Verbs) => Verbs } {
  let isCut = false;
  const spoil = (own: Verbs): Verbs =>
    new Proxy(own, {
      get: (target, verb) => {
        const ask: unknown = Reflect.get(target, verb);
        if (typeof ask !== 'function') return ask;
        return (...given: unknown[]): unknown =>
          isCut ? Promise.reject(new StoreUnavailable('cut')) : Reflect.apply(ask, target, given);
      },
    });
  return { cut: (is) => (isCut = is), spoil };
}

test('a router that beats stays a member', async () => {
  const { clock, begin, states } = startMembers();
  const { router, send } = await begin('one');
  await clock.advance(120_000);
  await send('m1');
  await clock.advance(1_000);
  expect([states(), router.membership.fault]).toEqual([{ m1: 'delivered' }, undefined]);
});

test('NODE-3: a router that cannot reach its storage gives up what it sends 3 s before its lease ends', async () => {
  const { clock, storage, begin } = startMembers(() => ({ afterMs: 4_999, ...answers(200) }));
  const { cut, spoil } = cuttable();
  const { router, transport, logged, send } = await begin('one', spoil);
  await clock.advance(3_000);
  await send('m1');
  cut(true);
  // The last beat was at 2 s: its lease ends at 12 s.
  await clock.advance(5_999);
  expect(transport.posts).toMatchObject([{ at: expect.any(Number), endedAt: expect.any(Number) }]);
  await expect(send('m2')).rejects.toThrow(StoreUnavailable);
  await clock.advance(1);
  expect(router.membership.fault).toContain('joins again by itself');
  await expect(send('m3')).rejects.toThrow(NotAMember);
  expect(logged.map(({ message }) => message)).toContainEqual(expect.stringContaining('is over'));
  expect(storage.deliveries).toHaveLength(1);
});

test('D-64: a router that was cut off joins again by itself, and sends what waits', async () => {
  const { clock, storage, begin, states } = startMembers(() => ({ afterMs: 4_000, ...answers(200) }));
  const { cut, spoil } = cuttable();
  const { router, transport, send } = await begin('one', spoil);
  await clock.advance(6_500);
  await send('m1');
  cut(true);
  await clock.advance(30_000);
  cut(false);
  await clock.advance(10_000);
  expect([states(), router.membership.fault]).toEqual([{ m1: 'delivered' }, undefined]);
  expect(storage.deliveries).toMatchObject([{ holder: { epoch: 1 } }]);
  // It had an answer, which it could not write down until its storage was back.
  expect(transport.posts).toHaveLength(1);
});

test('NODE-3: a request that is prepared when the lease ends does not leave', async () => {
  const prepared = Promise.withResolvers<Event>();
  const target = { ...targetOf('https://example.test/hook'), reshape: () => prepared.promise };
  const { clock, begin } = startMembers(undefined, target);
  const { cut, spoil } = cuttable();
  const { transport, send } = await begin('one', spoil);
  await send('m1');
  cut(true);
  await clock.advance(60_000);
  prepared.resolve(eventOf(clock.now(), {}));
  await clock.advance(1_000);
  expect(transport.posts).toEqual([]);
});

test('NODE-3: a request that waits for its connection when the lease ends may not leave', async () => {
  const { clock, begin } = startMembers(() => ({ afterMs: 60_000, ...answers(200) }));
  const { cut, spoil } = cuttable();
  const { transport, send } = await begin('one', spoil);
  await send('m1');
  await clock.advance(1);
  const mayLeave = (): unknown => transport.posts[0]?.request.mayLeave?.();
  expect(mayLeave()).toBe(true);
  cut(true);
  await clock.advance(60_000);
  expect(mayLeave()).toBe(false);
});

test('NODE-3: a router that was stopped beyond its lease sends nothing when it goes on, and joins anew', async () => {
  const { clock, storage, begin, states } = startMembers(() => ({ afterMs: 1_000, ...answers(200) }));
  const paused = await begin('paused');
  const other = await begin('other');
  const names = Array.from({ length: 10 }, (_, index) => `m${index}`);
  await Promise.all(names.map((name) => paused.send(name)));
  await clock.advance(500);
  const sent = paused.transport.posts.length;
  paused.router.pause();
  await clock.advance(30_000);
  expect(Object.values(states())).toEqual(names.map(() => 'delivered'));
  const before = storage.deliveries;
  paused.router.resume();
  await clock.advance(0);
  expect([paused.transport.posts.length, storage.deliveries]).toEqual([sent, before]);
  await clock.advance(5_000);
  await paused.send('later');
  await clock.advance(5_000);
  expect(states()).toMatchObject({ later: 'delivered' });
  expect(storage.deliveries.at(-1)?.holder).toEqual({ node: 'paused', epoch: 2 });
  expect(other.transport.posts.length).toBe(names.length);
});

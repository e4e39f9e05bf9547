import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { OutcomeUnknown } from '../../storage/errors.ts';
import type { Verbs } from '../../storage/verbs.ts';
import { targetOf } from '../support/engine.ts';
import { startMembers } from '../support/members.ts';

/** A way to the storage on which so many answers of accepts are lost, or come late. */
function losing(count: number): (own: Verbs) => Partial<Verbs> {
  let left = count;
  return (own) => ({
    accept: async (request) => {
      const answer = await own.accept(request);
      if ((left -= 1) >= 0) throw new OutcomeUnknown('lost');
      return answer;
    },
  });
}

test('NODE-6: an accept whose answer was lost once is answered, and sent once', async () => {
  const { clock, begin, states } = startMembers();
  const { transport, send } = await begin('one', losing(1));
  await send('m1');
  await clock.advance(60_000);
  expect([states(), transport.posts.length]).toEqual([{ m1: 'delivered' }, 1]);
});

test('NODE-6: what an accept stored whose answers were all lost is sent all the same, once', async () => {
  const { clock, storage, begin, states } = startMembers();
  const { transport, logged, send } = await begin('one', losing(2));
  await expect(send('m1')).rejects.toThrow(OutcomeUnknown);
  await clock.advance(15_000);
  expect([states(), transport.posts.length]).toEqual([{ m1: 'trying' }, 0]);
  await clock.advance(10_000);
  expect([states(), transport.posts.length]).toEqual([{ m1: 'delivered' }, 1]);
  expect(logged.map(({ message }) => message)).toContain('deliveries whose answer was lost wait again');
  expect(storage.deliveries).toMatchObject([{ round: 2, tries: 0 }]);
});

test('NODE-6, HOOK-25: the next of a line is sent soon, although the answer that brought it was lost', async () => {
  const { clock, begin, states } = startMembers(undefined, { ...targetOf('https://example.test/hook'), inOrder: true });
  let isLost = true;
  const { transport, send } = await begin('one', (own) => ({
    record: async (rounds) => {
      const answer = await own.record(rounds);
      if (!isLost || answer.next.length === 0) return answer;
      isLost = false;
      throw new OutcomeUnknown('lost');
    },
  }));
  // As they are of one user, the second is taken with the end of the first.
  await Promise.all([send('m1'), send('m2')]);
  await clock.advance(6_000);
  expect([isLost, states(), transport.posts.length]).toEqual([false, { m1: 'delivered', m2: 'delivered' }, 2]);
});

test('NODE-6: what a claim took is sent soon, although its answer was lost', async () => {
  const { clock, begin, states } = startMembers(undefined, { ...targetOf('https://example.test/hook'), inOrder: true });
  let isLost = true;
  const { transport, send } = await begin('one', (own) => ({
    claim: async (request) => {
      const answer = await own.claim(request);
      if (!isLost || answer.claims.length === 0) return answer;
      isLost = false;
      throw new OutcomeUnknown('lost');
    },
  }));
  // Where several routers share a storage, events in lines are claimed.
  await send('m1');
  await clock.advance(6_000);
  expect([isLost, states(), transport.posts.length]).toEqual([false, { m1: 'delivered' }, 1]);
});

test('NODE-6: what an accept still waits to hear of is not let go', async () => {
  const { clock, begin, states } = startMembers();
  const late = Promise.withResolvers<void>();
  const { transport, send } = await begin('one', (own) => ({
    accept: async (request) => {
      const answer = await own.accept(request);
      await late.promise;
      return answer;
    },
  }));
  const accepted = send('m1');
  await clock.advance(60_000);
  expect([states(), transport.posts.length]).toEqual([{ m1: 'trying' }, 0]);
  late.resolve();
  await accepted;
  await clock.advance(60_000);
  expect([states(), transport.posts.length]).toEqual([{ m1: 'delivered' }, 1]);
});

test('NODE-6: what is sent for long is no stray', async () => {
  const { clock, begin } = startMembers(() => ({
    afterMs: 4_999,
    result: { kind: 'answered', status: 503, excerpt: '' },
  }));
  const { logged, send } = await begin('one');
  for (let count = 0; count < 40; count += 1) {
    await send(`m${count}`);
    await clock.advance(1_000);
  }
  expect(logged.map(({ message }) => message)).not.toContain('deliveries whose answer was lost wait again');
});

test('NODE-2: what may have been put back is asked for again, and not sent by two routers', async () => {
  const { clock, begin } = startMembers(() => ({ afterMs: 4_000, ...answers(200) }));
  let left = 2;
  const first = await begin('one', (own) => ({
    release: async (claims) => {
      const refused = await own.release(claims);
      if ((left -= 1) >= 0) throw new OutcomeUnknown('lost');
      return refused;
    },
  }));
  const names = Array.from({ length: 8 }, (_, index) => `workspaces/main/sources/s${index}/destinations/webhooks`);
  for (const name of names) for (let count = 0; count < 8; count += 1) await first.send(`${name} ${count}`, name);
  const second = await begin('two');
  await clock.advance(60_000);
  expect(left).toBeLessThanOrEqual(0);
  expect(second.transport.posts.length).toBeGreaterThan(0);
  expect(first.transport.posts.length + second.transport.posts.length).toBe(names.length * 8);
});

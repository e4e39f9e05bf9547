import { expect } from 'vitest';
import type { Verdict } from '../../ports/delivery-store.ts';
import type { DeliveryStoreFact, StoreUnderTest } from './delivery-store.ts';
import { A, NOW, accepted, firstOf, recordOf } from './delivery-store-events.ts';

/** What a round did holds, and nothing that is being tried is forgotten. */
export const VERDICT_FACTS: readonly DeliveryStoreFact[] = [
  {
    title: 'D-22: a postponed delivery keeps its rounds and its closed webhooks',
    check: async ({ store, reopen }) => {
      const [claims] = await store.accept([accepted('m1', true)]);
      const verdict = { state: 'pending', dueAt: NOW + 10_000, closed: ['https://b.test/'] } as const;
      await store.record([recordOf(firstOf(claims), verdict)]);
      const reopened = await reopen();
      expect((await reopened.claim({ which: 'due', destination: A, now: NOW + 9_999, limit: 1 })).claims).toEqual([]);
      const { claims: due } = await reopened.claim({ which: 'due', destination: A, now: NOW + 10_000, limit: 1 });
      expect(due).toMatchObject([{ round: 2, closed: ['https://b.test/'] }]);
    },
  },
  {
    title: 'a verdict counts once, and for the round that is being tried',
    check: async ({ store }) => {
      const [claims] = await store.accept([accepted('m1', true)]);
      const first = firstOf(claims);
      await store.record([recordOf(first, { state: 'pending', dueAt: NOW + 5, closed: [] })]);
      await store.record([recordOf(first, { state: 'delivered' })]);
      const { claims: again } = await store.claim({ which: 'due', destination: A, now: NOW + 5, limit: 1 });
      await store.record([recordOf(first, { state: 'delivered' })]);
      await store.record([recordOf(firstOf(again), { state: 'pending', dueAt: NOW + 9, closed: [] })]);
      expect(await store.backlog()).toMatchObject([{ waiting: 1, nextDueAt: NOW + 9 }]);
    },
  },
  {
    title: 'recover frees what was being tried, and keeps its rounds counted',
    check: async ({ store, reopen }) => {
      await store.accept([accepted('m1', true)]);
      const reopened = await reopen();
      expect(await reopened.recover(NOW + 5)).toBe(1);
      expect(await reopened.backlog()).toEqual([
        { destination: A, waiting: 1, nextDueAt: NOW + 5, oldestReceivedAt: NOW },
      ]);
      const { claims } = await reopened.claim({ which: 'due', destination: A, now: NOW + 5, limit: 1 });
      expect(claims.map((claim) => claim.round)).toEqual([2]);
    },
  },
  ...(['delivered', 'failed', 'expired', 'cancelled'] as const).map((state) => ({
    title: `a delivery that is ${state} never comes back`,
    check: (place: StoreUnderTest) => staysEnded(place, state),
  })),
];

async function staysEnded({ store, reopen }: StoreUnderTest, state: Ended): Promise<void> {
  const [claims] = await store.accept([accepted('m1', true)]);
  await store.record([recordOf(firstOf(claims), { state })]);
  const reopened = await reopen();
  expect(await reopened.recover(NOW)).toBe(0);
  expect(await reopened.backlog()).toEqual([]);
}

type Ended = Exclude<Verdict['state'], 'pending'>;

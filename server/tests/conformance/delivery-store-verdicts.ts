import { batchOf } from '../support/memory-storage.ts';
import { expect } from 'vitest';
import type { Verdict } from '../../model/delivery.ts';
import type { Claimed, DeliveryStorage } from '../../storage/delivery-storage.ts';
import type { DeliveryStoreFact, StoreUnderTest } from './delivery-store.ts';
import { A, NOW, accepted, firstOf, postponed, queues, recordOf } from './delivery-store-events.ts';

const HOUR = 3_600_000;

/** What a round did holds, and nothing that is being tried is forgotten. */
export const VERDICT_FACTS: readonly DeliveryStoreFact[] = [
  {
    title: 'D-22: a postponed delivery keeps its rounds and its closed webhooks',
    check: async ({ store, reopen }) => {
      const [claims] = await store.accept(batchOf([accepted('m1', true)]));
      await store.record([recordOf(firstOf(claims), postponed(NOW + 10_000, ['https://b.test/']))]);
      const reopened = await reopen();
      await reopened.join({ now: NOW });
      expect((await reopened.claim({ which: 'due', destination: A, now: NOW + 9_999, limit: 1 })).claims).toEqual([]);
      const { claims: due } = await reopened.claim({ which: 'due', destination: A, now: NOW + 10_000, limit: 1 });
      expect(due).toMatchObject([{ round: 2, closed: ['https://b.test/'] }]);
    },
  },
  {
    title: 'a verdict counts once, and for the round that is being tried',
    check: async ({ store }) => {
      const [claims] = await store.accept(batchOf([accepted('m1', true)]));
      const first = firstOf(claims);
      await store.record([recordOf(first, postponed(NOW + 5))]);
      await store.record([recordOf(first, { state: 'delivered' })]);
      const { claims: again } = await store.claim({ which: 'due', destination: A, now: NOW + 5, limit: 1 });
      await store.record([recordOf(first, { state: 'delivered' })]);
      await store.record([recordOf(firstOf(again), postponed(NOW + 9))]);
      expect(await queues(store)).toMatchObject([{ waiting: 1, nextDueAt: NOW + 9 }]);
    },
  },
  {
    title: 'joining frees what an earlier life was trying, and keeps its rounds counted',
    check: async ({ store, reopen }) => {
      await store.accept(batchOf([accepted('m1', true)]));
      const reopened = await reopen();
      expect(await reopened.join({ now: NOW + 5 })).toMatchObject({ freed: 1 });
      expect(await queues(reopened)).toEqual([
        { destination: A, waiting: 1, nextDueAt: NOW + 5, oldestReceivedAt: NOW },
      ]);
      const { claims } = await reopened.claim({ which: 'due', destination: A, now: NOW + 5, limit: 1 });
      expect(claims.map((claim) => claim.round)).toEqual([2]);
    },
  },
  {
    title: 'HOOK-20: tries are those that were recorded, whatever was put back or ended with its process',
    check: async ({ store, reopen }) => {
      const [claims] = await store.accept(batchOf([accepted('m1', true)]));
      expect(firstOf(claims)).toMatchObject({ round: 1, tries: 0 });
      await store.release([firstOf(claims)]);
      expect((await claimNext(store)).claims).toMatchObject([{ round: 2, tries: 0 }]);
      const reopened = await reopen();
      await reopened.join({ now: NOW });
      const { claims: third } = await claimNext(reopened);
      expect(third).toMatchObject([{ round: 3, tries: 0 }]);
      await reopened.record([recordOf(firstOf(third), postponed(NOW + 5, [], 7))]);
      expect((await claimNext(reopened)).claims).toMatchObject([{ round: 4, tries: 7 }]);
    },
  },
  {
    title: 'HOOK-21: what was set at a moment that the clock has not reached is due, with the window that it had left',
    check: async ({ store, reopen }) => {
      const [claims] = await store.accept(
        batchOf([accepted('waits', true), accepted('tried', true), accepted('new', false)]),
      );
      const set = { ...postponed(NOW + 70_000), setAt: NOW + 60_000 };
      await store.record([recordOf(firstOf(claims), set)]);
      const reopened = await reopen();
      expect(await reopened.join({ now: NOW - HOUR })).toMatchObject({ freed: 1 });
      const due = await reopened.claim({ which: 'due', destination: A, now: NOW - HOUR, limit: 10 });
      const windows = due.claims.map(({ message }) => [message.event.messageId, message.receivedAt] as const);
      expect(new Map(windows)).toEqual(
        new Map([
          ['waits', NOW - HOUR - 60_000],
          ['tried', NOW - HOUR],
          ['new', NOW - HOUR],
        ]),
      );
    },
  },
  {
    title: 'HOOK-21: what was set at a moment that has come stays as it is',
    check: async ({ store, reopen }) => {
      const [claims] = await store.accept(batchOf([accepted('m1', true)]));
      await store.record([recordOf(firstOf(claims), { ...postponed(NOW + 70_000), setAt: NOW + 60_000 })]);
      const reopened = await reopen();
      await reopened.join({ now: NOW + 60_000 });
      expect(await queues(reopened)).toEqual([
        { destination: A, waiting: 1, nextDueAt: NOW + 70_000, oldestReceivedAt: NOW },
      ]);
    },
  },
  ...(['delivered', 'failed', 'expired', 'cancelled'] as const).map((state) => ({
    title: `a delivery that is ${state} never comes back`,
    check: (place: StoreUnderTest) => staysEnded(place, state),
  })),
];

function claimNext(store: DeliveryStorage): Promise<Claimed> {
  return store.claim({ which: 'due', destination: A, now: NOW + 5, limit: 1 });
}

async function staysEnded({ store, reopen }: StoreUnderTest, state: Ended): Promise<void> {
  const [claims] = await store.accept(batchOf([accepted('m1', true)]));
  await store.record([recordOf(firstOf(claims), { state })]);
  const reopened = await reopen();
  expect(await reopened.join({ now: NOW })).toMatchObject({ freed: 0 });
  expect(await queues(reopened)).toEqual([]);
}

type Ended = Exclude<Verdict['state'], 'pending'>;

import { expect } from 'vitest';
import { batchOf } from '../support/memory-storage.ts';
import { A, message } from './delivery-store-events.ts';
import type { DeliveryStoreFact } from './delivery-store.ts';

const HOUR = 3_600_000;
const [SHOP, BANK] = ['workspaces/shop', 'workspaces/bank'];
const HOURS = [1_000 * HOUR, 1_001 * HOUR] as const;

function of(name: string, hour: number, count: number, what = 'events') {
  return { of: name, hour, what, count };
}

/** What others count in the storage. */
export const COUNT_FACTS: readonly DeliveryStoreFact[] = [
  {
    title: 'counts are added up by name, hour and what, and each answer is what there is then',
    check: async ({ store }) => {
      const [first, second] = HOURS;
      expect(await store.addCounts([of(SHOP, first, 2), of(BANK, first, 3), of(SHOP, second, 4)])).toEqual([2, 3, 4]);
      expect(await store.addCounts([of(SHOP, first, 5, 'other'), of(SHOP, first, 1), of(BANK, first, -1)])).toEqual([
        5, 3, 2,
      ]);
      expect(await store.addCounts([of(SHOP, first, 0)])).toEqual([3]);
      expect(await store.addCounts([])).toEqual([]);
      const there = await store.counts({ destination: SHOP, from: first, to: second + HOUR });
      expect(there.toSorted((a, b) => a.hour - b.hour || (a.what < b.what ? -1 : 1))).toEqual([
        { hour: first, what: 'events', count: 3 },
        { hour: first, what: 'other', count: 5 },
        { hour: second, what: 'events', count: 4 },
      ]);
    },
  },
  {
    title: 'counts that were added are there after reopening',
    check: async ({ store, reopen }) => {
      const [hour] = HOURS;
      await store.addCounts([of(SHOP, hour, 2)]);
      await store.accept(batchOf([{ message: message('m1'), routes: [{ destination: A, claimed: false }] }]));
      const again = await reopen();
      expect(await again.addCounts([of(SHOP, hour, 1)])).toEqual([3]);
    },
  },
  {
    title: 'what another node counted is in the answer',
    needsTwoNodes: true,
    check: async ({ store, other }) => {
      const [hour] = HOURS;
      const neighbor = await other?.();
      await neighbor?.addCounts([of(SHOP, hour, 2)]);
      expect(await store.addCounts([of(SHOP, hour, 1)])).toEqual([3]);
    },
  },
];

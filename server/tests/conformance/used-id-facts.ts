import { expect } from 'vitest';
import type { Use } from '../../storage/used-ids.ts';
import type { Verbs } from '../../storage/verbs.ts';
import { NOW } from './delivery-store-events.ts';
import type { DeliveryStoreFact } from './delivery-store.ts';

const MINUTE = 60_000;
const [JS, IOS] = ['workspaces/main/sources/js', 'workspaces/main/sources/ios'];
const PURGE = { endedBefore: NOW - MINUTE, seenBefore: NOW - MINUTE, limit: 100 };

function use(store: Verbs, id: string, given: Partial<Use> = {}): Promise<string> {
  return store.useOnce({ owner: JS, id, now: NOW, forMs: MINUTE, limit: 100, ...given });
}

/** What may be used once, as long as it is remembered. */
export const USED_ID_FACTS: readonly DeliveryStoreFact[] = [
  {
    title: 'ING-1: what may be used once is used once, and each owner has ids of its own',
    check: async ({ store }) => {
      const long = 'x'.repeat(10_000);
      const other = use(store, `${long}y`);
      // Of two at once either may be the first: they go over connections of their own where a storage has several.
      const both = await Promise.all([use(store, long), use(store, long)]);
      expect(both.toSorted()).toEqual(['again', 'first']);
      expect([await other, await use(store, long)]).toEqual(['first', 'again']);
      expect(await use(store, long, { owner: IOS })).toBe('first');
    },
  },
  {
    title: 'ING-1: what was used once is not used again after reopening',
    check: async ({ store, reopen }) => {
      expect(await use(store, 'a')).toBe('first');
      expect(await use(await reopen(), 'a')).toBe('again');
    },
  },
  {
    title: 'ING-1: what was used once is remembered until it is over, whatever was purged, and no longer',
    check: async ({ store, advance }) => {
      await use(store, 'a');
      const last = NOW + MINUTE - 1;
      await advance?.(MINUTE - 1);
      await store.purge({ ...PURGE, usedBefore: last });
      expect(await use(store, 'a', { now: last })).toBe('again');
      await advance?.(1);
      expect(await use(store, 'a', { now: last + 1 })).toBe('first');
      await advance?.(MINUTE);
      await store.purge({ ...PURGE, usedBefore: NOW + 2 * MINUTE });
      expect(await use(store, 'a', { now: NOW + 2 * MINUTE })).toBe('first');
    },
  },
  {
    title: 'ING-1: of one owner only so many are remembered, until some of them are over',
    check: async ({ store, advance }) => {
      const full = { limit: 2 };
      for (const id of ['a', 'b']) await use(store, id, full);
      expect([await use(store, 'c', full), await use(store, 'a', full)]).toEqual(['full', 'again']);
      expect(await use(store, 'c', { ...full, owner: IOS })).toBe('first');
      await advance?.(MINUTE);
      expect(await use(store, 'c', { ...full, now: NOW + MINUTE })).toBe('first');
    },
  },
  {
    title: 'ING-1: what another node used is used',
    needsTwoNodes: true,
    check: async ({ store, other }) => {
      const neighbor = await other?.();
      expect(neighbor && (await use(neighbor, 'a'))).toBe('first');
      expect(await use(store, 'a')).toBe('again');
    },
  },
];

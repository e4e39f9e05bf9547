import { batchOf } from '../support/memory-storage.ts';
import { expect } from 'vitest';
import type { DeliveryStoreFact } from './delivery-store.ts';
import {
  A,
  B,
  NOTHING,
  NOW,
  accepted,
  firstOf,
  ids,
  message,
  postponed,
  recordOf,
  unfinished,
} from './delivery-store-events.ts';

/** Who takes a delivery has it alone, in the order that was asked for. */
export const CLAIM_FACTS: readonly DeliveryStoreFact[] = [
  {
    title: 'a claim counts its round and takes each delivery once',
    check: async ({ store }) => {
      await store.accept(batchOf([accepted('m1', false), accepted('m2', false)]));
      const request = { which: 'due', destination: A, now: NOW, limit: 10 } as const;
      const both = await Promise.all([store.claim(request), store.claim(request)]);
      expect(both.flatMap(({ claims }) => claims.map(({ round }) => round))).toEqual([1, 1]);
      // Of two at once the second may still see what waited for the first; whoever comes later does not.
      expect(await store.claim(request)).toEqual(NOTHING);
    },
  },
  {
    title: 'what has not ended is counted by state, over all destinations, with its oldest',
    check: async ({ store, reopen }) => {
      const none = { count: 0, oldestReceivedAt: undefined };
      expect(await unfinished(store)).toEqual([
        { state: 'pending', ...none },
        { state: 'trying', ...none },
      ]);
      await store.accept(batchOf([accepted('m1', true, 5), accepted('m2', false, 7), accepted('m3', false, 3)]));
      await store.accept(batchOf([{ message: message('m4', 1), routes: [{ destination: B, claimed: false }] }]));
      const counts = [
        { state: 'pending', count: 3, oldestReceivedAt: NOW + 1 },
        { state: 'trying', count: 1, oldestReceivedAt: NOW + 5 },
      ];
      expect(await unfinished(store)).toEqual(counts);
      expect(await unfinished(await reopen())).toEqual(counts);
    },
  },
  {
    title: 'a claim takes what is due, earliest first, up to its limit',
    check: async ({ store }) => {
      await store.accept(
        batchOf([accepted('late', false, 20), accepted('early', false, 10), accepted('future', false, 5_000)]),
      );
      const first = await store.claim({ which: 'due', destination: A, now: NOW + 100, limit: 1 });
      expect(ids(first.claims)).toEqual(['early']);
      expect(first.nextDueAt).toBe(NOW + 20);
      const rest = await store.claim({ which: 'due', destination: A, now: NOW + 100, limit: 10 });
      expect(ids(rest.claims)).toEqual(['late']);
      expect(rest.nextDueAt).toBe(NOW + 5_000);
    },
  },
  {
    title: 'D-26: a claim takes as much as its bytes hold, and one event in any case',
    check: async ({ store }) => {
      await store.accept(batchOf([accepted('m1', false), accepted('m2', false), accepted('m3', false)]));
      const request = { which: 'due', destination: A, now: NOW, limit: 10 } as const;
      const first = await store.claim({ ...request, bytes: 1 });
      expect(ids(first.claims)).toEqual(['m1']);
      const bytes = JSON.stringify(message('m1').event).length;
      expect([first.claims[0]?.bytes, first.nextDueAt]).toEqual([bytes, NOW]);
      const second = await store.claim({ ...request, bytes: 2 * bytes });
      expect(ids(second.claims)).toEqual(['m2', 'm3']);
    },
  },
  {
    title: 'what is taken for many destinations at once is of each its own, up to its own limits',
    check: async ({ store }) => {
      const several = [0, 1, 2, 3, 4].map((at) => `${A}-${at}`);
      const routes = several.map((destination) => ({ destination, claimed: false }));
      await store.accept(batchOf([3, 2, 1].map((offset) => ({ message: message(`m${offset}`, offset), routes }))));
      await store.accept(batchOf([accepted('m4', false, 4)]));
      const due = { which: 'due', now: NOW + 2, limit: 9, bytes: 9_999 } as const;
      const own = [{ limit: 1 }, { bytes: 1 }, {}, { now: NOW + 1 }, { now: NOW }];
      const look = () =>
        Promise.all(several.map((destination, at) => store.claim({ ...due, destination, ...own[at] })));
      const [first, second] = [await look(), await look()];
      const twice = await Promise.all(
        [1, 2].map((limit) => store.claim({ ...due, destination: A, now: NOW + 4, limit })),
      );
      expect(twice.flatMap(({ claims }) => ids(claims))).toEqual(['m4']);
      expect(first.map(({ claims }) => ids(claims))).toEqual([['m1'], ['m1'], ['m1', 'm2'], ['m1'], []]);
      expect(first.map(({ claims }) => new Set(claims.map(({ destination }) => destination)))).toEqual(
        several.map((destination, at) => new Set(at === 4 ? [] : [destination])),
      );
      expect(first.map(({ nextDueAt = 0 }) => nextDueAt - NOW)).toEqual([2, 2, 3, 2, 1]);
      expect(second.map(({ claims }) => ids(claims))).toEqual([['m2'], ['m2'], [], [], []]);
      expect(second.map(({ nextDueAt = 0 }) => nextDueAt - NOW)).toEqual([3, 3, 3, 2, 1]);
    },
  },
  {
    title: 'D-25: a probe is the least tried of the oldest, due or not',
    check: async ({ store }) => {
      const answer = await store.accept(
        batchOf([accepted('tried', true), accepted('newer', false, 9_001), accepted('fresh', false, 9_000)]),
      );
      await store.record([recordOf(firstOf(answer[0]), postponed(NOW + 60_000))]);
      const probe = await store.claim({ which: 'probe', destination: A, limit: 1 });
      expect(ids(probe.claims)).toEqual(['fresh']);
      expect(probe).toMatchObject({ nextDueAt: NOW + 9_001, oldestReceivedAt: NOW });
    },
  },
  {
    title: 'D-25: what was received up to a moment is claimed, due or not',
    check: async ({ store }) => {
      await store.accept(batchOf([accepted('old', false), accepted('young', false, 10)]));
      const last = await store.claim({ which: 'received', upTo: NOW + 9, destination: A, limit: 10 });
      expect(ids(last.claims)).toEqual(['old']);
      expect(last.oldestReceivedAt).toBe(NOW + 10);
    },
  },
  {
    title: 'a claim sees only its own destination',
    check: async ({ store }) => {
      await store.accept(batchOf([accepted('m1', false)]));
      expect(await store.claim({ which: 'due', destination: B, now: NOW, limit: 10 })).toEqual(NOTHING);
    },
  },
  {
    title: 'release puts a claim back as if it had not been taken, its round counted',
    check: async ({ store }) => {
      const [claims] = await store.accept(batchOf([accepted('m1', true)]));
      expect(await store.release([firstOf(claims)])).toEqual([]);
      const again = await store.claim({ which: 'due', destination: A, now: NOW, limit: 1 });
      expect(again.claims.map((claim) => claim.round)).toEqual([2]);
    },
  },
];

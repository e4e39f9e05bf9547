import { expect } from 'vitest';
import type { DeliveryStoreFact } from './delivery-store.ts';
import { A, accepted, B, firstOf, NOW, recordOf } from './delivery-store-events.ts';
import { batchOf } from '../support/memory-storage.ts';
import { AUDIENCE, started, telling, tellOf, TRAIT } from './telling-events.ts';

const NOTHING_COUNTED = { sent: 0, delivered: 0, failed: 0, expired: 0, superseded: 0, held: 0 };
const BASIS = { updateTime: '2026-01-01T00:00:00.000Z', digest: 'x', made: { [A]: '2025-12-31T00:00:00.000Z' } };
const COUNTS = { evaluated: 9, size: 4, entered: 3, left: 2 };
const EVERYTHING = { seenBefore: NOW, usedBefore: NOW, limit: 100 };

/** Runs of audiences and computed traits have numbers, and go on where they were. */
export const SYNC_FACTS: readonly DeliveryStoreFact[] = [
  {
    title: 'AUD-4: one sync of a computation runs at a time, and the next is numbered behind it',
    check: async ({ store }) => {
      const start = { computation: AUDIENCE, now: NOW };
      const cursor = { destinations: [] };
      const first = { computation: AUDIENCE, number: 1, state: 'RUNNING', startedAt: NOW, cursor, ...NOTHING_COUNTED };
      expect(await store.startSync(start)).toEqual(first);
      expect(await store.startSync({ ...start, now: NOW + 9 })).toEqual(first);
      await store.endSync({ computation: AUDIENCE, number: 1, state: 'DONE', now: NOW + 9 });
      expect(await store.startSync(start)).toEqual({ ...first, number: 2 });
      expect(await store.startSync({ ...start, computation: TRAIT })).toEqual({ ...first, computation: TRAIT });
    },
  },
  {
    title: 'AUD-4: a sync goes on after reopening, from the user that it had come to',
    check: async ({ store, reopen }) => {
      const sync = await started(store);
      const of = { computation: AUDIENCE, number: sync.number };
      const found = { computed: COUNTS, basis: BASIS };
      const destinations = [A, B];
      const computed = await store.computedSync({ ...of, counts: COUNTS, basis: BASIS, destinations });
      expect(computed).toEqual({ ...sync, ...found, cursor: { destinations } });
      const cursor = { destinations: [A, B], after: 'ünal😀' };
      const told = await tellOf(store, sync, [telling('ünal😀')], { cursor });
      const reopened = await reopen();
      expect(await reopened.getSync(of)).toEqual({ ...sync, ...found, sent: 1, cursor });
      expect(told).toEqual({ sync: await reopened.getSync(of), heldBack: [] });
      expect(await reopened.openSyncs()).toEqual([await reopened.getSync(of)]);
    },
  },
  {
    title: 'AUD-4: a sync that has ended stays as it is, and tells nothing more',
    check: async ({ store }) => {
      const sync = await started(store);
      const of = { computation: AUDIENCE, number: 1 };
      const end = { ...of, state: 'FAILED', reason: 'no room', now: NOW + 5 } as const;
      const failed = { ...sync, state: 'FAILED', reason: 'no room', endedAt: NOW + 5 };
      expect(await store.endSync(end)).toEqual(failed);
      expect(await store.endSync({ ...of, state: 'DONE', now: NOW + 9 })).toEqual(failed);
      expect(await store.computedSync({ ...of, counts: COUNTS, destinations: [A] })).toBeUndefined();
      expect(await tellOf(store, sync, [telling('ada')])).toBe('over');
      expect(await store.getSync(of)).toEqual(failed);
      expect(await store.endSync({ ...of, number: 2, state: 'DONE', now: NOW })).toBeUndefined();
      expect(await store.waiting({ destination: A, limit: 9 })).toBe(0);
    },
  },
  {
    title: 'syncs are listed by computation, newest first, page by page',
    check: async ({ store }) => {
      for (let number = 1; number <= 3; number += 1) {
        await started(store);
        await store.endSync({ computation: AUDIENCE, number, state: 'DONE', now: NOW });
      }
      await started(store, TRAIT);
      const numbers = async (before?: number) =>
        (await store.listSyncs({ computations: [AUDIENCE], before, limit: 2 })).map(({ number }) => number);
      expect([await numbers(), await numbers(2), await numbers(1)]).toEqual([[3, 2], [1], []]);
      expect([await numbers(0), await numbers(Number.MAX_SAFE_INTEGER)]).toEqual([[], [3, 2]]);
      const last = await store.listSyncs({ computations: [TRAIT, AUDIENCE, `${AUDIENCE}2`], limit: 1 });
      expect(last.map(({ computation, number }) => [computation, number])).toEqual([
        [TRAIT, 1],
        [AUDIENCE, 3],
      ]);
      expect(await store.getSync({ computation: TRAIT, number: 2 })).toBeUndefined();
      const never = { computation: AUDIENCE, number: 999_999_999_999_999 };
      expect(await store.endSync({ ...never, state: 'CANCELLED', now: NOW })).toBeUndefined();
    },
  },
  {
    title: 'AUD-4: the last sync of each is open, and those whose tellings have not all ended',
    check: async ({ store }) => {
      for (const user of [undefined, 'ada', undefined]) {
        const sync = await started(store);
        await tellOf(store, sync, user === undefined ? [] : [telling(user)]);
        await store.endSync({ computation: AUDIENCE, number: sync.number, state: 'DONE', now: NOW });
      }
      await started(store, TRAIT);
      const open = async (of?: { readonly computation: string }) =>
        (await store.openSyncs(of)).map(({ computation, number }) => `${computation} ${number}`).toSorted();
      expect(await open()).toEqual([`${AUDIENCE} 2`, `${AUDIENCE} 3`, `${TRAIT} 1`]);
      expect(await open({ computation: AUDIENCE })).toEqual([`${AUDIENCE} 2`, `${AUDIENCE} 3`]);
      expect(await open({ computation: TRAIT })).toEqual([`${TRAIT} 1`]);
    },
  },
  {
    title: 'SAFE-2: old syncs go, a few at a time, but for the last, and those whose tellings have not been counted',
    check: async ({ store }) => {
      for (const users of [[], ['ada'], [], []]) {
        const sync = await started(store);
        await tellOf(
          store,
          sync,
          users.map((user) => telling(user)),
        );
        await store.endSync({ computation: AUDIENCE, number: sync.number, state: 'DONE', now: NOW });
      }
      const numbers = async () =>
        (await store.listSyncs({ computations: [AUDIENCE], limit: 9 })).map(({ number }) => number);
      await store.purge({ ...EVERYTHING, endedBefore: NOW });
      expect(await numbers()).toEqual([4, 3, 2, 1]);
      let after: string | undefined;
      do after = (await store.purge({ ...EVERYTHING, endedBefore: NOW + 1, after, limit: 1 })).next;
      while (after !== undefined);
      expect(await numbers()).toEqual([4, 2]);
      const { claims } = await store.claim({ which: 'due', destination: A, now: NOW, limit: 1 });
      await store.record([recordOf(firstOf(claims), { state: 'delivered' })]);
      // The newest delivery stays in any case.
      await store.accept(batchOf([accepted('younger', false)]));
      await store.purge({ ...EVERYTHING, endedBefore: NOW + 1 });
      const settled = await store.settle({ computation: AUDIENCE, sync: 2, limit: 9 });
      expect(settled).toMatchObject({ sync: { delivered: 1 } });
      await store.purge({ ...EVERYTHING, endedBefore: NOW + 1 });
      expect(await numbers()).toEqual([4]);
    },
  },
];

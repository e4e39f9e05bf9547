import { expect } from 'vitest';
import type { Verbs } from '../../storage/verbs.ts';
import type { DeliveryStoreFact } from './delivery-store.ts';
import { A, allPages, B, firstOf, NOW, postponed, queues, recordOf } from './delivery-store-events.ts';
import { AUDIENCE, next, started, taken, telling, tellOf, toldOf, TRAIT } from './telling-events.ts';

const SETTLE = { computation: AUDIENCE, limit: 100 } as const;

/** What was told goes with its users, its destinations and its computations. */
export const FORGOTTEN_FACTS: readonly DeliveryStoreFact[] = [
  {
    title: 'AUD-9: an erasure removes what was told of a user and waits for it, in its workspace alone',
    check: async ({ store }) => {
      const other = 'workspaces/other/audiences/aud_1';
      for (const computation of [AUDIENCE, TRAIT, other]) {
        const tellings = ['ada', 'bob'].map((user) => telling(user, 'true', computation));
        await tellOf(store, await started(store, computation), tellings);
        await tellOf(store, await started(store, computation), tellings, { destination: B });
      }
      await eraseAll(store, 'workspaces/main/sources/js', ['ada']);
      expect(await toldOf(store)).toHaveLength(2);
      expect(await eraseAll(store, 'workspaces/main', ['ada', 'nobody'])).toBe(4);
      for (const computation of [AUDIENCE, TRAIT]) {
        expect(await toldOf(store, computation)).toEqual([{ user: 'bob', value: 'true' }]);
        expect(await toldOf(store, computation, B)).toEqual([{ user: 'bob', value: 'true' }]);
      }
      expect(await toldOf(store, other)).toHaveLength(2);
      expect(await store.settle({ ...SETTLE, sync: 1 })).toMatchObject({ sync: { sent: 4, superseded: 2 } });
    },
  },
  {
    title: 'AUD-9: what was decided before an erasure is not told after it',
    check: async ({ store }) => {
      const sync = await started(store);
      const { erasures } = await store.told({ computation: AUDIENCE, destination: A, limit: 9 });
      await tellOf(store, sync, [telling('bob')], { erasures });
      await store.eraseUsers({ scope: 'workspaces/main', userIds: ['ada'], now: NOW, limit: 9 });
      expect(await tellOf(store, sync, [telling('ada')], { erasures })).toBe('stale');
      expect(await toldOf(store)).toEqual([{ user: 'bob', value: 'true' }]);
      expect(await queues(store)).toMatchObject([{ waiting: 1 }]);
      expect(await tellOf(store, sync, [telling('cy')])).toMatchObject({ sync: { sent: 2 } });
    },
  },
  {
    title:
      'AUD-9: a sync that has come to a user who is erased begins the destination anew; none that has ended names one, and both know how many were left out',
    check: async ({ store }) => {
      const first = await started(store);
      const place = { destinations: [A, B], leftOut: 3 };
      const cursor = { ...place, after: 'ada' };
      await tellOf(store, first, [], { cursor });
      const second = await next(store, first);
      expect((await store.getSync({ computation: AUDIENCE, number: 1 }))?.cursor).toEqual(place);
      await tellOf(store, second, [], { cursor });
      const trait = await started(store, TRAIT);
      await tellOf(store, trait, [], { cursor: { ...cursor, after: 'bob' } });
      await eraseAll(store, 'workspaces/main', ['ada']);
      expect((await store.getSync({ computation: AUDIENCE, number: 2 }))?.cursor).toEqual(place);
      expect((await store.getSync({ computation: TRAIT, number: 1 }))?.cursor.after).toBe('bob');
    },
  },
  {
    title: 'what destinations that are not to be kept were told is forgotten, a part at a time',
    check: async ({ store }) => {
      const users = ['a', 'b', 'c'].map((user) => telling(user));
      for (const destination of [A, B]) await tellOf(store, await started(store), users, { destination });
      await tellOf(store, await started(store, TRAIT), [telling('a', '1', TRAIT)]);
      expect((await store.toldDestinations({ computation: AUDIENCE })).toSorted()).toEqual([A, B].toSorted());
      expect(await store.toldDestinations({ computation: TRAIT })).toEqual([A]);
      expect(await store.forgetTold({ computation: AUDIENCE, keep: [A, B], limit: 2, now: NOW })).toBe(false);
      expect(await store.forgetTold({ computation: AUDIENCE, keep: [B], limit: 2, now: NOW })).toBe(true);
      expect(await toldOf(store)).toHaveLength(1);
      expect(await store.forgetTold({ computation: AUDIENCE, keep: [B], limit: 2, now: NOW })).toBe(false);
      expect([await toldOf(store), await toldOf(store, AUDIENCE, B)]).toMatchObject([
        [],
        users.map(({ user }) => ({ user })),
      ]);
      expect(await store.toldDestinations({ computation: AUDIENCE })).toEqual([B]);
      expect(await store.getSync({ computation: AUDIENCE, number: 1 })).toBeDefined();
      expect(await toldOf(store, TRAIT)).toHaveLength(1);
    },
  },
  {
    title:
      'AUD-8: what waits for a destination whose tellings are forgotten is cancelled, and what is being sent is told again',
    check: async ({ store }) => {
      const first = await started(store);
      for (const destination of [A, B]) await tellOf(store, first, [telling('ada')], { destination });
      const [claim] = await taken(store);
      await tellOf(store, first, [telling('bob')]);
      expect(await store.forgetTold({ computation: AUDIENCE, keep: [B], limit: 9, now: NOW })).toBe(false);
      expect(await toldOf(store)).toEqual([{ user: 'ada', value: undefined }]);
      expect(await toldOf(store, AUDIENCE, B)).toEqual([{ user: 'ada', value: 'true' }]);
      expect(await queues(store)).toMatchObject([{ destination: B, waiting: 1 }]);
      const second = await next(store, first);
      const tellings = [telling('ada', 'false'), telling('bob', 'false')];
      expect(await tellOf(store, second, tellings)).toMatchObject({ heldBack: ['ada'] });
      await store.record([recordOf(firstOf(claim && [claim]), postponed(NOW))]);
      expect(await tellOf(store, second, tellings)).toMatchObject({ heldBack: [] });
      const waiting = await taken(store);
      expect(waiting.map(({ message: { event } }) => event.traits)).toEqual([{ key: 'false' }, { key: 'false' }]);
      expect(await store.settle({ ...SETTLE, sync: 1 })).toMatchObject({ sync: { sent: 3, superseded: 2 } });
    },
  },
  {
    title: 'of a computation that was deleted all is forgotten, its syncs too',
    check: async ({ store }) => {
      const users = ['a', 'b', 'c'].map((user) => telling(user));
      await tellOf(store, await started(store), users);
      await tellOf(store, await started(store, TRAIT), [telling('a', '1', TRAIT)]);
      const parts = await allPages(async () => {
        const isMore = await store.forgetTold({ computation: AUDIENCE, limit: 2, now: NOW });
        return { rows: [isMore], next: isMore ? 'more' : undefined };
      });
      expect(parts.length).toBeGreaterThan(1);
      expect(await toldOf(store)).toEqual([]);
      expect((await store.openSyncs()).map(({ computation }) => computation)).toEqual([TRAIT]);
      expect(await store.settle({ ...SETTLE, sync: 1 })).toEqual({ sync: undefined, isMore: false });
      expect(await toldOf(store, TRAIT)).toHaveLength(1);
    },
  },
  {
    title: 'SAFE-2: syncs of a computation that was deleted go a few at a time, the oldest first',
    check: async ({ store }) => {
      for (let sync = await started(store); sync.number < 5; sync = await next(store, sync));
      const left = async () =>
        (await store.listSyncs({ computations: [AUDIENCE], limit: 9 })).map(({ number }) => number);
      const forget = () => store.forgetTold({ computation: AUDIENCE, limit: 2, now: NOW });
      expect([await forget(), await left()]).toEqual([true, [5, 4, 3]]);
      expect([await forget(), await forget(), await left()]).toEqual([true, false, []]);
    },
  },
];

async function eraseAll(store: Verbs, scope: string, userIds: readonly string[]): Promise<number> {
  const pages = await allPages(async (after) => {
    const { deliveries, next: more } = await store.eraseUsers({ scope, userIds, now: NOW, after, limit: 3 });
    return { rows: [deliveries], next: more };
  });
  return pages.reduce((sum, count) => sum + count);
}

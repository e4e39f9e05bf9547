import { expect } from 'vitest';
import { momentAt } from '../support/still-clock.ts';
import { batchOf } from '../support/memory-storage.ts';
import type { DeliveryStoreFact } from './delivery-store.ts';
import { A, accepted, B, firstOf, NOW, queues, recordOf } from './delivery-store-events.ts';
import { AUDIENCE, endAll, next, started, taken, telling, tellOf, toldOf, TRAIT } from './telling-events.ts';

const SETTLE = { computation: AUDIENCE, limit: 100 } as const;

/** What a destination was told, and what waits for it, are of one piece. */
export const TELLING_FACTS: readonly DeliveryStoreFact[] = [
  {
    title: 'AUD-3: what is told is due at once, and known as told, after reopening too',
    check: async ({ store, reopen }) => {
      const sync = await started(store);
      const tellings = [telling('ada'), telling('bob', '{"a":[1]}')];
      const answer = await tellOf(store, sync, tellings, { cursor: { destinations: [B] } });
      const counted = { ...sync, sent: 2, cursor: { destinations: [B] } };
      expect(answer).toEqual({ sync: counted, heldBack: [] });
      const reopened = await reopen();
      expect(await toldOf(reopened)).toEqual([
        { user: 'ada', value: 'true' },
        { user: 'bob', value: '{"a":[1]}' },
      ]);
      expect(await queues(reopened)).toEqual([{ destination: A, waiting: 2, nextDueAt: NOW, oldestReceivedAt: NOW }]);
      await reopened.join({ now: NOW });
      expect((await taken(reopened)).map(({ message }) => message)).toEqual(tellings.map(({ message }) => message));
      const { deliveries } = await reopened.list({ destination: A, filter: { userId: 'bob' }, limit: 9 });
      expect(deliveries).toMatchObject([{ type: 'identify', messageId: 'bob {"a":[1]}', receivedAt: NOW }]);
    },
  },
  {
    title: 'AUD-8: what waits for a user is cancelled by a later value, which alone is sent',
    check: async ({ store }) => {
      const first = await started(store);
      await tellOf(store, first, [telling('ada'), telling('bob')]);
      const second = await next(store, first);
      await tellOf(store, second, [telling('ada', 'false')]);
      expect((await taken(store)).map(({ message }) => message.event.messageId)).toEqual(['bob true', 'ada false']);
      const { deliveries } = await store.list({ destination: A, filter: { userId: 'ada' }, limit: 9 });
      expect(deliveries.map(({ state, messageId }) => `${messageId} ${state}`).toSorted()).toEqual([
        'ada false trying',
        'ada true cancelled',
      ]);
      expect(await store.counts({ destination: A, from: NOW, to: NOW + 1 })).toMatchObject([
        { what: 'cancelled', count: 1 },
      ]);
      const settled = await store.settle({ ...SETTLE, sync: 1 });
      expect(settled).toMatchObject({ sync: { sent: 2, superseded: 1 } });
      expect(await toldOf(store)).toMatchObject([{ user: 'ada', value: 'false' }, { user: 'bob' }]);
    },
  },
  {
    title: 'AUD-8: a value is told to each destination, and of each computation, for itself',
    check: async ({ store }) => {
      await tellOf(store, await started(store), [telling('ada')]);
      await tellOf(store, await started(store), [telling('ada', '1')], { destination: B });
      await tellOf(store, await started(store, TRAIT), [telling('ada', '2', TRAIT)]);
      const waiting = [A, B].map((destination) => store.waiting({ destination, limit: 9 }));
      expect(await Promise.all(waiting)).toEqual([2, 1]);
      const values = [toldOf(store), toldOf(store, AUDIENCE, B), toldOf(store, TRAIT), toldOf(store, TRAIT, B)];
      expect((await Promise.all(values)).map((told) => told[0]?.value)).toEqual(['true', '1', '2', undefined]);
    },
  },
  {
    title: 'AUD-8: a user who is just being told an earlier value is held back, and counted once',
    check: async ({ store }) => {
      const first = await started(store);
      await tellOf(store, first, [telling('ada'), telling('bob')]);
      const [claim] = await taken(store);
      const second = await next(store, first);
      const tellings = [telling('ada', 'false'), telling('cy')];
      const expected = { sync: { ...second, sent: 1, held: 1 }, heldBack: ['ada'] };
      expect(await tellOf(store, second, tellings)).toEqual(expected);
      expect(await tellOf(store, second, tellings)).toEqual(expected);
      expect(await toldOf(store)).toMatchObject([{ user: 'ada', value: 'true' }, { user: 'bob' }, { user: 'cy' }]);
      await store.record([recordOf(firstOf(claim && [claim]), { state: 'delivered' })]);
      expect(await tellOf(store, second, tellings)).toMatchObject({ sync: { sent: 2, held: 0 }, heldBack: [] });
      expect(await toldOf(store)).toMatchObject([{ user: 'ada', value: 'false' }, { user: 'bob' }, { user: 'cy' }]);
    },
  },
  {
    title: 'AUD-8: a sync tells a user once, however often it asks',
    check: async ({ store }) => {
      const sync = await started(store);
      await tellOf(store, sync, [telling('ada')]);
      await endAll(store, 'delivered');
      expect(await tellOf(store, sync, [telling('ada')])).toMatchObject({ sync: { sent: 1 }, heldBack: [] });
      expect(await queues(store)).toEqual([]);
    },
  },
  {
    title: 'AUD-3: who is to be forgotten is told nothing more, and not known as told',
    check: async ({ store }) => {
      const first = await started(store);
      await tellOf(store, first, [telling('ada'), telling('bob')]);
      const second = await next(store, first);
      const answer = await tellOf(store, second, [], { forgotten: ['ada', 'nobody'] });
      expect(answer).toMatchObject({ sync: { sent: 0 }, heldBack: [] });
      expect(await toldOf(store)).toEqual([{ user: 'bob', value: 'true' }]);
      expect((await taken(store)).map(({ message }) => message.event.userId)).toEqual(['bob']);
    },
  },
  {
    title:
      'AUD-8: who is to be silenced is told nothing that waits, and told stays until it is known that it was not sent',
    check: async ({ store }) => {
      const first = await started(store);
      await tellOf(store, first, [telling('heard')]);
      await endAll(store, 'delivered');
      await tellOf(store, first, [telling('ada'), telling('bob')]);
      const second = await next(store, first);
      const silenced = ['ada', 'heard', 'nobody'];
      const answer = await tellOf(store, second, [], { silenced });
      expect(answer).toEqual({ sync: second, heldBack: [] });
      expect((await taken(store)).map(({ message }) => message.event.userId)).toEqual(['bob']);
      const told = [{ user: 'ada', value: 'true' }, { user: 'bob' }, { user: 'heard', value: 'true' }];
      expect(await toldOf(store)).toMatchObject(told);
      expect(await store.settle({ ...SETTLE, sync: 1 })).toMatchObject({ sync: { delivered: 1, superseded: 1 } });
      expect(await toldOf(store)).toMatchObject([{ user: 'ada', value: undefined }, { user: 'bob' }, told[2]]);
    },
  },
  {
    title: 'AUD-8: who is to be silenced while an earlier value is being sent is held back, and not counted',
    check: async ({ store }) => {
      const first = await started(store);
      await tellOf(store, first, [telling('ada')]);
      const claims = await taken(store);
      const second = await next(store, first);
      const silenced = ['ada'];
      expect(await tellOf(store, second, [], { silenced })).toEqual({ sync: second, heldBack: ['ada'] });
      await store.release(claims);
      expect(await tellOf(store, second, [], { silenced })).toEqual({ sync: second, heldBack: [] });
      expect(await taken(store)).toEqual([]);
    },
  },
  {
    title: 'AUD-3: what was told is walked in the order of UTF-8, each user once',
    check: async ({ store }) => {
      const users = ['a', 'Z', '\u{1F600}', '\uFFFD', 'é', 'a ', '9'];
      await tellOf(
        store,
        await started(store),
        users.map((user) => telling(user)),
      );
      const order = users.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect((await toldOf(store)).map(({ user }) => user)).toEqual(order);
    },
  },
  {
    title: 'AUD-4: what waits for a destination is counted up to a limit',
    check: async ({ store }) => {
      const users = ['a', 'b', 'c'].map((user) => telling(user));
      await tellOf(store, await started(store), users);
      await store.accept(batchOf([accepted('live', false), accepted('sent', true)]));
      const waiting = [9, 3].map((limit) => store.waiting({ destination: A, limit }));
      expect(await Promise.all(waiting)).toEqual([4, 3]);
      expect(await store.waiting({ destination: B, limit: 9 })).toBe(0);
    },
  },
  {
    title: 'AUD-3: tellings that have ended are counted once, a part at a time',
    check: async ({ store, reopen }) => {
      const sync = await started(store);
      const ends = ['delivered', 'failed', 'expired', 'delivered'] as const;
      await tellOf(
        store,
        sync,
        [...ends, 'waits'].map((end, index) => telling(`${end} ${index}`)),
      );
      const claims = (await taken(store)).slice(0, ends.length);
      expect(await store.settle({ ...SETTLE, sync: 1 })).toMatchObject({ sync: { delivered: 0 } });
      await store.record(claims.map((claim, index) => recordOf(claim, { state: ends[index] ?? 'failed' })));
      const part = await store.settle({ ...SETTLE, sync: 1, limit: 3 });
      expect(part).toMatchObject({ isMore: true });
      const reopened = await reopen();
      const counted = { sent: 5, delivered: 2, failed: 1, expired: 1, superseded: 0 };
      const rest = { sync: counted, isMore: false };
      expect(await reopened.settle({ ...SETTLE, sync: 1 })).toMatchObject(rest);
      expect(await reopened.settle({ ...SETTLE, sync: 1 })).toMatchObject(rest);
      expect(await reopened.settle({ ...SETTLE, sync: 2 })).toEqual({ sync: undefined, isMore: false });
    },
  },
  {
    title:
      'AUD-8: what expired, or was cancelled with its destination, is to be told again; what failed for good is not',
    check: async ({ store }) => {
      const first = await started(store);
      for (const state of ['expired', 'cancelled', 'failed', 'delivered'] as const) {
        await tellOf(store, first, [telling(state)]);
        await endAll(store, state);
      }
      await store.settle({ ...SETTLE, sync: 1 });
      expect(await toldOf(store)).toEqual([
        { user: 'cancelled', value: undefined },
        { user: 'delivered', value: 'true' },
        { user: 'expired', value: undefined },
        { user: 'failed', value: 'true' },
      ]);
      await tellOf(store, await next(store, first), [telling('expired')]);
      expect(await toldOf(store)).toMatchObject([{}, {}, { user: 'expired', value: 'true' }, {}]);
    },
  },
  {
    title: 'AUD-8: that an earlier telling expired changes nothing of what was told since',
    check: async ({ store }) => {
      const first = await started(store);
      await tellOf(store, first, [telling('ada')]);
      await endAll(store, 'expired');
      await tellOf(store, await next(store, first), [telling('ada', 'false')]);
      expect(await store.settle({ ...SETTLE, sync: 1 })).toMatchObject({ sync: { expired: 1 } });
      expect(await toldOf(store)).toEqual([{ user: 'ada', value: 'false' }]);
    },
  },
  {
    title: 'AUD-8: what a replay sends again is cancelled by a later value as well',
    check: async ({ store }) => {
      const first = await started(store);
      await tellOf(store, first, [telling('ada')]);
      const [claim] = await taken(store);
      const { delivery } = firstOf(claim && [claim]);
      await store.record([recordOf(firstOf(claim && [claim]), { state: 'delivered' })]);
      expect(await store.replay({ destination: A, delivery, at: momentAt(NOW) })).toBe('replayed');
      await tellOf(store, await next(store, first), [telling('ada', 'false')]);
      expect((await taken(store)).map(({ message }) => message.event.messageId)).toEqual(['ada false']);
    },
  },
  {
    title: 'AUD-8: two nodes that carry out the same step tell a user once',
    needsTwoNodes: true,
    check: async ({ store, other }) => {
      const node = (await other?.()) ?? store;
      const sync = await started(store);
      const tellings = ['a', 'b', 'c'].map((user) => telling(user));
      await Promise.all([tellOf(store, sync, tellings), tellOf(node, sync, tellings)]);
      expect(await store.waiting({ destination: A, limit: 9 })).toBe(3);
      expect(await node.getSync({ computation: AUDIENCE, number: 1 })).toMatchObject({ sent: 3 });
      await Promise.all([started(store, TRAIT), started(node, TRAIT)]);
      expect(await store.listSyncs({ computations: [TRAIT], limit: 9 })).toHaveLength(1);
    },
  },
];

import { batchOf } from '../support/memory-storage.ts';
import { expect } from 'vitest';
import type { DeliveryStoreFact } from './delivery-store.ts';
import { A, B, NOW, accepted, message, queues } from './delivery-store-events.ts';
import { messageOf } from '../support/engine.ts';

/** What is accepted is there, once, and as it was. */
export const ACCEPTANCE_FACTS: readonly DeliveryStoreFact[] = [
  {
    title: 'ING-10: what was accepted is there after reopening',
    check: async ({ store, reopen }) => {
      await store.accept(batchOf([accepted('m1', false)]));
      const reopened = await reopen();
      await reopened.join({ now: NOW });
      expect(await queues(reopened)).toEqual([{ destination: A, waiting: 1, nextDueAt: NOW, oldestReceivedAt: NOW }]);
      const { claims } = await reopened.claim({ which: 'due', destination: A, now: NOW, limit: 10 });
      expect(claims.map((claim) => claim.message)).toEqual([message('m1')]);
    },
  },
  {
    title: 'a claimed acceptance is being tried, and not due',
    check: async ({ store }) => {
      const [claims] = await store.accept(batchOf([accepted('m1', true)]));
      expect(claims).toMatchObject([{ destination: A, round: 1, closed: [], message: message('m1') }]);
      expect(await queues(store)).toEqual([]);
    },
  },
  {
    title: 'D-43: a message id is taken once for each source',
    check: async ({ store, reopen }) => {
      await store.accept(batchOf([accepted('m1', true)]));
      expect(await store.accept(batchOf([accepted('m1', true)]))).toEqual(['duplicate']);
      const other = { ...accepted('m1', true), message: { ...message('m1'), source: 'workspaces/main/sources/ios' } };
      expect((await store.accept(batchOf([other])))[0]).toHaveLength(1);
      expect(await (await reopen()).accept(batchOf([accepted('m1', false)]))).toEqual(['duplicate']);
    },
  },
  {
    title: 'D-43: the second of two equal ids in one request is a duplicate',
    check: async ({ store }) => {
      const answer = await store.accept(batchOf([accepted('m1', true), accepted('m1', true), accepted('m2', true)]));
      expect(answer.map((entry) => (entry === 'duplicate' ? entry : entry.length))).toEqual([1, 'duplicate', 1]);
    },
  },
  {
    title: 'a message may go to several destinations, or to none',
    check: async ({ store }) => {
      const routes = [
        { destination: A, claimed: true },
        { destination: B, claimed: false },
      ];
      const [both, none] = await store.accept(
        batchOf([
          { message: message('m1'), routes },
          { message: message('m2'), routes: [] },
        ]),
      );
      expect([both, none]).toMatchObject([[{ destination: A }], []]);
      expect(await queues(store)).toMatchObject([{ destination: B, waiting: 1 }]);
    },
  },
  {
    title: 'an event comes back as it was, every character of it',
    check: async ({ store, reopen }) => {
      const odd = { a: '\u0000\ud800😀"\\', 10: 1, 9: 2, nested: JSON.parse('{"__proto__":{"x":[null,1.5e300]}}') };
      const routes = [{ destination: A, claimed: false }];
      await store.accept(
        batchOf([{ message: messageOf({ now: () => NOW }, { messageId: 'ödd', properties: odd }), routes }]),
      );
      const reopened = await reopen();
      await reopened.join({ now: NOW });
      const { claims } = await reopened.claim({ which: 'due', destination: A, now: NOW, limit: 1 });
      expect(JSON.stringify(claims[0]?.message.event.properties)).toBe(JSON.stringify(odd));
    },
  },
  {
    title: 'many requests at once are all accepted',
    check: async ({ store, reopen }) => {
      const requests = Array.from({ length: 200 }, (_, i) => store.accept(batchOf([accepted(`m${i}`, false)])));
      expect((await Promise.all(requests)).flat()).toHaveLength(200);
      expect(await queues(await reopen())).toMatchObject([{ waiting: 200 }]);
    },
  },
];

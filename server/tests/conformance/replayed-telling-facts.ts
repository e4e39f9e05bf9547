import { expect } from 'vitest';
import type { DeliveryId } from '../../model/delivery.ts';
import type { Replay } from '../../model/replay.ts';
import type { Verbs } from '../../storage/verbs.ts';
import { messageOf } from '../support/engine.ts';
import { batchOf } from '../support/memory-storage.ts';
import { replayMade } from '../support/replay-made.ts';
import { momentAt } from '../support/still-clock.ts';
import type { DeliveryStoreFact } from './delivery-store.ts';
import { A, B, NOW, queues, recordOf } from './delivery-store-events.ts';
import { AUDIENCE, endAll, next, started, taken, telling, tellOf, TRAIT } from './telling-events.ts';

const AT = momentAt(NOW);
const ENDED = { states: ['failed', 'expired', 'cancelled'] } as const;
const WANTED = { destination: A, filter: ENDED, perSecond: 9, createdAt: NOW } as const;

/** What was told is sent again only while it is right. */
export const REPLAYED_TELLING_FACTS: readonly DeliveryStoreFact[] = [
  {
    title: 'AUD-8: what was told is not replayed once a later value was told, whatever became of either',
    check: async ({ store }) => {
      const first = await started(store);
      await tellOf(store, first, [telling('ada'), telling('bob')]);
      const second = await next(store, first);
      await tellOf(store, second, [telling('ada', 'false')]);
      await endAll(store, 'expired');
      await tellOf(store, await next(store, second), [telling('bob', 'false')]);
      await endAll(store, 'failed');
      for (const messageId of ['ada true', 'bob true']) {
        const delivery = await deliveryOf(store, messageId);
        expect(await store.replay({ destination: A, delivery, at: AT })).toBe('superseded');
      }
      expect(await queues(store)).toEqual([]);
      const delivery = await deliveryOf(store, 'ada false');
      expect(await store.replay({ destination: A, delivery, at: AT })).toBe('replayed');
      expect(await store.replay({ destination: A, delivery, at: AT })).toBe('not ended');
      expect((await taken(store)).map(({ message }) => message.event.messageId)).toEqual(['ada false']);
    },
  },
  {
    title: 'AUD-8: a bulk replay passes over what is not the last that was told, and takes all else',
    check: async ({ store }) => {
      const first = await started(store);
      await tellOf(
        store,
        first,
        ['ada', 'bob', 'cy'].map((user) => telling(user)),
      );
      await tellOf(
        store,
        await next(store, first),
        ['ada', 'cy'].map((user) => telling(user, 'false')),
      );
      await tellOf(store, await started(store, TRAIT), [telling('ada', '1', TRAIT)]);
      const event = { type: 'identify', messageId: 'own', userId: 'ada', traits: {} } as const;
      const message = messageOf({ now: () => NOW }, event);
      await store.accept(batchOf([{ message, routes: [{ destination: A, claimed: false }] }]));
      await endAll(store, 'expired');
      const dry = await replayMade(store, { ...WANTED, dryRun: true });
      expect(await finished(store, dry)).toMatchObject({ examined: 7, matched: 5 });
      expect(await queues(store)).toEqual([]);
      expect(await finished(store, await replayMade(store, { ...WANTED, dryRun: false }))).toMatchObject({
        examined: 7,
        matched: 5,
      });
      const sent = (await taken(store)).map(({ message: { event: one } }) => one.messageId);
      expect(sent.toSorted()).toEqual(['ada 1', 'ada false', 'bob true', 'cy false', 'own']);
    },
  },
  {
    title: 'AUD-8: what was told of a computation or to a destination that is forgotten is not replayed',
    check: async ({ store }) => {
      const sync = await started(store);
      for (const destination of [A, B]) await tellOf(store, sync, [telling('ada')], { destination });
      for (const destination of [A, B]) {
        const { claims } = await store.claim({ which: 'due', destination, now: NOW, limit: 9 });
        await store.record(claims.map((claim) => recordOf(claim, { state: 'failed' })));
      }
      const matched = async (destination: string): Promise<unknown> =>
        (await finished(store, await replayMade(store, { ...WANTED, destination, dryRun: true })))?.matched;
      expect([await matched(A), await matched(B)]).toEqual([1, 1]);
      await store.forgetTold({ computation: AUDIENCE, keep: [B], limit: 9, now: NOW });
      expect([await matched(A), await matched(B)]).toEqual([0, 1]);
      const delivery = await deliveryOf(store, 'ada true');
      expect(await store.replay({ destination: A, delivery, at: AT })).toBe('superseded');
      await store.forgetTold({ computation: AUDIENCE, limit: 9, now: NOW });
      expect(await matched(B)).toBe(0);
    },
  },
  {
    title: 'AUD-8: of what is replayed and told by two nodes at once, the later value alone is sent',
    needsTwoNodes: true,
    check: async ({ store, other }) => {
      const node = (await other?.()) ?? store;
      const users = Array.from({ length: 8 }, (_, index) => `u${index}`);
      const first = await started(store);
      await tellOf(
        store,
        first,
        users.map((user) => telling(user)),
      );
      await endAll(store, 'failed');
      const second = await next(store, first);
      const deliveries = await Promise.all(users.map((user) => deliveryOf(store, `${user} true`)));
      const replay = await replayMade(store, { ...WANTED, dryRun: false });
      await Promise.all([
        ...deliveries.slice(0, 4).map((delivery) => store.replay({ destination: A, delivery, at: AT })),
        finished(store, replay),
        tellOf(
          node,
          second,
          users.map((user) => telling(user, 'false')),
        ),
      ]);
      const sent = (await taken(store)).map(({ message }) => message.event.messageId);
      expect(sent.toSorted()).toEqual(users.map((user) => `${user} false`));
      await finished(store, await replayMade(store, { ...WANTED, dryRun: false }));
      expect(await queues(store)).toEqual([]);
    },
  },
];

async function deliveryOf(store: Verbs, messageId: string): Promise<DeliveryId> {
  const { deliveries } = await store.list({ destination: A, filter: {}, limit: 100 });
  const found = deliveries.find((one) => one.messageId === messageId);
  if (found === undefined) throw new Error(`there is no delivery of ${messageId}`);
  return found.delivery;
}

/** Carries a bulk replay out in small steps. */
async function finished(store: Verbs, { id }: Replay): Promise<Replay | undefined> {
  const step = { replay: id, at: AT, limit: 2, waitingLimit: 100 };
  for (;;) {
    const progress = await store.stepReplay(step);
    if (progress?.replay.state !== 'running') return progress?.replay;
  }
}

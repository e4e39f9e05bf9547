import { expect } from 'vitest';
import { MAX_REPLAYS } from '../../storage/job-storage.ts';
import type { Verbs } from '../../storage/verbs.ts';
import { messageOf } from '../support/engine.ts';
import { batchOf } from '../support/memory-storage.ts';
import { replayMade } from '../support/replay-made.ts';
import { momentAt } from '../support/still-clock.ts';
import type { DeliveryStoreFact } from './delivery-store.ts';
import { A, accepted, allPages, B, ended, firstOf, NOW, queues, recordOf } from './delivery-store-events.ts';
import { ATTEMPT } from './log-facts.ts';
import { twoNodes } from './member-facts.ts';

const HOUR = 3_600_000;
const WANTED = { destination: A, filter: {}, dryRun: false, perSecond: 9, createdAt: NOW } as const;
const LEASE = { job: 'replays/1', forMs: 10_000 } as const;
const EVERYTHING = { endedBefore: NOW + 1_000, seenBefore: NOW + 1_000, usedBefore: NOW, limit: 100 };

/** Background work goes on where it stopped, and takes what it should. */
export const JOB_FACTS: readonly DeliveryStoreFact[] = [
  {
    title: 'D-30: a replay makes an ended delivery due, with a fresh window',
    check: async ({ store, reopen }) => {
      const { delivery } = await ended(store, 'm1', 'expired');
      const again = { destination: A, delivery, at: momentAt(NOW + 9_000) };
      expect(await store.replay(again)).toBe('replayed');
      expect(await store.replay(again)).toBe('not ended');
      const reopened = await reopen();
      expect(await queues(reopened)).toMatchObject([{ waiting: 1, oldestReceivedAt: NOW + 9_000 }]);
      expect(await reopened.read({ destination: A, delivery })).toMatchObject({
        state: 'pending',
        replays: 1,
        receivedAt: NOW,
        replayed: [{ at: NOW + 9_000, earlierRounds: 1 }],
      });
      await reopened.join({ now: NOW + 9_000 });
      const { claims } = await reopened.claim({ which: 'due', now: NOW + 9_000, destination: A, limit: 1 });
      expect(claims).toMatchObject([{ round: 2, earlierRounds: 1, tries: 0, message: { receivedAt: NOW + 9_000 } }]);
    },
  },
  {
    title: 'SAFE-2: a delivery is replayed a hundred times, alone or with others, and no more',
    check: async ({ store }) => {
      const { delivery } = await ended(store, 'm1', 'failed');
      const again = { destination: A, delivery, at: momentAt(NOW) };
      const answers = new Set<string>();
      for (let replay = 0; replay < MAX_REPLAYS; replay += 1) {
        answers.add(await store.replay({ ...again, at: momentAt(NOW + replay) }));
        const { claims } = await store.claim({ which: 'probe', destination: A, limit: 1 });
        await store.record(claims.map((claim) => recordOf(claim, { state: 'failed' })));
      }
      expect([[...answers], await store.replay(again)]).toEqual([['replayed'], 'too often']);
      await ended(store, 'm2', 'failed');
      const { id } = await replayMade(store, WANTED);
      const step = { replay: id, at: momentAt(NOW), limit: 9, waitingLimit: 100 };
      expect(await store.stepReplay(step)).toMatchObject({ replayed: 1, replay: { examined: 2, matched: 1 } });
    },
  },
  {
    title: 'D-30: a report of an earlier round does not end a replay',
    check: async ({ store }) => {
      const claim = await ended(store, 'm1', 'delivered');
      await store.replay({ destination: A, delivery: claim.delivery, at: momentAt(NOW + 1) });
      await store.claim({ which: 'due', now: NOW + 1, destination: A, limit: 1 });
      const late = { ...recordOf(claim, { state: 'delivered' }), attempts: [ATTEMPT] };
      expect((await store.record([late])).refused).toEqual([0]);
      const story = await store.read({ destination: A, delivery: claim.delivery });
      expect(story).toMatchObject({ state: 'trying', rounds: 2, attempts: [{ round: 1 }] });
    },
  },
  {
    title: 'a bulk replay goes on after reopening, and replays nothing twice',
    check: async ({ store, reopen }) => {
      for (const id of ['m1', 'm2', 'm3', 'm4']) await ended(store, id, 'failed');
      const wanted = { ...WANTED, filter: { states: ['failed'] as const } };
      const { id } = await replayMade(store, wanted);
      const step = { replay: id, at: momentAt(NOW), limit: 3, waitingLimit: 100 };
      expect(await store.stepReplay(step)).toMatchObject({ replayed: 3, held: false, replay: { state: 'running' } });
      const reopened = await reopen();
      expect(await reopened.runningReplays()).toMatchObject([{ id, matched: 3, ...wanted }]);
      expect(await reopened.stepReplay(step)).toMatchObject({ replayed: 1, replay: { state: 'finished', matched: 4 } });
      expect(await reopened.stepReplay(step)).toBeUndefined();
      expect(await reopened.runningReplays()).toEqual([]);
      expect(await queues(reopened)).toMatchObject([{ waiting: 4 }]);
    },
  },
  {
    title: 'a bulk replay looks at nothing that came after it was made; a dry run sends nothing',
    check: async ({ store }) => {
      await ended(store, 'm1', 'failed');
      const { id } = await replayMade(store, { ...WANTED, dryRun: true });
      await ended(store, 'm2', 'failed');
      const progress = await store.stepReplay({ replay: id, at: momentAt(NOW), limit: 9, waitingLimit: 100 });
      expect(progress?.replay).toMatchObject({ state: 'finished', matched: 1 });
      expect(await queues(store)).toEqual([]);
    },
  },
  {
    title: 'a bulk replay holds while so many wait for its destination',
    check: async ({ store }) => {
      for (const id of ['m1', 'm2', 'm3']) await ended(store, id, 'failed');
      const { id } = await replayMade(store, WANTED);
      const step = { replay: id, at: momentAt(NOW), limit: 9, waitingLimit: 2 };
      expect(await store.stepReplay(step)).toMatchObject({ replayed: 2 });
      expect(await store.stepReplay(step)).toMatchObject({ replayed: 0, held: true, replay: { matched: 2 } });
      await store.claim({ which: 'due', now: NOW, destination: A, limit: 1 });
      expect(await store.stepReplay(step)).toMatchObject({ replayed: 1, held: false, replay: { state: 'finished' } });
    },
  },
  {
    title: 'bulk replays are listed by destination in order, and found below their own',
    check: async ({ store }) => {
      const [first, second] = [await replayMade(store, WANTED), await replayMade(store, WANTED)];
      await replayMade(store, { ...WANTED, destination: B });
      expect(await store.listReplays({ destination: A, after: 0, limit: 9 })).toEqual([first, second]);
      expect(await store.listReplays({ destination: A, after: first.id, limit: 9 })).toEqual([second]);
      expect(await store.listReplays({ destination: A, after: 0, limit: 1 })).toEqual([first]);
      expect(await store.listReplays({ destination: A, after: Number.MAX_SAFE_INTEGER, limit: 9 })).toEqual([]);
      expect(await store.getReplay({ destination: A, id: first.id })).toEqual(first);
      expect(await store.getReplay({ destination: B, id: first.id })).toBeUndefined();
      const never = { destination: A, id: 999_999_999_999_999 };
      expect([await store.getReplay(never), await store.cancelReplay({ ...never, now: NOW })]).toEqual([
        undefined,
        undefined,
      ]);
    },
  },
  {
    title: 'a bulk replay that was cancelled makes no step more, and one that has ended stays as it is',
    check: async ({ store }) => {
      await ended(store, 'm1', 'failed');
      const { id } = await replayMade(store, WANTED);
      expect(await store.cancelReplay({ destination: B, id, now: NOW + 1 })).toBeUndefined();
      const cancelled = { state: 'cancelled', endedAt: NOW + 1 };
      expect(await store.cancelReplay({ destination: A, id, now: NOW + 1 })).toMatchObject(cancelled);
      expect(await store.cancelReplay({ destination: A, id, now: NOW + 2 })).toMatchObject(cancelled);
      const step = { replay: id, at: momentAt(NOW), limit: 9, waitingLimit: 9 };
      expect(await store.stepReplay(step)).toBeUndefined();
      expect(await queues(store)).toEqual([]);
    },
  },
  {
    title: 'AUD-9: an erasure removes bulk replays of its users, within its scope',
    check: async ({ store }) => {
      const of = (userId: string, destination = A) => replayMade(store, { ...WANTED, destination, filter: { userId } });
      await Promise.all([of('ada'), of('bob'), of('ada', B), of('a\0\\u0000"'), of('ada\\')]);
      await erased(store, {
        scope: 'workspaces/main/sources/js',
        userIds: ['ada', 'a\0\\u0000"', 'ada\\'],
        now: NOW,
        limit: 9,
      });
      const left = (await store.runningReplays()).map(({ destination, filter }) => `${filter.userId} ${destination}`);
      expect(left.toSorted()).toEqual([`ada ${B}`, `bob ${A}`]);
    },
  },
  {
    title: 'what ended before the retention goes, page by page, and the rest stays',
    check: async ({ store }) => {
      for (const state of ['delivered', 'failed', 'expired', 'cancelled', 'trying'] as const) {
        await ended(store, state, state);
      }
      await store.accept(batchOf([accepted('waits', false)]));
      await store.accept(batchOf([accepted('young', true, 5_000)]));
      const purged = await allPages(async (after) => {
        const { deliveries, next } = await store.purge({ ...EVERYTHING, endedBefore: NOW + 1, after, limit: 2 });
        return { rows: [deliveries], next };
      });
      expect(purged.reduce((sum, count) => sum + count)).toBe(4);
      const { deliveries } = await store.list({ destination: A, filter: {}, limit: 100 });
      expect(deliveries.map(({ messageId }) => messageId)).toEqual(['young', 'waits', 'trying']);
    },
  },
  {
    title: 'D-43: a message id is known until it is old itself',
    check: async ({ store }) => {
      const isKnown = async (): Promise<boolean> =>
        (await store.accept(batchOf([accepted('m1', false)]))).includes('duplicate');
      await ended(store, 'm1', 'delivered');
      await store.purge({ ...EVERYTHING, seenBefore: NOW });
      expect(await isKnown()).toBe(true);
      await store.purge(EVERYTHING);
      expect(await isKnown()).toBe(false);
    },
  },
  {
    title: 'counts and ended bulk replays go when they are old',
    check: async ({ store }) => {
      await ended(store, 'm1', 'delivered');
      const { id } = await replayMade(store, { ...WANTED, dryRun: true });
      await store.stepReplay({ replay: id, at: momentAt(NOW), limit: 9, waitingLimit: 9 });
      const range = { destination: A, from: NOW, to: NOW + 1 };
      await store.purge({ ...EVERYTHING, endedBefore: NOW });
      expect(await store.counts(range)).not.toEqual([]);
      expect(await store.getReplay({ destination: A, id })).toBeDefined();
      await store.purge({ ...EVERYTHING, endedBefore: NOW + 2 * HOUR });
      expect(await store.counts(range)).toEqual([]);
      expect(await store.getReplay({ destination: A, id })).toBeUndefined();
    },
  },
  {
    title: 'D-12: what is stored of a user goes, in any state and by both ids of an alias, but for the notices',
    check: async ({ store }) => {
      const event = { messageId: 'alias', type: 'alias', userId: 'new', previousId: 'ada' } as const;
      const notice = { messageId: 'notice', type: 'delete', userId: 'ada' } as const;
      const routes = [{ destination: A, claimed: true }];
      const given = [{ messageId: 'ada', userId: 'ada' }, event, notice, { messageId: 'bob', userId: 'bob' }];
      const batch = given.map((one) => ({ message: messageOf({ now: () => NOW }, one), routes }));
      const [claims] = await store.accept(batchOf(batch));
      const request = { scope: 'workspaces/main/sources/js', userIds: ['ada'], now: NOW, limit: 1 };
      expect(await erased(store, { ...request, scope: 'workspaces/main/sources/j' })).toBe(0);
      expect(await erased(store, request)).toBe(2);
      expect(await erased(store, { ...request, scope: 'workspaces/main' })).toBe(0);
      const { deliveries } = await store.list({ destination: A, filter: {}, limit: 9 });
      expect(deliveries.map(({ messageId }) => messageId).toSorted()).toEqual(['bob', 'notice']);
      const late = { ...recordOf(firstOf(claims), { state: 'delivered' as const }), attempts: [ATTEMPT] };
      expect((await store.record([late])).refused).toEqual([0]);
      expect(await store.read({ destination: A, delivery: firstOf(claims).delivery })).toBeUndefined();
    },
  },
  {
    title: 'a job is had again by the node that has it, also in its next life, and after it was given back',
    check: async ({ store, reopen }) => {
      expect(await store.leaseJob(LEASE)).toBe(true);
      expect(await store.leaseJob(LEASE)).toBe(true);
      const reopened = await reopen();
      expect(await reopened.leaseJob(LEASE)).toBe(true);
      await reopened.leaseJob({ ...LEASE, forMs: 0 });
      expect(await reopened.leaseJob(LEASE)).toBe(true);
    },
  },
  {
    title: 'a job is had by one node at a time, which alone can give it back',
    needsTwoNodes: true,
    check: async (place) => {
      const { store, node } = await twoNodes(place);
      expect(await store.leaseJob(LEASE)).toBe(true);
      expect(await node.leaseJob(LEASE)).toBe(false);
      expect(await node.leaseJob({ ...LEASE, job: 'replays/2' })).toBe(true);
      await node.leaseJob({ ...LEASE, forMs: 0 });
      expect(await node.leaseJob(LEASE)).toBe(false);
      await store.leaseJob({ ...LEASE, forMs: 0 });
      expect(await node.leaseJob(LEASE)).toBe(true);
      expect(await store.leaseJob(LEASE)).toBe(false);
    },
  },
  {
    title: 'a lease that is renewed goes on, and one that has ended is free for others',
    needsTwoNodes: true,
    check: async (place) => {
      const { store, node, advance } = await twoNodes(place);
      await store.leaseJob(LEASE);
      await advance(LEASE.forMs - 1);
      expect(await node.leaseJob(LEASE)).toBe(false);
      expect(await store.leaseJob(LEASE)).toBe(true);
      await advance(LEASE.forMs - 1);
      expect(await node.leaseJob(LEASE)).toBe(false);
      await advance(1);
      expect(await node.leaseJob(LEASE)).toBe(true);
      expect(await store.leaseJob(LEASE)).toBe(false);
      await store.leaseJob({ ...LEASE, forMs: 0 });
      expect(await store.leaseJob(LEASE)).toBe(false);
    },
  },
  {
    title: 'a late step of a node that had the job replays nothing twice',
    needsTwoNodes: true,
    check: async (place) => {
      const { store, node } = await twoNodes(place);
      for (const id of ['m1', 'm2', 'm3', 'm4']) await ended(store, id, 'failed');
      const { id } = await replayMade(store, WANTED);
      const step = { replay: id, at: momentAt(NOW), limit: 3, waitingLimit: 100 };
      const [one, late] = [await node.stepReplay(step), await store.stepReplay(step)];
      expect([one?.replayed, late?.replayed, await node.stepReplay(step)]).toEqual([3, 1, undefined]);
      expect(await queues(store)).toMatchObject([{ waiting: 4 }]);
    },
  },
];

async function erased(store: Verbs, request: Parameters<Verbs['eraseUsers']>[0]): Promise<number> {
  const pages = await allPages(async (after) => {
    const { deliveries, next } = await store.eraseUsers({ ...request, after });
    return { rows: [deliveries], next };
  });
  return pages.reduce((sum, count) => sum + count);
}

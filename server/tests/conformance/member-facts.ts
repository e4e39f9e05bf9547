import { expect } from 'vitest';
import { NotAMember, StaleRouting } from '../../storage/errors.ts';
import { LEASE_MS } from '../../storage/members.ts';
import { batchOf } from '../support/memory-storage.ts';
import type { DeliveryStoreFact, StoreUnderTest } from './delivery-store.ts';
import {
  A,
  accepted,
  allPages,
  B,
  ended,
  firstOf,
  message,
  NOW,
  queues,
  recordOf,
  unfinished,
} from './delivery-store-events.ts';
import { ATTEMPT } from './log-facts.ts';

const DUE = { which: 'due', destination: A, now: NOW, limit: 10 } as const;

/** Who holds a delivery has it alone, and nobody writes any more whose life is over. */
export const MEMBER_FACTS: readonly DeliveryStoreFact[] = [
  {
    title: 'a node that has not joined holds nothing',
    check: async ({ reopen }) => {
      const store = await reopen();
      await expect(store.claim(DUE)).rejects.toThrow(NotAMember);
      await expect(store.accept(batchOf([accepted('m1', true)]))).rejects.toThrow(NotAMember);
      await store.accept(batchOf([accepted('m2', false)]));
      expect(await queues(store)).toMatchObject([{ waiting: 1 }]);
    },
  },
  {
    title: 'each life of a node has a higher number, over restarts too',
    check: async ({ store, reopen }) => {
      const { node, epoch } = await ended(store, 'm1', 'trying');
      const next = await store.join({ now: NOW });
      expect(next).toEqual({ node, epoch: epoch + 1, freed: 1 });
      expect(await store.beat()).toMatchObject({ members: [{ node, epoch: epoch + 1 }] });
      expect(await (await reopen()).join({ now: NOW })).toEqual({ node, epoch: epoch + 2, freed: 0 });
    },
  },
  {
    title: 'what a life that is over reports changes nothing, not even the log',
    check: async ({ store }) => {
      const claim = await ended(store, 'm1', 'trying');
      await store.join({ now: NOW });
      const late = { ...recordOf(claim, { state: 'delivered' }), attempts: [ATTEMPT] };
      expect((await store.record([late])).refused).toEqual([0]);
      expect(await store.release([claim])).toEqual([0]);
      const { claims } = await store.claim(DUE);
      expect(claims).toMatchObject([{ round: 2, epoch: claim.epoch + 1 }]);
      // Even with the round of the present life.
      expect((await store.record([{ ...late, round: 2 }])).refused).toEqual([0]);
      expect(await store.release([{ ...claim, round: 2 }])).toEqual([0]);
      const story = await store.read({ destination: A, delivery: claim.delivery });
      expect(story).toMatchObject({ state: 'trying', attempts: [] });
    },
  },
  {
    title: 'a round that was put back and taken again is another one',
    check: async ({ store }) => {
      const claim = await ended(store, 'm1', 'trying');
      await store.release([claim]);
      const { claims } = await store.claim(DUE);
      expect(await store.release([claim])).toEqual([0]);
      expect((await store.record([recordOf(claim, { state: 'delivered' })])).refused).toEqual([0]);
      expect((await store.record([recordOf(firstOf(claims), { state: 'failed' })])).refused).toEqual([]);
    },
  },
  {
    title: 'a node can see all that it holds, page by page, and let go of what it does not know',
    check: async ({ store }) => {
      const [claims] = await store.accept(batchOf([accepted('known', true)]));
      await store.accept(batchOf([accepted('lost', true), accepted('waits', false), accepted('lost too', true)]));
      const held = await allPages(async (after) => {
        const page = await store.held({ after, limit: 1 });
        return { rows: page.held, next: page.next };
      });
      const strays = held.filter(({ delivery }) => delivery !== firstOf(claims).delivery);
      expect([held.length, strays.length]).toEqual([3, 2]);
      expect(await store.release(strays)).toEqual([]);
      expect(await queues(store)).toMatchObject([{ waiting: 3 }]);
      expect((await store.held({ limit: 9 })).held).toMatchObject([
        { delivery: firstOf(claims).delivery, round: 1, destination: A },
      ]);
    },
  },
  {
    title: 'an accept that is asked again with its key answers the same, and stores nothing more',
    check: async ({ store }) => {
      await store.accept(batchOf([accepted('before', false)]));
      const routes = [
        { destination: A, claimed: true },
        { destination: B, claimed: false },
      ];
      const batch = batchOf([{ message: message('m1'), routes }, accepted('before', true)]);
      const first = await store.accept(batch);
      expect(first).toMatchObject([[{ destination: A, round: 1 }], 'duplicate']);
      expect(await store.accept(batch)).toEqual(first);
      const waiting = new Map((await queues(store)).map((one) => [one.destination, one.waiting]));
      expect(waiting).toEqual(
        new Map([
          [A, 1],
          [B, 1],
        ]),
      );
      expect((await store.held({ limit: 9 })).held).toHaveLength(1);
    },
  },
  {
    title: 'what was routed by an older configuration is refused, and nothing of it is stored',
    check: async ({ store, setVersion }) => {
      const batch = batchOf([accepted('m1', true)]);
      await setVersion(7);
      await expect(store.accept(batch)).rejects.toThrow(StaleRouting);
      expect(await unfinished(store)).toMatchObject([{ count: 0 }, { count: 0 }]);
      const answer = await store.accept({ ...batch, version: 7 });
      expect(answer).toMatchObject([[{ round: 1 }]]);
    },
  },
  {
    title: 'what waits is told page by page, each destination once',
    check: async ({ store }) => {
      const names = Array.from({ length: 5 }, (_, index) => `workspaces/main/sources/s${index}/destinations/webhooks`);
      const routes = names.map((destination) => ({ destination, claimed: false }));
      await store.accept(batchOf([{ message: message('m1'), routes }]));
      const found = await allPages(async (after) => {
        const page = await store.backlog({ after, limit: 2 });
        return { rows: page.queues.map(({ destination }) => destination), next: page.next };
      });
      expect(found.toSorted()).toEqual(names);
    },
  },
  {
    title: 'what waits for some destinations is counted page by page, and what waits for others is not',
    check: async ({ store }) => {
      const all = Array.from({ length: 5 }, (_, index) => accepted(`m${index}`, false, index));
      const others = [B, `${B}-2`].map((destination) => ({ destination, claimed: false }));
      await store.accept(batchOf([...all, { message: message('m5'), routes: others }]));
      const found = await allPages(async (after) => {
        const { queues: rows, next } = await store.countBacklog({ destinations: [B, A, `${B}-3`], after, limit: 2 });
        expect(rows.reduce((sum, { waiting }) => sum + waiting, 0)).toBeLessThanOrEqual(2);
        return { rows, next };
      });
      const counted = Map.groupBy(found, ({ destination }) => destination);
      const sums = [...counted].map(([name, pages]) => [name, pages.reduce((sum, { waiting }) => sum + waiting, 0)]);
      expect(Object.fromEntries(sums)).toEqual({ [A]: 5, [B]: 1 });
      expect(found.find(({ destination }) => destination === A)).toMatchObject({
        nextDueAt: NOW,
        oldestReceivedAt: NOW,
      });
    },
  },
  {
    title: 'one node does not touch what another one holds',
    needsTwoNodes: true,
    check: async (place) => {
      const { store, node } = await twoNodes(place);
      const mine = await ended(store, 'm1', 'trying');
      expect((await node.claim(DUE)).claims).toEqual([]);
      expect((await node.held({ limit: 9 })).held).toEqual([]);
      await node.join({ now: NOW });
      const other = await ended(node, 'm2', 'trying');
      const stolen = { ...mine, node: other.node, epoch: other.epoch };
      expect((await node.record([recordOf(stolen, { state: 'delivered' })])).refused).toEqual([0]);
      expect(await node.release([stolen])).toEqual([0]);
      expect((await store.record([recordOf(mine, { state: 'delivered' })])).refused).toEqual([]);
      expect(await unfinished(node)).toMatchObject([{ count: 0 }, { count: 1 }]);
    },
  },
  {
    title: 'what a silent node held is free once its lease has ended, and it changes nothing any more',
    needsTwoNodes: true,
    check: async (place) => {
      const { store, node, advance } = await twoNodes(place);
      const claim = await ended(store, 'm1', 'trying');
      await advance(LEASE_MS - 1);
      expect(await node.beat()).toBeDefined();
      expect(await node.reap({ now: NOW })).toBe(0);
      await advance(1);
      expect(await node.reap({ now: NOW + LEASE_MS })).toBe(1);
      expect(await node.reap({ now: NOW + LEASE_MS })).toBe(0);
      expect(await store.beat()).toBeUndefined();
      expect((await store.record([recordOf(claim, { state: 'delivered' })])).refused).toEqual([0]);
      expect(await store.release([claim])).toEqual([0]);
      await expect(store.claim(DUE)).rejects.toThrow(NotAMember);
      await expect(store.accept(batchOf([accepted('m2', false)]))).rejects.toThrow(NotAMember);
      const { claims } = await node.claim({ ...DUE, now: NOW + LEASE_MS });
      expect(claims).toMatchObject([{ delivery: claim.delivery, round: 2 }]);
      const { epoch, freed } = await store.join({ now: NOW });
      expect([epoch > claim.epoch, freed]).toEqual([true, 0]);
    },
  },
  {
    title: 'a node that beats keeps what it holds',
    needsTwoNodes: true,
    check: async (place) => {
      const { store, node, advance } = await twoNodes(place);
      const claim = await ended(store, 'm1', 'trying');
      for (let beat = 0; beat < 3; beat += 1) {
        await advance(LEASE_MS - 1);
        expect(await store.beat()).toBeDefined();
        await node.reap({ now: NOW });
      }
      expect((await store.record([recordOf(claim, { state: 'delivered' })])).refused).toEqual([]);
    },
  },
  {
    title: 'a node that beats hears who lives, itself too, and not whose lease has ended',
    needsTwoNodes: true,
    check: async (place) => {
      const { store, node, advance } = await twoNodes(place);
      const { node: mine, epoch } = await ended(store, 'm1', 'trying');
      const { node: theirs, epoch: first } = await ended(node, 'm2', 'trying');
      const both = new Map([
        [mine, epoch],
        [theirs, first],
      ]);
      expect(await heardBy(store)).toEqual(both);
      expect(await heardBy(node)).toEqual(both);
      await advance(LEASE_MS - 1);
      await store.beat();
      await advance(1);
      expect(await heardBy(store)).toEqual(new Map([[mine, epoch]]));
      const { epoch: next } = await node.join({ now: NOW });
      expect(next).toBeGreaterThan(first);
      expect(await heardBy(store)).toEqual(both.set(theirs, next));
    },
  },
  {
    title: 'members are told with what they go by, since when they live, and what they hold',
    check: async ({ reopen }) => {
      const node = await reopen();
      const { epoch } = await node.join({ now: NOW, router: { name: 'router-a:12', version: '1.2.3' } });
      await node.accept(batchOf([accepted('m1', true), accepted('m2', false), accepted('m3', true)]));
      const [member, ...others] = await node.members();
      expect(member).toMatchObject({ epoch, name: 'router-a:12', version: '1.2.3', held: 2 });
      expect(others).toEqual([]);
      expect(member?.startedAt).toBeLessThanOrEqual(member?.lastBeatAt ?? 0);
    },
  },
  {
    title: 'all members are told alike to each of them, with when each was last heard of',
    needsTwoNodes: true,
    check: async (place) => {
      const { store, node, advance } = await twoNodes(place);
      const { node: mine } = await ended(store, 'm1', 'trying');
      const { node: theirs } = await ended(node, 'm2', 'trying');
      await advance(4_000);
      await node.beat();
      const [told, same] = [await store.members(), await node.members()];
      expect(told).toEqual(same);
      const of = (name: string) => told.find((member) => member.node === name);
      expect([told.length, of(mine)?.held, of(theirs)?.held]).toEqual([2, 1, 1]);
      const silence = (of(theirs)?.lastBeatAt ?? 0) - (of(mine)?.lastBeatAt ?? 0);
      expect(silence).toBeGreaterThanOrEqual(4_000);
      expect(silence).toBeLessThan(6_000);
      await advance(LEASE_MS - 4_000);
      expect((await node.members()).map((member) => member.node)).toEqual([theirs]);
    },
  },
  {
    title: 'HOOK-21: a node that joins beside another one moves no due time',
    needsTwoNodes: true,
    check: async (place) => {
      const { store, node } = await twoNodes(place);
      const claim = await ended(store, 'm1', 'trying');
      const later = { state: 'pending', dueAt: NOW + 70_000, setAt: NOW + 60_000, closed: [], tries: 1 } as const;
      await store.record([recordOf(claim, later)]);
      await node.join({ now: NOW });
      expect(await queues(node)).toMatchObject([{ nextDueAt: NOW + 70_000 }]);
    },
  },
];

/** The lives that a node hears of when it beats, by name. */
async function heardBy(store: StoreUnderTest['store']): Promise<Map<string, number>> {
  const { members = [] } = (await store.beat()) ?? {};
  return new Map(members.map(({ node, epoch }) => [node, epoch]));
}

type TwoNodes = Pick<StoreUnderTest, 'store'> & {
  /** The other one, on the same place at the same time. */
  readonly node: StoreUnderTest['store'];
  readonly advance: (ms: number) => void | Promise<void>;
};

export async function twoNodes({ store, other, advance }: StoreUnderTest): Promise<TwoNodes> {
  if (other === undefined || advance === undefined) throw new Error('this engine has one node alone');
  return { store, node: await other(), advance };
}

import { expect } from 'vitest';
import { NotAMember } from '../../storage/errors.ts';
import { LEASE_MS, type Member, NO_SHARE } from '../../storage/members.ts';
import type { DeliveryStoreFact } from './delivery-store.ts';
import { A, B, ended, NOW } from './delivery-store-events.ts';
import { twoNodes } from './member-facts.ts';

const NO_NEWS = { waits: [], circuits: [] };
const NOTHING = { ...NO_NEWS, division: NO_SHARE };
const WAIT = { destination: A, dueAt: NOW + 5_000, receivedAt: NOW };
const OPEN = { destination: A, circuit: { state: 'open', probes: 2, probeAt: NOW + 9_000 } } as const;

/** What members tell each other arrives, once, at those who live. */
export const NEWS_FACTS: readonly DeliveryStoreFact[] = [
  {
    title: 'a node that has not joined has nobody to tell',
    check: async ({ reopen }) => {
      await expect((await reopen()).exchange(NOTHING)).rejects.toThrow(NotAMember);
    },
  },
  {
    title: 'what is told to a node that does not live comes back, and nothing else does',
    check: async ({ store }) => {
      const lost = { ...WAIT, to: 'nobody' };
      expect(await store.exchange({ division: NO_SHARE, waits: [lost], circuits: [OPEN] })).toMatchObject({
        waits: [lost],
        circuits: [],
      });
      expect(await store.exchange(NOTHING)).toMatchObject(NO_NEWS);
    },
  },
  {
    title: 'what a node tells another is heard once, and what it tells all by each of the others',
    needsTwoNodes: true,
    check: async (place) => {
      const { store, node } = await twoNodes(place);
      const { node: to } = await ended(node, 'm1', 'trying');
      const closed = { destination: B, circuit: { state: 'closed' } } as const;
      expect(await store.exchange({ division: NO_SHARE, waits: [{ ...WAIT, to }], circuits: [OPEN] })).toMatchObject(
        NO_NEWS,
      );
      expect(await store.exchange({ division: NO_SHARE, waits: [], circuits: [closed] })).toMatchObject(NO_NEWS);
      expect(await node.exchange(NOTHING)).toMatchObject({ waits: [{ ...WAIT, to }], circuits: [OPEN, closed] });
      expect(await node.exchange(NOTHING)).toMatchObject(NO_NEWS);
    },
  },
  {
    title: 'what a life was told, the next one does not hear',
    needsTwoNodes: true,
    check: async (place) => {
      const { store, node, advance } = await twoNodes(place);
      const { node: to } = await ended(node, 'm1', 'trying');
      await store.exchange({ division: NO_SHARE, waits: [{ ...WAIT, to }], circuits: [] });
      await node.join({ now: NOW });
      expect(await node.exchange(NOTHING)).toMatchObject(NO_NEWS);
      await advance(LEASE_MS - 1);
      await store.beat();
      await advance(1);
      const late = { ...WAIT, to };
      expect(await store.exchange({ division: NO_SHARE, waits: [late], circuits: [] })).toMatchObject({
        waits: [late],
        circuits: [],
      });
    },
  },
  {
    title: 'how a node divides limits is seen by all others, with each beat and exchange, and no more in its next life',
    needsTwoNodes: true,
    check: async (place) => {
      const { store, node } = await twoNodes(place);
      const { node: to } = await ended(node, 'm1', 'trying');
      const division = { among: 'both', over: [A], owns: true };
      const seen = async (): Promise<unknown[]> => {
        const [roster, heard] = [await store.beat(), await store.exchange(NOTHING)];
        const all = [...(roster?.members ?? []), ...heard.members];
        return all.filter((peer) => peer.node === to).map((peer) => peer.division);
      };
      expect(await seen()).toEqual([NO_SHARE, NO_SHARE]);
      await node.exchange({ ...NO_NEWS, division });
      expect(await seen()).toEqual([division, division]);
      await node.join({ now: NOW });
      expect(await seen()).toEqual([NO_SHARE, NO_SHARE]);
    },
  },
  {
    title:
      'open circuits that a node tells of are seen by whoever looks at the members, and no other node hears of them',
    needsTwoNodes: true,
    check: async (place) => {
      const { store, node } = await twoNodes(place);
      const { node: to, delivery: probe } = await ended(node, 'm1', 'trying');
      const openCircuits = [
        { destination: A, state: 'open', probes: 3, probeAt: NOW + 60_000 },
        { destination: B, state: 'half-open', probes: 1, probe },
      ] as const;
      const seen = async (): Promise<unknown[]> =>
        [...(await store.members()), ...(await node.members())].filter((one) => one.node === to).map(circuitsOf);
      const parked = { 'workspaces/main': 2_000 };
      await node.exchange({ ...NO_NEWS, division: { ...NO_SHARE, openCircuits, parked } });
      // By the clock of the storage.
      const told = [{ ...openCircuits[0], probeAt: expect.any(Number) }, openCircuits[1]];
      expect(await seen()).toEqual([
        [told, parked],
        [told, parked],
      ]);
      const { members } = await store.exchange(NOTHING);
      expect(members.find((peer) => peer.node === to)?.division).toEqual(NO_SHARE);
      await node.exchange(NOTHING);
      expect(await seen()).toEqual([
        [undefined, undefined],
        [undefined, undefined],
      ]);
    },
  },
];

function circuitsOf({ openCircuits, parked }: Member): readonly unknown[] {
  return [openCircuits, parked];
}

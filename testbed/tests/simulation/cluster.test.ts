import { expect, test } from 'vitest';
import { type Life, NO_SHARE } from '../../../server/storage/members.ts';
import { simulateCluster, type Spoil } from '../../simulation/cluster.ts';
import { clusterFaults } from '../../simulation/cluster-oracle.ts';

const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);

test('NODE-1, NODE-2, NODE-3, NODE-4, NODE-6, HOOK-25: routers that die, stand still, are cut off or lose answers lose no event and no order', async () => {
  const found: string[] = [];
  for (const seed of SEEDS) {
    const faults = clusterFaults(await simulateCluster(seed));
    found.push(...faults.map((fault) => `seed ${seed}: ${fault}`));
  }
  expect(found).toEqual([]);
});

test('a run of several routers is repeated exactly by its seed', async () => {
  const [one, other] = [await simulateCluster(7), await simulateCluster(7)];
  const told = (run: typeof one): unknown => run.posts.map(({ at, router, messageId }) => [at, router, messageId]);
  expect(told(one)).toEqual(told(other));
});

const NOBODY = { waits: [], circuits: [], division: NO_SHARE };

/** Each believes that it is the only one. */
const alone: Spoil = (own) => {
  const self: Life[] = [];
  return {
    join: async (request) => {
      const { node, epoch, freed } = await own.join(request);
      self.splice(0, 1, { node, epoch });
      return { node, epoch, freed };
    },
    beat: async () => {
      const roster = await own.beat();
      return roster && { ...roster, members: self };
    },
    exchange: async () => ({ ...(await own.exchange(NOBODY)), members: self }),
  };
};

const TWINS: Readonly<Record<string, readonly [fault: string, spoil: Spoil]>> = {
  'acknowledge what is not stored': [
    'never arrived',
    (own) => ({ accept: (request) => Promise.resolve(request.acceptances.map(() => [] as const)).finally(() => own) }),
  ],
  'write nothing down': ['came again', () => ({ record: () => Promise.resolve({ refused: [], next: [] }) })],
  'leave what a dead router held': ['at the end', () => ({ reap: () => Promise.resolve(0) })],
  'do not look for what they never heard of': [
    'at the end',
    () => ({ held: () => Promise.resolve({ held: [], next: undefined }) }),
  ],
  'know of no order': [
    'which its user sent later',
    (own) => ({
      accept: ({ acceptances, ...request }) => {
        const all = acceptances.map(({ message, routes }) => {
          return { message, routes: routes.map(({ destination, claimed }) => ({ destination, claimed })) };
        });
        return own.accept({ ...request, acceptances: all });
      },
    }),
  ],
  'believe that a lease is longer': [
    'after its lease',
    (own) => ({
      beat: async () => {
        const roster = await own.beat();
        return roster && { ...roster, leaseMs: 60_000 };
      },
    }),
  ],
  'do not know of each other': ['in flight at once', alone],
  'each keep a pace of their own': ['were sent in a second', alone],
  'do not wait until others have made room': [
    'in flight at once',
    (own) => ({
      exchange: async (told) => {
        const { members, ...heard } = await own.exchange(told);
        const { among } = told.division;
        const all = members.map((peer) => ({ ...peer, division: { owns: true, ...peer.division, among, over: [] } }));
        return { ...heard, members: all };
      },
    }),
  ],
  'do not look at what others have in flight': [
    'in flight at once',
    (own) => ({ exchange: (told) => own.exchange({ ...told, division: { ...told.division, over: [] } }) }),
  ],
};

test.each(Object.entries(TWINS))('routers that %s are found', async (_name, [fault, spoil]) => {
  for (const seed of SEEDS) {
    const found = clusterFaults(await simulateCluster(seed, spoil));
    if (found.some((one) => one.includes(fault))) return;
  }
  expect.fail(`no seed shows «${fault}»`);
});

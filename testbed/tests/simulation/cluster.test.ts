import { expect, test } from 'vitest';
import { type Life, NO_SHARE } from '../../../server/storage/members.ts';
import type { Target } from '../../../server/delivery/target.ts';
import type { AcceptRequest } from '../../../server/storage/delivery-storage.ts';
import { simulateCluster, type Spoil } from '../../simulation/cluster.ts';
import { clusterFaults } from '../../simulation/cluster-oracle.ts';

const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);
/** What breaks routers shows on some of these. */
const SOUGHT_ON = Array.from({ length: 40 }, (_, index) => index + 1);

test('NODE-1, NODE-2, NODE-3, NODE-4, NODE-6, HOOK-19, HOOK-22, HOOK-23, HOOK-24, HOOK-25: routers that die, stand still, are cut off or lose answers lose no event and no order, and keep limits and signatures', async () => {
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

type Verbs = NonNullable<Spoil['verbs']>;

const NOBODY = { waits: [], circuits: [], division: NO_SHARE };

/** Each believes that it is the only one. */
const alone: Verbs = (own) => {
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

const BROKEN_WAYS: Readonly<Record<string, readonly [fault: string, verbs: Verbs]>> = {
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
      accept: (request) => own.accept(routed(request, (routes) => routes.map(({ line: _none, ...route }) => route))),
    }),
  ],
  'store an event for the first of its destinations alone': [
    'never arrived',
    (own) => ({ accept: (request) => own.accept(routed(request, (routes) => routes.slice(0, 1))) }),
  ],
  'store an event for all destinations of its source': [
    'has no such route',
    (own) => ({ accept: (request) => own.accept(routed(request, withFirst)) }),
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

type Routes = AcceptRequest['acceptances'][number]['routes'];

function routed({ acceptances, ...request }: AcceptRequest, change: (routes: Routes) => Routes): AcceptRequest {
  return { ...request, acceptances: acceptances.map((one) => ({ ...one, routes: change(one.routes) })) };
}

/** The destination that the event was not addressed to, where it was addressed to its sibling. */
function withFirst(routes: Routes): Routes {
  const [route] = routes;
  if (route === undefined || routes.length > 1 || !route.destination.endsWith('-1')) return routes;
  return [...routes, { destination: route.destination.replace(/-1$/, ''), claimed: false }];
}

test.each(Object.entries(BROKEN_WAYS))('routers that %s are found', async (_name, [fault, verbs]) => {
  expect(await foundOf(fault, { verbs })).toContain(fault);
});

type Targets = NonNullable<Spoil['targets']>;

const BROKEN_SIGHTS: Readonly<Record<string, Targets>> = {
  'sign in their own way alone': seeing(({ signature: _none, ...target }) => target),
  'take a private key for a shared secret': seeing((target) => {
    const { sharedSecret } = target;
    if (!sharedSecret.startsWith('whsk_')) return target;
    const privateHalf = Buffer.from(sharedSecret.slice('whsk_'.length), 'base64').subarray(0, 32);
    return { ...target, sharedSecret: `whsec_${privateHalf.toString('base64')}` };
  }),
  'forget the old secret at once': seeing(({ previous: _none, ...target }) => target),
  'never let the old secret go': seeing(({ previous, ...target }) =>
    previous === undefined ? target : { ...target, previous: { ...previous, until: Infinity } },
  ),
  'know the secrets alone that there were as they began': (own) => {
    const seen = new Map<string, Target | undefined>();
    return (name) => {
      if (!seen.has(name)) seen.set(name, own(name));
      return seen.get(name);
    };
  },
};

function seeing(change: (target: Target) => Target): Targets {
  return (own) => (name) => {
    const target = own(name);
    return target && change(target);
  };
}

test.each(Object.entries(BROKEN_SIGHTS))('HOOK-22, HOOK-23: routers that %s are found', async (_name, targets) => {
  expect(await foundOf('does not verify', { targets })).toContain('does not verify');
});

/** The first that is found of a fault, on any seed. */
async function foundOf(fault: string, spoil: Spoil): Promise<string | undefined> {
  for (const seed of SOUGHT_ON) {
    const found = clusterFaults(await simulateCluster(seed, spoil)).find((one) => one.includes(fault));
    if (found !== undefined) return found;
  }
  return undefined;
}

import { expect, test } from 'vitest';
import type { DispatcherPorts } from '../../../server/delivery/dispatcher.ts';
import type { Target } from '../../../server/delivery/target.ts';
import type { Claim } from '../../../server/model/delivery.ts';
import type { Transport } from '../../../server/ports/transport.ts';
import type { AcceptRequest, Claimed, DeliveryStorage } from '../../../server/storage/delivery-storage.ts';
import { type Disturbance, drawDisturbances } from '../../simulation/disturbance.ts';
import { hunt, SMALL, tellFinding } from '../../simulation/hunt.ts';
import { brokenInvariants } from '../../simulation/invariants.ts';
import { simulate, type SimulationOptions } from '../../simulation/simulate.ts';
import { traceOf } from '../../simulation/trace.ts';
import { routesOf } from '../../simulation/arrival.ts';
import { drawWorld } from '../../simulation/world.ts';

/** In parts, each of which a busy machine ends in time; `npm run simulate` goes on. */
const [SEEDS, PART] = [100, 50];
/** A broken engine is found on one of so many. */
const MOST_SEEDS = 200;
const HOUR = 3_600_000;

test.each(Array.from({ length: SEEDS / PART }, (_, part) => part * PART + 1))(
  'HOOK-9, HOOK-10, HOOK-18, HOOK-19, HOOK-20, HOOK-21, HOOK-22, HOOK-23, HOOK-24, HOOK-25: the invariants hold on fifty seeds from %i on',
  async (first) => {
    for (let seed = first; seed < first + PART; seed += 1) {
      const finding = await hunt(seed);
      expect(finding === undefined ? '' : tellFinding(finding)).toBe('');
    }
  },
);

test.each([['a probe takes the first slot of the last tries', 3626]])(
  'HOOK-24: where %s, the invariants hold (seed %i)',
  async (_story, seed) => {
    const finding = await hunt(seed);
    expect(finding === undefined ? '' : tellFinding(finding)).toBe('');
  },
);

test('the same seed gives the same trace, byte for byte', async () => {
  const size = { destinations: 30, eventsPerDestination: 4, arrivalMs: HOUR };
  const run = async (seed: number): Promise<string> =>
    traceOf(await simulate(drawWorld(seed, size), { seed, durationMs: 5 * HOUR }));
  const first = await run(7);
  expect(await run(7)).toBe(first);
  expect(await run(8)).not.toBe(first);
  expect(first.split('\n').length).toBeGreaterThan(200);
});

test('a thousand destinations live through four hours', async () => {
  const size = { destinations: 1_000, eventsPerDestination: 3, arrivalMs: HOUR };
  const world = drawWorld(1, size);
  const { deliveries } = await simulate(world, { seed: 1, durationMs: 5.5 * HOUR });
  expect(deliveries).toHaveLength(world.arrivals.flatMap(routesOf).length);
  expect(deliveries.length).toBeGreaterThan(3_000);
  expect(new Set(deliveries.map(({ state }) => state))).toEqual(new Set(['delivered', 'failed', 'expired']));
});

/** Engines that break one rule each, and the invariant that finds them. */
const BROKEN: readonly (readonly [
  rule: string,
  mistake: string,
  invariant: string,
  spoil: NonNullable<SimulationOptions['spoil']>,
])[] = [
  [
    'HOOK-21',
    'measures its waits by the wall',
    'gets a last try before it expires',
    (ports) => ({ ...ports, clock: { ...ports.clock, steady: () => ports.clock.now() } }),
  ],
  [
    'HOOK-20',
    'lets events expire that were never attempted',
    'is attempted before it expires',
    (ports) => ({ ...ports, store: claiming(ports.store, (claim) => ({ ...claim, tries: Math.max(1, claim.tries) })) }),
  ],
  [
    'HOOK-8',
    'blames receivers for its own stalls',
    'is not held against an endpoint that is well',
    (ports) => ({ ...ports, stalls: { begin: () => () => 0 } }),
  ],
  [
    'HOOK-19',
    'stores an event for the first of its destinations alone',
    'is not stored for',
    (ports) => ({ ...ports, store: routing(ports.store, (routes) => routes.slice(0, 1)) }),
  ],
  [
    'HOOK-19',
    'stores an event for all destinations of its source',
    'it has no route',
    (ports) => ({ ...ports, store: routing(ports.store, withSibling) }),
  ],
  [
    'HOOK-19',
    'sends what is for a destination to its sibling',
    'it has no route',
    (ports) => ({ ...ports, targets: (name) => ports.targets(name.replace('webhooks-1', 'webhooks')) }),
  ],
  [
    'HOOK-19',
    'stops all destinations of a source with the first that fails',
    'arrives at an endpoint that is well within a minute',
    stoppingAll,
  ],
  ['HOOK-24', 'keeps no pace', 'were sent in a second', seeing(unlimited)],
  ['HOOK-24', 'sends as many at once as it likes', 'in flight at once', seeing(unlimited)],
  [
    'HOOK-24',
    'begins with the last tries of destinations with limits when their windows are almost over',
    'gets a last try before it expires',
    (ports) => ({ ...ports, store: lastTrying(ports, late) }),
  ],
  [
    'HOOK-24',
    'gives the last tries that a limit leaves to what came last',
    'gets a last try before it expires',
    (ports) => ({ ...ports, store: lastTrying(ports, newestFirst) }),
  ],
  ['HOOK-22', 'signs in its own way alone', 'does not verify (standard-webhooks)', seeing(inOwnWay)],
  ['HOOK-22', 'takes a private key for a shared secret', 'does not verify (standard-webhooks)', seeing(asShared)],
  ['HOOK-23', 'goes on with a rotation that was taken back', 'does not verify', deafTo(isTakenBack)],
  ['HOOK-23', 'goes on with a rotation that was finished early', 'does not verify', deafTo(isFinished)],
  ['HOOK-23', 'forgets the old secret at once', 'does not verify', seeing(withoutPrevious)],
  ['HOOK-23', 'never lets the old secret go', 'does not verify', seeing(withoutEnd)],
  [
    'HOOK-25',
    'knows of no order',
    'which its user sent later',
    (ports) => ({
      ...ports,
      store: routing(ports.store, (routes) => routes.map(({ line: _none, ...route }) => route)),
    }),
  ],
];

test.each(BROKEN)('%s: an engine that %s is found', async (_rule, _mistake, invariant, spoil) => {
  const run: typeof simulate = (world, options) => simulate(world, { ...options, spoil });
  const found: string[] = [];
  for (let seed = 1; seed <= MOST_SEEDS && !found.some((one) => one.includes(invariant)); seed += 1) {
    const world = drawWorld(seed, SMALL);
    const disturbances = drawDisturbances(seed, world.arrivals);
    found.push(...brokenInvariants(await run({ ...world, disturbances }, { seed, durationMs: 30 * HOUR })));
  }
  expect(found).toContainEqual(expect.stringContaining(invariant));
});

test('HOOK-21: a wall that is set as it likes changes no request of a router', async () => {
  for (let seed = 1; seed <= 25; seed += 1) {
    const { arrivals } = drawWorld(seed, SMALL);
    const disturbances = drawDisturbances(seed, arrivals).filter(({ kind }) => kind === 'wall');
    expect(await requestsOf(seed, disturbances)).toEqual(await requestsOf(seed, []));
  }
});

/** Endpoints draw as they answer, so each run has a world of its own. */
async function requestsOf(seed: number, disturbances: readonly Disturbance[]): Promise<string[]> {
  const { posts } = await simulate({ ...drawWorld(seed, SMALL), disturbances }, { seed, durationMs: 5.5 * HOUR });
  return posts.map(({ at, request }) => `${at} ${request.url}`);
}

function claiming<Own extends DeliveryStorage>(own: Own, change: (claim: Claim) => Claim): Own {
  const claim: DeliveryStorage['claim'] = async (request) => {
    const claimed = await own.claim(request);
    return { ...claimed, claims: claimed.claims.map(change) };
  };
  return { ...own, claim };
}

type Claiming = DeliveryStorage['claim'];

/** Asks for last tries in another way, of destinations with limits alone. */
function lastTrying<Own extends DeliveryStorage>(
  { store, targets }: { readonly store: Own; readonly targets: DispatcherPorts['targets'] },
  change: (own: Own) => Claiming,
): Own {
  const changed = change(store);
  const isLimited = (name: string): boolean => targets(name)?.limits !== undefined;
  const claim: Claiming = (request) =>
    request.which === 'received' && isLimited(request.destination) ? changed(request) : store.claim(request);
  return { ...store, claim };
}

function late(own: DeliveryStorage): Claiming {
  return (request) => own.claim(request.which === 'received' ? { ...request, upTo: request.upTo - 4_500 } : request);
}

function newestFirst(own: DeliveryStorage): Claiming {
  return async (request) => {
    const { claims, ...claimed } = await own.claim({ ...request, limit: 1_000, bytes: Infinity });
    const others = claims.slice(0, -request.limit);
    await own.release(others);
    const [oldest] = others;
    return { ...claimed, claims: claims.slice(-request.limit), ...(oldest && waiting(oldest)) };
  };
}

function waiting({ message: { receivedAt } }: Claim): Pick<Claimed, 'nextDueAt' | 'oldestReceivedAt'> {
  return { nextDueAt: receivedAt, oldestReceivedAt: receivedAt };
}

/** An engine that sees its targets in another way. */
function seeing(change: (target: Target) => Target): NonNullable<SimulationOptions['spoil']> {
  return ({ targets, ...ports }) => {
    const see = (name: string): Target | undefined => {
      const target = targets(name);
      return target && change(target);
    };
    return { ...ports, targets: see };
  };
}

function unlimited({ limits: _none, ...target }: Target): Target {
  return target;
}

function inOwnWay({ signature: _none, ...target }: Target): Target {
  return target;
}

function asShared(target: Target): Target {
  const { sharedSecret } = target;
  if (!sharedSecret.startsWith('whsk_')) return target;
  const privateHalf = Buffer.from(sharedSecret.slice('whsk_'.length), 'base64').subarray(0, 32);
  return { ...target, sharedSecret: `whsec_${privateHalf.toString('base64')}` };
}

/** What it saw of a rotation holds until that was to end, whatever it is told meanwhile that is of this kind. */
function deafTo(isOfKind: (kept: Target, told: Target) => boolean): NonNullable<SimulationOptions['spoil']> {
  return ({ targets, ...ports }) => {
    const seen = new Map<string, Target>();
    const see = (name: string): Target | undefined => {
      const [kept, told] = [seen.get(name), targets(name)];
      if (told === undefined) return undefined;
      const isUnderWay = (kept?.previous?.until ?? 0) > ports.clock.now();
      const target = kept !== undefined && isUnderWay && isOfKind(kept, told) ? kept : told;
      seen.set(name, target);
      return target;
    };
    return { ...ports, targets: see };
  };
}

function isTakenBack(kept: Target, told: Target): boolean {
  return told.sharedSecret === kept.previous?.secret;
}

function isFinished(kept: Target, told: Target): boolean {
  return told.sharedSecret === kept.sharedSecret && told.previous === undefined;
}

function withoutPrevious({ previous: _none, ...target }: Target): Target {
  return target;
}

function withoutEnd({ previous, ...target }: Target): Target {
  return previous === undefined ? target : { ...target, previous: { ...previous, until: Infinity } };
}

type Routes = AcceptRequest['acceptances'][number]['routes'];

function routing<Own extends DeliveryStorage>(own: Own, change: (routes: Routes) => Routes): Own {
  const accept: DeliveryStorage['accept'] = ({ acceptances, ...request }) =>
    own.accept({ ...request, acceptances: acceptances.map((one) => ({ ...one, routes: change(one.routes) })) });
  return { ...own, accept };
}

/** The destination that the event was not addressed to, where it was addressed to its sibling. */
function withSibling(routes: Routes): Routes {
  const [first] = routes;
  if (first === undefined || routes.length > 1 || !first.destination.endsWith('-1')) return routes;
  return [...routes, { destination: first.destination.replace(/-1$/, ''), claimed: false }];
}

/** Once a destination has failed, its siblings are taken for disabled. */
function stoppingAll({ targets, transport, ...ports }: DispatcherPorts): DispatcherPorts {
  const failed = new Set<string>();
  const post: Transport['post'] = async (request, signal) => {
    const result = await transport.post(request, signal);
    const [, host = ''] = /^https:\/\/d([\d-]+)w/.exec(request.url) ?? [];
    if (result.kind === 'failed' || result.status >= 400) failed.add(host);
    return result;
  };
  const hasFailedSibling = (name: string): boolean => {
    const own = name.replace(/^.*\/s(\d+)\/destinations\/webhooks/, '$1');
    return [...failed].some((host) => host !== own && host.split('-')[0] === own.split('-')[0]);
  };
  return {
    ...ports,
    targets: (name) => (hasFailedSibling(name) ? undefined : targets(name)),
    transport: { post },
  };
}

import type { Limits } from '../../server/delivery/pace.ts';
import type { Target } from '../../server/delivery/target.ts';
import type { Random } from '../../server/ports/random.ts';
import { withSignatures } from './drawn-signatures.ts';
import type { Rotation } from './rotation.ts';
import { seededRandom } from './seeded-random.ts';
import { answers, type SimulatedAnswer } from './simulated-transport.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Events come, and faults befall routers, in this time. */
const BUSY_MS = 90 * SECOND;
/** The share of sources that have several destinations, and of their events those that go to some of these only. */
const FANNED_OUT = 0.3;
const ADDRESSED = 0.2;
/** The share of destinations whose requests are signed. */
const SIGNED = 0.4;

export interface ClusterArrival {
  readonly at: number;
  readonly destination: string;
  /** The other destinations of its source that it is routed to (HOOK-19). */
  readonly also: readonly string[];
  readonly messageId: string;
  readonly user: string;
}

/** What befalls one router, or its way to the storage. */
export interface Fault {
  readonly at: number;
  readonly kind: 'kill' | 'pause' | 'cut' | 'loses answers';
  readonly router: number;
  readonly forMs: number;
}

type ClusterEndpoint = (at: number) => SimulatedAnswer;

export interface ClusterWorld {
  readonly seed: number;
  /** Of each router, how far its clocks are ahead of the storage's. */
  readonly routers: readonly number[];
  readonly targets: ReadonlyMap<string, Target>;
  readonly endpoints: ReadonlyMap<string, ClusterEndpoint>;
  readonly arrivals: readonly ClusterArrival[];
  readonly rotations: readonly Rotation[];
  readonly faults: readonly Fault[];
  /** The destination that gets the events of each user in their order. */
  readonly inOrder: string;
  /** From here on nothing befalls anybody any more. */
  readonly calmAt: number;
}

export function drawCluster(seed: number): ClusterWorld {
  return withSignatures(withSiblings(drawSingles(seed), seed), seed, BUSY_MS, SIGNED);
}

/** Each source has one destination. */
function drawSingles(seed: number): ClusterWorld {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const destinations = Array.from(
    { length: 5 },
    (_, index) => `workspaces/main/sources/s${index}/destinations/webhooks`,
  );
  const endpoints = new Map(destinations.map((name) => [name, drawEndpoint(random)]));
  const arrivals = Array.from({ length: 40 }, () => ({ at: below(BUSY_MS), to: below(destinations.length) })).flatMap(
    // They come in bursts, which a destination cannot take at once.
    ({ at, to }, burst) =>
      Array.from({ length: 1 + Math.floor(random() ** 3 * 40) }, (_, index) => {
        return {
          at: at + below(300),
          destination: destinations[to] ?? '',
          also: [],
          messageId: `m${burst}-${index}`,
          user: `u${index % 3}`,
        };
      }),
  );
  const routers = Array.from({ length: 2 + below(2) }, () => (random() < 0.5 ? 0 : (random() - 0.5) * 20 * MINUTE)).map(
    Math.round,
  );
  const faults = Array.from({ length: below(5) }, () => drawFault(random, routers.length));
  const [, , inOrder = '', few = '', slow = ''] = destinations;
  const limits = new Map<string, Limits>([
    [few, { inFlight: 2 }],
    [slow, { perSecond: 4 }],
  ]);
  const targets = new Map(
    destinations.map((name) => [name, targetOf(name, limits.get(name), name === inOrder)] as const),
  );
  return { seed, routers, targets, endpoints, inOrder, arrivals, rotations: [], faults, calmAt: BUSY_MS + MINUTE };
}

function targetOf(name: string, limits?: Limits, inOrder = false): Target {
  const webhooks = [{ url: `https://${name}`, headers: {} }];
  return { webhooks, sharedSecret: '', ...(limits && { limits }), ...(inOrder && { inOrder }) };
}

/** Some sources get more destinations, and their events go to all of these, or to some. */
function withSiblings(world: ClusterWorld, seed: number): ClusterWorld {
  const random = seededRandom(seed ^ 0xfa0);
  const [targets, endpoints] = [new Map(world.targets), new Map(world.endpoints)];
  const siblings = new Map<string, readonly string[]>();
  for (const name of world.targets.keys()) {
    if (random() >= FANNED_OUT) continue;
    const others = random() < 0.5 ? [`${name}-1`] : [`${name}-1`, `${name}-2`];
    siblings.set(name, [name, ...others]);
    for (const other of others) {
      targets.set(other, targetOf(other));
      endpoints.set(other, drawEndpoint(random));
    }
  }
  const arrivals = world.arrivals.map((arrival) => {
    const all = siblings.get(arrival.destination) ?? [arrival.destination];
    const [destination = arrival.destination, ...also] = random() < ADDRESSED ? all.filter(() => random() < 0.5) : all;
    return { ...arrival, destination, also };
  });
  return { ...world, targets, endpoints, arrivals };
}

function drawFault(random: Random, routers: number): Fault {
  const kinds = ['kill', 'pause', 'cut', 'loses answers'] as const;
  const kind = kinds[Math.floor(random() * kinds.length)] ?? 'kill';
  const at = 3 * SECOND + Math.floor(random() * BUSY_MS);
  return { at, kind, router: Math.floor(random() * routers), forMs: Math.floor(500 + random() ** 3 * 40 * SECOND) };
}

function drawEndpoint(random: Random): (at: number) => SimulatedAnswer {
  const [kind, from] = [random(), random() * BUSY_MS];
  if (kind < 0.4) return () => ({ ...answers(200), afterMs: 5 + Math.floor(random() * 300) });
  if (kind < 0.7) return () => ({ ...answers(200), afterMs: 1_000 + Math.floor(random() * 3_000) });
  return (at) => ({ ...answers(at > from && at < from + MINUTE ? 503 : 200), afterMs: 50 });
}

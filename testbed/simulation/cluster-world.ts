import type { Limits } from '../../server/delivery/pace.ts';
import type { Random } from '../../server/ports/random.ts';
import { seededRandom } from './seeded-random.ts';
import { answers, type SimulatedAnswer } from './simulated-transport.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Events come, and faults befall routers, in this time. */
const BUSY_MS = 90 * SECOND;

export interface ClusterArrival {
  readonly at: number;
  readonly destination: string;
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

export interface ClusterWorld {
  readonly seed: number;
  /** Of each router, how far its clocks are ahead of the storage's. */
  readonly routers: readonly number[];
  readonly endpoints: ReadonlyMap<string, (at: number) => SimulatedAnswer>;
  readonly arrivals: readonly ClusterArrival[];
  readonly faults: readonly Fault[];
  /** Of some destinations. */
  readonly limits: ReadonlyMap<string, Limits>;
  /** The destination that gets the events of each user in their order. */
  readonly inOrder: string;
  /** From here on nothing befalls anybody any more. */
  readonly calmAt: number;
}

export function drawCluster(seed: number): ClusterWorld {
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
  return { seed, routers, endpoints, limits, inOrder, arrivals, faults, calmAt: BUSY_MS + MINUTE };
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

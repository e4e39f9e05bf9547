import { Memory } from '../../server/storage/memory/memory.ts';
import type { DispatcherPorts } from '../../server/delivery/dispatcher.ts';
import { DEFAULT_POLICY, type DeliveryPolicy } from '../../server/model/policy.ts';
import type { Random } from '../../server/ports/random.ts';
import type { Disturbance, Interruption } from './disturbance.ts';
import type { StoredDelivery } from '../../server/storage/memory/rows.ts';
import { type Parking, Parkings } from './parkings.ts';
import { RotatedTargets } from './rotation.ts';
import { seededRandom } from './seeded-random.ts';
import { answers, type SimulatedPost, SimulatedTransport } from './simulated-transport.ts';
import { SimulatedRouter } from './simulated-router.ts';
import { VirtualClock } from './virtual-clock.ts';
import { ownersOf, type World } from './world.ts';

/** When every simulation begins, by its own clock. */
export const START = Date.UTC(2026, 0, 1);

export interface SimulationOptions {
  /** How long time runs on, in milliseconds. */
  readonly durationMs: number;
  /** Draws the waits; with the world's own seed the run is repeatable byte for byte. */
  readonly seed: number;
  readonly policy?: Partial<DeliveryPolicy>;
  /** What draws the waits instead of the seed. */
  readonly random?: Random;
  /** Breaks the engine of each process, to show that a run finds it. */
  readonly spoil?: (ports: DispatcherPorts) => DispatcherPorts;
}

/** What a simulated run did. Times are by its own clock, which nobody sets; it began at `startedAt`. */
export interface Simulation {
  readonly policy: DeliveryPolicy;
  readonly world: World;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly deliveries: readonly StoredDelivery[];
  /** When each message was accepted, by its id. */
  readonly acceptedAt: ReadonlyMap<string, number>;
  readonly posts: readonly SimulatedPost[];
  /** The same of each destination. */
  readonly postsOf: ReadonlyMap<string, readonly SimulatedPost[]>;
  /** The secrets that were valid for a request as it was sent. */
  readonly secrets: ReadonlyMap<SimulatedPost, readonly string[]>;
  /** When the router stood still, or was not there. */
  readonly interruptions: readonly Interruption[];
  /** When destinations were parked (D-25). */
  readonly parkings: readonly Parking[];
}

/**
 * Runs the production delivery engine through a world in virtual time: only the clocks, the network, the disk and the
 * dice are simulated. Hours take as long as the work in them.
 */
export async function simulate(world: World, options: SimulationOptions): Promise<Simulation> {
  const policy = { ...DEFAULT_POLICY, ...options.policy };
  const clock = new VirtualClock(START);
  const store = new Memory({ clock }).open();
  const parkings = new Parkings(clock);
  const rotated = new RotatedTargets(world);
  const secrets = new Map<SimulatedPost, readonly string[]>();
  const transport = new SimulatedTransport(clock, (post) => {
    secrets.set(post, rotated.secretsOf(post.request.url, clock.now()));
    const endpoint = world.endpoints?.get(post.request.url);
    if (endpoint !== undefined) return endpoint(post);
    return world.characters.get(post.request.url)?.respond(post.at - START) ?? answers(200);
  });
  const random = options.random ?? seededRandom(options.seed);
  const targets = (name: string) => rotated.target(name);
  const { spoil = (ports) => ports } = options;
  const ports = { policy, random, transport, targets, store, log: parkings.log };
  const router = new SimulatedRouter(clock, ports, spoil);
  await router.start();
  const interruptions: Interruption[] = [];
  const until = (at: number): Promise<void> => clock.advance(Math.max(0, START + at - clock.steady()));
  for (const event of planOf(world)) {
    await until(event.at);
    const from = clock.steady();
    if ('messageId' in event) await router.accept(event);
    else if ('change' in event) rotated.rotate(event, clock.now());
    else await disturb(event, clock, router, parkings);
    if ('kind' in event && event.kind !== 'wall') interruptions.push({ kind: event.kind, from, to: clock.steady() });
  }
  await until(options.durationMs);
  const { deliveries } = store;
  const { posts } = transport;
  const owners = ownersOf(world);
  const postsOf = Map.groupBy(posts, ({ request }) => owners.get(request.url) ?? '');
  const times = { startedAt: START, endedAt: clock.steady(), acceptedAt: router.acceptedAt };
  return { policy, world, ...times, deliveries, posts, postsOf, secrets, parkings: parkings.all, interruptions };
}

/** Everything that happens to the router and its settings, in order of time; of one moment, the arrivals come first. */
function planOf({ arrivals, rotations = [], disturbances = [] }: World) {
  return [...arrivals, ...rotations, ...disturbances].toSorted((a, b) => a.at - b.at);
}

async function disturb(what: Disturbance, clock: VirtualClock, router: SimulatedRouter, parkings: Parkings) {
  switch (what.kind) {
    case 'wall':
      return clock.stepWall(what.byMs);
    case 'stall':
      return clock.stall(what.ms);
    case 'restart':
      router.kill();
      parkings.restarted();
      await clock.advance(what.downMs);
      clock.stepWall(what.wallMs);
      return router.start();
  }
}

import { Dispatcher } from '../../server/delivery/dispatcher.ts';
import { DEFAULT_POLICY, type DeliveryPolicy } from '../../server/delivery/policy.ts';
import type { Message } from '../../server/ports/message.ts';
import type { Random } from '../../server/ports/random.ts';
import { MemoryDeliveryStore, type StoredDelivery } from './memory-delivery-store.ts';
import { seededRandom } from './seeded-random.ts';
import { type Parking, Parkings } from './parkings.ts';
import { answers, type SimulatedPost, SimulatedTransport } from './simulated-transport.ts';
import { VirtualClock } from './virtual-clock.ts';
import type { Arrival, World } from './world.ts';

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
}

/** What a simulated run did. Times are by its own clock; it began at `startedAt`. */
export interface Simulation {
  readonly policy: DeliveryPolicy;
  readonly startedAt: number;
  readonly deliveries: readonly StoredDelivery[];
  readonly posts: readonly SimulatedPost[];
  /** When destinations were parked (D-25). */
  readonly parkings: readonly Parking[];
}

/**
 * Runs the production delivery engine through a world in virtual time: only the clock, the network, the disk and the
 * dice are simulated. Hours take as long as the work in them.
 */
export async function simulate(world: World, options: SimulationOptions): Promise<Simulation> {
  const policy = { ...DEFAULT_POLICY, ...options.policy };
  const clock = new VirtualClock(START);
  const store = new MemoryDeliveryStore();
  const parkings = new Parkings(clock);
  const transport = new SimulatedTransport(clock, (post) => {
    const endpoint = world.endpoints?.get(post.request.url);
    if (endpoint !== undefined) return endpoint(post);
    return world.characters.get(post.request.url)?.respond(post.at - START) ?? answers(200);
  });
  const random = options.random ?? seededRandom(options.seed);
  const targets = (name: string) => Promise.resolve(world.targets.get(name));
  const dispatcher = new Dispatcher({ policy, clock, random, transport, targets, store, log: parkings.log });
  await dispatcher.start();
  for (const arrival of world.arrivals) {
    await clock.advance(START + arrival.at - clock.now());
    await accept(dispatcher, store, arrival);
  }
  await clock.advance(START + options.durationMs - clock.now());
  return { policy, startedAt: START, deliveries: store.deliveries, posts: transport.posts, parkings: parkings.all };
}

async function accept(dispatcher: Dispatcher, store: MemoryDeliveryStore, arrival: Arrival): Promise<void> {
  const { destination } = arrival;
  const claimed = dispatcher.hasRoom(destination);
  const [claims] = await store.accept([{ message: messageOf(arrival), routes: [{ destination, claimed }] }]);
  if (claims !== undefined && claims !== 'duplicate') dispatcher.deliver(claims);
  if (!claimed) dispatcher.wake(destination);
}

function messageOf({ at, destination, messageId, event: given }: Arrival): Message {
  const receivedAt = START + at;
  const timestamp = new Date(receivedAt).toISOString();
  const event = { type: 'track', messageId, userId: 'u1', event: 'Simulated', properties: {}, context: {} } as const;
  const source = destination.replace(/\/destinations\/.*/, '');
  return { source, receivedAt, event: { ...event, timestamp, receivedAt: timestamp, ...given } };
}

import type { Limits } from '../../server/delivery/pace.ts';
import type { Target } from '../../server/delivery/target.ts';
import type { Random } from '../../server/ports/random.ts';
import { seededRandom } from './seeded-random.ts';
import { type Arrival, routesOf } from './arrival.ts';
import type { World } from './world.ts';

/** The share of destinations that have limits, and of those that get the events of each user in order. */
const SHARE = 0.1;
/** So many events come at once where a limit or an order is to be felt. */
const BURST = 30;
const BURST_MS = 1_000;
const USERS = 3;

/**
 * Some destinations have limits (HOOK-24), or ask for order (HOOK-25), and get a burst of events more. Drawn beside the world
 * that is given, so that everything else in it stays as its seed has it.
 */
export function withLimits(world: World, seed: number, arrivalMs: number): World {
  const random = seededRandom(seed ^ 0x11317);
  const targets = new Map<string, Target>(world.targets);
  const bursts: Arrival[] = [];
  for (const [number, [name, target]] of [...world.targets].entries()) {
    const limits = random() < SHARE ? drawLimits(random) : undefined;
    const inOrder = random() < SHARE ? true : undefined;
    if (limits === undefined && inOrder === undefined) continue;
    targets.set(name, { ...target, ...(limits && { limits }), ...(inOrder && { inOrder }) });
    bursts.push(...drawBurst(name, `m${number}-b`, random() * arrivalMs, random));
  }
  const arrivals = [...world.arrivals, ...bursts].toSorted((a, b) => a.at - b.at);
  const isInOrder = (arrival: Arrival): boolean =>
    routesOf(arrival).some((name) => targets.get(name)?.inOrder === true);
  const ofUsers = arrivals.map((arrival, index) =>
    isInOrder(arrival) ? { ...arrival, event: { userId: `u${index % USERS}` } } : arrival,
  );
  return { ...world, targets, arrivals: ofUsers };
}

/** An endpoint that is well has a burst behind it within half a minute. */
function drawLimits(random: Random): Limits {
  const [perSecond, inFlight] = [1 + Math.floor(random() * 5), 1 + Math.floor(random() * 3)];
  const kind = random();
  if (kind < 0.4) return { perSecond };
  return kind < 0.8 ? { inFlight } : { perSecond, inFlight };
}

function drawBurst(destination: string, prefix: string, from: number, random: Random): Arrival[] {
  return Array.from({ length: BURST }, (_, index) => {
    return { at: Math.floor(from + random() * BURST_MS), destination, messageId: `${prefix}${index}` };
  });
}

import type { Target } from '../../server/delivery/target.ts';
import type { Arrival } from './arrival.ts';
import { type Character, drawCharacter } from './character.ts';
import { withLimits } from './drawn-limits.ts';
import { withSignatures } from './drawn-signatures.ts';
import { drawUrls, withFanOut } from './fan-out.ts';
import type { Rotation } from './rotation.ts';
import { seededRandom } from './seeded-random.ts';
import type { Disturbance } from './disturbance.ts';
import type { Endpoint } from './simulated-transport.ts';

/** How large a simulated world is. */
export interface WorldSize {
  /** Each of a source of its own; some of these sources have more (HOOK-19). */
  readonly destinations: number;
  /** Besides a burst for each destination with limits or an order. */
  readonly eventsPerDestination: number;
  /** Events arrive within so many of the first milliseconds. */
  readonly arrivalMs: number;
}

/** Destinations with endpoints of mixed character, and the events that are sent to them: all drawn from one seed. */
export interface World {
  readonly targets: ReadonlyMap<string, Target>;
  readonly characters: ReadonlyMap<string, Character>;
  /** Endpoints that know the request as well; they come before characters. */
  readonly endpoints?: ReadonlyMap<string, Endpoint>;
  /** In order of time. */
  readonly arrivals: readonly Arrival[];
  /** What is done to the secrets of destinations that have one, in order of time. */
  readonly rotations?: readonly Rotation[];
  /** What befalls the router itself, in order of time. */
  readonly disturbances?: readonly Disturbance[];
}

/** Whose a URL is: each is of one destination. */
export function ownersOf({ targets }: Pick<World, 'targets'>): ReadonlyMap<string, string> {
  return new Map([...targets].flatMap(([name, { webhooks }]) => webhooks.map(({ url }) => [url, name] as const)));
}

export function drawWorld(seed: number, size: WorldSize): World {
  const world = withLimits(withFanOut(drawSingles(seed, size), seed), seed, size.arrivalMs);
  return withSignatures(world, seed, size.arrivalMs);
}

/** Each source has one destination. */
function drawSingles(seed: number, size: WorldSize): World {
  const random = seededRandom(seed);
  const targets = new Map<string, Target>();
  const characters = new Map<string, Character>();
  const arrivals: Arrival[] = [];
  for (let number = 0; number < size.destinations; number += 1) {
    const destination = `workspaces/main/sources/s${number}/destinations/webhooks`;
    const urls = drawUrls(`d${number}`, random);
    for (const url of urls) characters.set(url, drawCharacter(random));
    targets.set(destination, { webhooks: urls.map((url) => ({ url, headers: {} })), sharedSecret: '' });
    for (let event = 0; event < size.eventsPerDestination; event += 1) {
      arrivals.push({ at: Math.floor(random() * size.arrivalMs), destination, messageId: `m${number}-${event}` });
    }
  }
  return { targets, characters, arrivals: arrivals.toSorted((a, b) => a.at - b.at) };
}

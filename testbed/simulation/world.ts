import type { Event } from '../../server/model/message.ts';
import type { Random } from '../../server/ports/random.ts';
import type { Target } from '../../server/delivery/target.ts';
import { type Character, drawCharacter } from './character.ts';
import { seededRandom } from './seeded-random.ts';
import type { Disturbance } from './disturbance.ts';
import type { Endpoint } from './simulated-transport.ts';

/** How large a simulated world is. */
export interface WorldSize {
  readonly destinations: number;
  readonly eventsPerDestination: number;
  /** Events arrive within so many of the first milliseconds. */
  readonly arrivalMs: number;
}

export interface Arrival {
  readonly at: number;
  readonly destination: string;
  readonly messageId: string;
  /** What it is; default a plain track call. */
  readonly event?: Partial<Event>;
}

/** Destinations with endpoints of mixed character, and the events that are sent to them: all drawn from one seed. */
export interface World {
  readonly targets: ReadonlyMap<string, Target>;
  readonly characters: ReadonlyMap<string, Character>;
  /** Endpoints that know the request as well; they come before characters. */
  readonly endpoints?: ReadonlyMap<string, Endpoint>;
  /** In order of time. */
  readonly arrivals: readonly Arrival[];
  /** What befalls the router itself, in order of time. */
  readonly disturbances?: readonly Disturbance[];
}

export function drawWorld(seed: number, size: WorldSize): World {
  const random = seededRandom(seed);
  const targets = new Map<string, Target>();
  const characters = new Map<string, Character>();
  const arrivals: Arrival[] = [];
  for (let number = 0; number < size.destinations; number += 1) {
    const destination = `workspaces/main/sources/s${number}/destinations/webhooks`;
    const urls = drawUrls(number, random);
    for (const url of urls) characters.set(url, drawCharacter(random));
    targets.set(destination, { webhooks: urls.map((url) => ({ url, headers: {} })), sharedSecret: '' });
    for (let event = 0; event < size.eventsPerDestination; event += 1) {
      arrivals.push({ at: Math.floor(random() * size.arrivalMs), destination, messageId: `m${number}-${event}` });
    }
  }
  return { targets, characters, arrivals: arrivals.toSorted((a, b) => a.at - b.at) };
}

/** Most destinations have one webhook; the others up to five. */
function drawUrls(number: number, random: Random): string[] {
  const count = random() < 0.6 ? 1 : 1 + Math.floor(random() * 5);
  return Array.from({ length: count }, (_, index) => `https://d${number}w${index}.test/`);
}

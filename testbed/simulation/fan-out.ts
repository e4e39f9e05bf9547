import type { Target } from '../../server/delivery/target.ts';
import type { Random } from '../../server/ports/random.ts';
import { type Character, drawCharacter } from './character.ts';
import { seededRandom } from './seeded-random.ts';
import type { Arrival } from './arrival.ts';
import type { World } from './world.ts';

/** The share of sources that have several destinations. */
const SHARE = 0.15;
/** The share of their events that go to some of these destinations only, as `integrations` can say. */
const ADDRESSED = 0.2;

/**
 * Some sources get further destinations, with endpoints of their own. Drawn beside the world that is given, so that
 * everything else in it stays as its seed has it.
 */
export function withFanOut(world: World, seed: number): World {
  const random = seededRandom(seed ^ 0xfa0);
  const targets = new Map<string, Target>(world.targets);
  const characters = new Map<string, Character>(world.characters);
  const siblings = new Map<string, readonly string[]>();
  for (const [number, destination] of [...world.targets.keys()].entries()) {
    if (random() >= SHARE) continue;
    const others = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, index) => `${destination}-${index + 1}`);
    siblings.set(destination, others);
    for (const [index, other] of others.entries()) {
      const urls = drawUrls(`d${number}-${index + 1}`, random);
      for (const url of urls) characters.set(url, drawCharacter(random));
      targets.set(other, { webhooks: urls.map((url) => ({ url, headers: {} })), sharedSecret: '' });
    }
  }
  const arrivals = world.arrivals.map((arrival) => {
    const others = siblings.get(arrival.destination);
    return others === undefined ? arrival : routed(arrival, [arrival.destination, ...others], random);
  });
  return { ...world, targets, characters, arrivals };
}

function routed(arrival: Arrival, all: readonly string[], random: Random): Arrival {
  const drawn = random() < ADDRESSED ? all.filter(() => random() < 0.5) : all;
  const [destination = arrival.destination, ...also] = drawn;
  return { ...arrival, destination, also };
}

/** Most destinations have one webhook; the others up to five. */
export function drawUrls(host: string, random: Random): string[] {
  const count = random() < 0.6 ? 1 : 1 + Math.floor(random() * 5);
  return Array.from({ length: count }, (_, index) => `https://${host}w${index}.test/`);
}

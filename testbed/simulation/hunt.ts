import { brokenInvariants } from './invariants.ts';
import { simulate, type Simulation, type SimulationOptions } from './simulate.ts';
import { drawWorld, type World, type WorldSize } from './world.ts';

const HOUR = 3_600_000;

/** A world small enough to be run by the hundred, and long enough that every window in it ends. */
export const SMALL: WorldSize = { destinations: 10, eventsPerDestination: 6, arrivalMs: HOUR };
export const DURATION_MS = 5.5 * HOUR;

export interface Finding {
  readonly seed: number;
  readonly broken: readonly string[];
  /** The fewest destinations of the seed's world that still break it. */
  readonly story: World;
}

type Run = (world: World, options: SimulationOptions) => Promise<Simulation>;

/** Runs the world of a seed; answers what breaks in it, shrunken to the least that still breaks. */
export async function hunt(seed: number, size: WorldSize = SMALL, run: Run = simulate): Promise<Finding | undefined> {
  const check = async (world: World): Promise<string[]> =>
    brokenInvariants(await run(world, { seed, durationMs: DURATION_MS }));
  const world = drawWorld(seed, size);
  const broken = await check(world);
  if (broken.length === 0) return undefined;
  const story = await shrink(world, async (smaller) => (await check(smaller)).length > 0);
  return { seed, broken: await check(story), story };
}

/** Leaves out halves, then ever smaller parts, of the arrivals, as long as the rest still breaks. */
async function shrink(world: World, breaks: (world: World) => Promise<boolean>): Promise<World> {
  let arrivals = world.arrivals;
  for (let part = Math.ceil(arrivals.length / 2); part >= 1; part = part === 1 ? 0 : Math.ceil(part / 2)) {
    for (let from = 0; from < arrivals.length;) {
      const rest = arrivals.toSpliced(from, part);
      if (rest.length > 0 && (await breaks({ ...world, arrivals: rest }))) arrivals = rest;
      else from += part;
    }
  }
  return { ...world, arrivals };
}

/** A finding in words: what broke, and the least that it takes. */
export function tellFinding({ seed, broken, story }: Finding): string {
  const arrivals = story.arrivals.map(({ at, destination, messageId }) => {
    const urls = story.targets.get(destination)?.webhooks.map(({ url }) => url) ?? [];
    const characters = urls.map((url) => `${url} is ${story.characters.get(url)?.name ?? 'healthy'}`);
    return `  ${(at / 1000).toFixed(3)} s: ${messageId} for ${destination} (${characters.join(', ')})`;
  });
  return [`seed ${seed} breaks:`, ...broken.map((one) => `  ${one}`), 'with no more than:', ...arrivals].join('\n');
}

import { DEFAULT_POLICY } from '../../server/model/policy.ts';
import { delayBy, drawDisturbances } from './disturbance.ts';
import { brokenInvariants } from './invariants.ts';
import { simulate, type Simulation, type SimulationOptions } from './simulate.ts';
import { routesOf } from './arrival.ts';
import type { Rotation } from './rotation.ts';
import { drawWorld, type World, type WorldSize } from './world.ts';

const HOUR = 3_600_000;

/** A world small enough to be run by the hundred, and long enough that every window in it ends. */
export const SMALL: WorldSize = { destinations: 10, eventsPerDestination: 6, arrivalMs: HOUR };
const DURATION_MS = 5.5 * HOUR;

export interface Finding {
  readonly seed: number;
  readonly broken: readonly string[];
  /** The fewest destinations of the seed's world that still break it. */
  readonly story: World;
}

type Run = (world: World, options: SimulationOptions) => Promise<Simulation>;

/** Runs the world of a seed; answers what breaks in it, shrunken to the least that still breaks. */
export async function hunt(seed: number, size: WorldSize = SMALL, run: Run = simulate): Promise<Finding | undefined> {
  // Endpoints draw as they answer: each run has its own, or what breaks first would not break again.
  const check = async (world: World): Promise<string[]> => {
    const { characters } = drawWorld(seed, size);
    return brokenInvariants(await run({ ...world, characters }, { seed, durationMs: durationOf(world) }));
  };
  const drawn = drawWorld(seed, size);
  const world = { ...drawn, disturbances: drawDisturbances(seed, drawn.arrivals) };
  const broken = await check(world);
  if (broken.length === 0) return undefined;
  const breaks = async (smaller: World): Promise<boolean> => (await check(smaller)).length > 0;
  const calmer = await shrink(world, 'disturbances', breaks);
  const steadier = await shrink(calmer, 'rotations', breaks);
  const story = await shrink(steadier, 'arrivals', breaks);
  return { seed, broken: await check(story), story };
}

/** Until every window is over, however the router was held up. */
function durationOf({ disturbances = [] }: World): number {
  return DURATION_MS + delayBy(disturbances, DEFAULT_POLICY.windowMs);
}

type Part = 'arrivals' | 'rotations' | 'disturbances';

/** Leaves out halves, then ever smaller parts, of what happens, as long as the rest still breaks. */
async function shrink(world: World, what: Part, breaks: (world: World) => Promise<boolean>): Promise<World> {
  let least = world;
  const count = (): number => least[what]?.length ?? 0;
  for (let part = Math.ceil(count() / 2); part >= 1; part = part === 1 ? 0 : Math.ceil(part / 2)) {
    for (let from = 0; from < count();) {
      const rest = without(least, what, from, part);
      if (rest.arrivals.length > 0 && (await breaks(rest))) least = rest;
      else from += part;
    }
  }
  return least;
}

function without(world: World, what: Part, from: number, count: number): World {
  switch (what) {
    case 'arrivals':
      return { ...world, arrivals: world.arrivals.toSpliced(from, count) };
    case 'rotations':
      return { ...world, rotations: world.rotations?.toSpliced(from, count) ?? [] };
    case 'disturbances':
      return { ...world, disturbances: world.disturbances?.toSpliced(from, count) ?? [] };
  }
}

/** A finding in words: what broke, and the least that it takes. */
export function tellFinding({ seed, broken, story }: Finding): string {
  const arrivals = story.arrivals.map((arrival) => {
    const { at, messageId } = arrival;
    const routes = routesOf(arrival).map((name) => tellDestination(name, story));
    return `  ${(at / 1000).toFixed(3)} s: ${messageId} for ${routes.join(' and ')}`;
  });
  const rotations = (story.rotations ?? []).map((one) => `  ${(one.at / 1000).toFixed(3)} s: ${tellRotation(one)}`);
  const disturbances = (story.disturbances ?? []).map(
    ({ at, ...what }) => `  ${(at / 1000).toFixed(3)} s: ${JSON.stringify(what)}`,
  );
  const told = [...broken.map((one) => `  ${one}`), 'with no more than:', ...arrivals, ...rotations, ...disturbances];
  return [`seed ${seed} breaks:`, ...told].join('\n');
}

function tellRotation(rotation: Rotation): string {
  const { change, destination } = rotation;
  if (change !== 'rotate') return `the rotation at ${destination}: ${change}`;
  return `another secret for ${destination}, the old one valid for ${rotation.overlapMs} ms more`;
}

function tellDestination(name: string, { targets, characters }: World): string {
  const { webhooks = [], limits, inOrder, signature } = targets.get(name) ?? {};
  const urls = webhooks.map(({ url }) => `${url} is ${characters.get(url)?.name ?? 'healthy'}`);
  const asks = [
    ...(limits === undefined ? [] : [JSON.stringify(limits)]),
    ...(inOrder === true ? ['in order'] : []),
    ...(signature === undefined ? [] : [`signed: ${signature}`]),
  ];
  return `${name} (${[...urls, ...asks].join(', ')})`;
}

import { expect, test } from 'vitest';
import type { DispatcherPorts } from '../../../server/delivery/dispatcher.ts';
import { DEFAULT_POLICY } from '../../../server/model/policy.ts';
import type { AcceptRequest } from '../../../server/storage/delivery-storage.ts';
import { delayBy, drawDisturbances } from '../../simulation/disturbance.ts';
import { brokenInvariants } from '../../simulation/invariants.ts';
import { disordered } from '../../simulation/order-oracle.ts';
import { simulate, type Simulation } from '../../simulation/simulate.ts';
import { answers, type SimulatedPost } from '../../simulation/simulated-transport.ts';
import { drawWorld, type World } from '../../simulation/world.ts';

const SEEDS = Array.from({ length: 60 }, (_, index) => index + 1);
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const SIZE = { destinations: 8, eventsPerDestination: 16, arrivalMs: HOUR / 4 };

/** Endpoints of every character, whatever befalls the router; each destination has the events of three users. */
function worldOf(seed: number): World {
  const drawn = drawWorld(seed, SIZE);
  const targets = [...drawn.targets].map(([name, target]) => [name, { ...target, inOrder: true }] as const);
  const arrivals = drawn.arrivals.map((arrival, index) => ({ ...arrival, event: { userId: `u${index % 3}` } }));
  return { ...drawn, targets: new Map(targets), arrivals, disturbances: drawDisturbances(seed, arrivals) };
}

async function run(seed: number, spoil?: (ports: DispatcherPorts) => DispatcherPorts): Promise<Simulation> {
  const world = worldOf(seed);
  const durationMs = 6 * HOUR + delayBy(world.disturbances ?? [], DEFAULT_POLICY.windowMs);
  return simulate(world, { seed, durationMs, ...(spoil && { spoil }) });
}

function bodyOf({ request }: SimulatedPost): { readonly messageId: string; readonly userId: string } {
  return JSON.parse(Buffer.from(request.body).toString('utf8'));
}

test('HOOK-25: the events of a user are sent in order, whatever endpoints do and whatever befalls the router', async () => {
  const found: string[] = [];
  const states = new Set<string>();
  for (const seed of SEEDS) {
    const simulation = await run(seed);
    found.push(...brokenInvariants(simulation).map((words) => `seed ${seed}: ${words}`));
    for (const { state } of simulation.deliveries) states.add(state);
  }
  expect(found).toEqual([]);
  expect(states).toEqual(new Set(['delivered', 'failed', 'expired']));
});

function knowsNoLines({ store, ...ports }: DispatcherPorts): DispatcherPorts {
  return { ...ports, store: { ...store, accept: (request) => store.accept(withoutLines(request)) } };
}

test('a router that keeps no order is found', async () => {
  const found = await Promise.all(SEEDS.slice(0, 5).map(async (seed) => disordered(await run(seed, knowsNoLines))));
  expect(found.flat().length).toBeGreaterThan(10);
});

function withoutLines({ acceptances, ...request }: AcceptRequest): AcceptRequest {
  const all = acceptances.map(({ message, routes }) => {
    return { message, routes: routes.map(({ destination, claimed }) => ({ destination, claimed })) };
  });
  return { ...request, acceptances: all };
}

const DESTINATION = 'workspaces/main/sources/s/destinations/webhooks';
const URL = 'https://hooks.test/';

/** Five users send something each second; what is to come of the first fails for an hour. */
async function oneFails(inOrder: boolean): Promise<Simulation> {
  const arrivals = Array.from({ length: 300 }, (_, index) => ({
    at: index * SECOND,
    destination: DESTINATION,
    messageId: `m${index}`,
    event: { userId: `u${index % 5}` },
  }));
  const target = { webhooks: [{ url: URL, headers: {} }], sharedSecret: '', ...(inOrder && { inOrder }) };
  const endpoint = (post: SimulatedPost) => {
    const isDown = post.at < Date.UTC(2026, 0, 1) + HOUR && bodyOf(post).userId === 'u0';
    return { ...answers(isDown ? 503 : 200), afterMs: 50 };
  };
  const world = { targets: new Map([[DESTINATION, target]]), characters: new Map(), arrivals };
  return simulate({ ...world, endpoints: new Map([[URL, endpoint]]) }, { seed: 1, durationMs: 2 * HOUR });
}

test('HOOK-25: one user whose events fail holds up nobody else, and costs one try at a time', async () => {
  const simulation = await oneFails(true);
  expect(disordered(simulation)).toEqual([]);
  expect(new Set(simulation.deliveries.map(({ state }) => state))).toEqual(new Set(['delivered']));
  const others = simulation.posts.filter((post) => bodyOf(post).userId !== 'u0');
  const late = others.filter((post) => post.at > (simulation.acceptedAt.get(bodyOf(post).messageId) ?? 0) + SECOND);
  expect([others.length, late]).toEqual([240, []]);
  const failing = simulation.posts.filter((post) => bodyOf(post).userId === 'u0');
  // Once it is well, what has waited goes out at once.
  const [firstWell = 0, last = 0] = [failing.length - 60, failing.length - 1].map((index) => failing[index]?.at ?? 0);
  expect(last - firstWell).toBeLessThan(10 * SECOND);
  expect(failing.length).toBeLessThan(60 + 15);
  const unordered = await oneFails(false);
  expect(disordered({ ...unordered, world: simulation.world })).not.toEqual([]);
});

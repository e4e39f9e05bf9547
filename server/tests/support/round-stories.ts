import fc from 'fast-check';
import type { StoredDelivery } from '../../storage/memory/rows.ts';
import { seededRandom } from '../../../testbed/simulation/seeded-random.ts';
import { answers, type SimulatedAnswer, type SimulatedPost } from '../../../testbed/simulation/simulated-transport.ts';
import { classOf, type OutcomeClass } from '../../model/outcome.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';
import type { Attempt } from '../../model/delivery.ts';
import { FAILURES } from '../../ports/transport.ts';
import { type Engine, startEngine, targetOf } from './engine.ts';

const HOUR = 3_600_000;
/** Stories that run side by side in one engine. */
const SIDE_BY_SIDE = 25;

/** How an attempt can end: every outcome, and answers that come late, early or with a wish. */
const ENDS: readonly SimulatedAnswer[] = [
  answers(200),
  { afterMs: 4_999, result: answers(204).result },
  answers(301),
  answers(408),
  answers(425),
  answers(429, '3600'),
  answers(429, '999999'),
  answers(404),
  { afterMs: 2_000, result: answers(410).result },
  answers(500),
  { afterMs: 3_000, result: answers(503).result },
  { afterMs: 5_000, result: answers(200).result },
  { afterMs: HOUR, result: answers(200).result },
  answers(600),
  ...FAILURES.map((failure) => ({ result: { kind: 'failed', failure, detail: '' } as const })),
];

/**
 * What one message meets: the webhooks of its destination, and the end of each attempt in the order in which they are
 * made. Whoever is asked beyond the last gets it again if it `lasts`, and is answered 200 otherwise.
 */
export interface Story {
  readonly webhooks: number;
  readonly ends: Uint8Array;
  readonly lasts: boolean;
}

const anyStory: fc.Arbitrary<Story> = fc.record({
  webhooks: fc.integer({ min: 1, max: 5 }),
  ends: fc.uint8Array({ minLength: 1, maxLength: 12, max: ENDS.length - 1 }),
  lasts: fc.nat(9).map((n) => n === 0),
});

/**
 * Takes so many messages through any course of outcomes, in the production engine and virtual time. Rejects with the
 * seed and the least stories that break a rule.
 */
export async function checkRoundStories(stories: number): Promise<void> {
  const side = Math.min(stories, SIDE_BY_SIDE);
  const anyStories = fc.array(anyStory, { minLength: side, maxLength: side });
  const property = fc.asyncProperty(anyStories, fc.nat(), async (some, seed) => {
    const faults = await faultsIn(some, seed);
    if (faults.length > 0) throw new Error(faults.join('\n'));
  });
  await fc.assert(property, { numRuns: Math.ceil(stories / side) });
}

/** Looks once in the midst of things, and once when all is over. */
async function faultsIn(stories: readonly Story[], seed: number): Promise<string[]> {
  const { engine, faults } = await startWorld(stories, seed);
  await engine.clock.advance(seed % (4 * HOUR));
  const now = engine.clock.now();
  const overdue = engine.store.deliveries.filter(({ state, dueAt }) => state === 'pending' && dueAt <= now);
  await engine.clock.advance(5 * HOUR);
  return [
    ...faults,
    ...overdue.map(({ message }) => `${message.event.messageId}: due, and nobody tries it`),
    ...engine.store.deliveries.flatMap((delivery) => faultsAfterwards(delivery)),
    ...(engine.clock.sleepers === 0 ? [] : ['something is still scheduled']),
  ];
}

export interface World {
  readonly engine: Engine;
  /** What was wrong at the moment of a request. */
  readonly faults: readonly string[];
}

/** Each story has a destination of its own; none is ever parked, so that each delivery runs its own course. */
export async function startWorld(stories: readonly Story[], seed: number): Promise<World> {
  const faults: string[] = [];
  const made = stories.map(() => 0);
  const posts = new Map<string, number>();
  const endpoint = ({ request: { url } }: SimulatedPost): SimulatedAnswer => {
    const index = Number(/\d+/.exec(url)?.[0]);
    const count = (posts.get(url) ?? 0) + 1;
    posts.set(url, count);
    const round = engine.store.deliveries[index]?.round ?? 0;
    if (round < count) faults.push(`${url} was sent for the ${count}th time in round ${round}`);
    const number = made[index] ?? 0;
    made[index] = number + 1;
    return endOf(stories[index], number);
  };
  const engine: Engine = await startEngine(endpoint, { policy: { parkAfter: 1_000 }, random: seededRandom(seed) });
  for (const [index, { webhooks }] of stories.entries()) {
    const destination = `workspaces/main/sources/s${index}/destinations/webhooks`;
    const urls = Array.from({ length: webhooks }, (_, number) => `https://s${index}.test/${number}`);
    engine.targets.set(destination, targetOf(...urls));
    await engine.send({ messageId: `m${index}` }, destination);
  }
  return { engine, faults };
}

function endOf(story: Story | undefined, number: number): SimulatedAnswer {
  const end = story?.ends[number] ?? (story?.lasts === true ? story.ends.at(-1) : undefined);
  return ENDS[end ?? 0] ?? answers(200);
}

/** What is wrong about a delivery whose window is over. */
export function faultsAfterwards({ attempts, message, round, state }: StoredDelivery): string[] {
  const ofClass = (wanted: OutcomeClass): Attempt[] => attempts.filter(({ outcome }) => classOf(outcome) === wanted);
  const isDelivered = ofClass('success').length > 0;
  const firstSuccess = Math.min(...ofClass('success').map(({ startedAt, durationMs }) => startedAt + durationMs));
  const refused = new Set(ofClass('permanent').map(({ webhook }) => webhook));
  const asked = Map.groupBy(attempts, ({ webhook }) => webhook);
  const isRefusedByAll = !isDelivered && [...asked.keys()].every((webhook) => refused.has(webhook));
  const lastTry = message.receivedAt + DEFAULT_POLICY.windowMs - DEFAULT_POLICY.deadlineMs;
  const faults: Readonly<Record<string, boolean>> = {
    'delivered without a success, or the reverse': (state === 'delivered') !== isDelivered,
    'failed without refusals of all, or the reverse': (state === 'failed') !== isRefusedByAll,
    'expired although nobody was left to try': state === 'expired' && (isDelivered || isRefusedByAll),
    'unfinished after the window': state === 'pending' || state === 'trying',
    'tried after a success': attempts.some(({ startedAt }) => startedAt > firstSuccess),
    'tried after the last try': attempts.some(({ startedAt }) => startedAt > lastTry),
    'tried after a refusal': [...refused].some((webhook) => isTriedAfterRefusal(asked.get(webhook) ?? [])),
    'tried more often than counted': [...asked.values()].some((group) => group.length > round),
  };
  const broken = Object.entries(faults).filter(([, isBroken]) => isBroken);
  return broken.map(([words]) => `${message.event.messageId}: ${words}`);
}

function isTriedAfterRefusal(attempts: readonly Attempt[]): boolean {
  const inOrder = attempts.toSorted((a, b) => a.startedAt - b.startedAt);
  return inOrder.slice(0, -1).some(({ outcome }) => classOf(outcome) === 'permanent');
}

/** The number of an end with this status. */
export function endWith(status: number): number {
  return ENDS.findIndex(({ result }) => result.kind === 'answered' && result.status === status);
}

import { batchOf } from '../support/memory-storage.ts';
import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { Dispatcher } from '../../delivery/dispatcher.ts';
import { StallWatch } from '../../delivery/stall-watch.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';
import { messageOf, startEngine, targetOf } from '../support/engine.ts';

const CROWD = 400;
const PER_SECOND = 100;
const SLOW_MS = 50;

function named(name: string): string {
  return `workspaces/main/sources/${name}/destinations/webhooks`;
}

/** A router that starts while 12 events wait for each of a crowd, which refuses connections or works, and as many for `late`, the last of them. */
async function startBesideCrowd(perSecond: number, crowd: 'dead' | 'slow' = 'dead') {
  const engine = await startEngine(({ request }) =>
    request.url.includes('dead')
      ? { afterMs: 1, result: { kind: 'failed', failure: 'connect_refused', detail: '' } }
      : { ...answers(200), afterMs: request.url.includes('slow') ? SLOW_MS : 1 },
  );
  const { dispatcher: first, clock, store, targets, transport } = engine;
  await first.stop(0);
  const names = [...Array.from({ length: CROWD }, (_, index) => `${crowd}${index}`), 'late'];
  for (const name of [...names, 'fresh']) targets.set(named(name), targetOf(`https://${name}.test/`));
  for (const name of names) {
    const messages = Array.from({ length: 12 }, (_, index) => messageOf(clock, { messageId: `${name}-${index}` }));
    const routes = [{ destination: named(name), claimed: false }];
    await store.accept(batchOf(messages.map((message) => ({ message: { ...message, source: name }, routes }))));
  }
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const ports = { clock, transport, store, members: store, log, random: () => 0.5, stalls: new StallWatch(clock) };
  const policy = { ...DEFAULT_POLICY, trialsPerSecond: perSecond };
  const dispatcher = new Dispatcher({ ...ports, policy, targets: (name) => targets.get(name) });
  const startedAt = clock.steady();
  const started = dispatcher.start(await store.join({ now: startedAt }));
  // It leaves turns to others while it reads what waits.
  for (let turns = 0; turns < CROWD; turns += 1) await clock.advance(0);
  await started;
  const posts = (host: string) => transport.posts.filter(({ request }) => request.url.includes(host));
  return { clock, dispatcher, posts, startedAt };
}

/** The most attempts at the crowd within a second, of their times in order. */
function busiest(times: readonly number[]): number {
  let from = 0;
  return times.reduce((most, at, index) => {
    while ((times[from] ?? at) <= at - 1_000) from += 1;
    return Math.max(most, index - from + 1);
  }, 0);
}

test('D-25: a start tries thousands of destinations that fail at a pace, each once before any a second time', async () => {
  const { clock, posts } = await startBesideCrowd(PER_SECOND);
  await clock.advance(3_900);
  const tried = posts('dead');
  expect(busiest(tried.map(({ at }) => at))).toBeLessThanOrEqual(PER_SECOND + 16);
  expect(tried.length).toBeGreaterThan(3 * PER_SECOND);
  expect(new Set(tried.map(({ request }) => request.url)).size).toBe(tried.length);
});

test('D-25: without a pace they are tried in a flood', async () => {
  const { clock, posts } = await startBesideCrowd(1_000_000);
  await clock.advance(1_000);
  expect(busiest(posts('dead').map(({ at }) => at))).toBeGreaterThan(2 * PER_SECOND);
});

test('D-25: one that works is found among them with its first event, and is sent the others at once', async () => {
  const { clock, posts, startedAt } = await startBesideCrowd(PER_SECOND);
  await clock.advance(5_000);
  expect(posts('late').length).toBe(12);
  const [first = NaN, ...others] = posts('late').map(({ at }) => at);
  expect(first - startedAt).toBeLessThan((1_000 * (CROWD + 1)) / PER_SECOND + 500);
  expect((others.at(-1) ?? NaN) - first).toBeLessThan(100);
});

test('D-25: thousands that work are found as fast as they answer, and not at the pace of trials', async () => {
  const { clock, posts } = await startBesideCrowd(PER_SECOND, 'slow');
  await clock.advance(2_000);
  expect(new Set(posts('slow').map(({ request }) => request.url)).size).toBe(CROWD);
});

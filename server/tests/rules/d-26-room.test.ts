import { batchOf } from '../support/memory-storage.ts';
import { StallWatch } from '../../delivery/stall-watch.ts';
import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { Dispatcher } from '../../delivery/dispatcher.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';
import { messageOf, startEngine, targetOf } from '../support/engine.ts';

const EACH = 2_000;

function named(name: string): string {
  return `workspaces/main/sources/${name}/destinations/webhooks`;
}

/** A dispatcher that starts on what waits on disk for destinations, of which those named `hang…` never answer, and `slow…` in a second. */
async function startOnBacklog(names: readonly string[], policy = DEFAULT_POLICY, each = EACH, properties = {}) {
  const silence = { afterMs: 60_000, result: answers(200).result };
  const {
    dispatcher: first,
    clock,
    store,
    targets,
    transport,
  } = await startEngine(({ request }) => {
    if (request.url.includes('hang')) return silence;
    return { ...answers(200), afterMs: request.url.includes('slow') ? 1_000 : 5 };
  });
  await first.stop(0);
  for (const name of names) targets.set(named(name), targetOf(`https://${name}.test/`));
  const backlog = names.flatMap((name) => Array.from({ length: each }, (_, index) => ({ name, index })));
  await store.accept(
    batchOf(
      backlog.map(({ name, index }) => ({
        message: { ...messageOf(clock, { messageId: `${name}-${index}`, properties }), source: name },
        routes: [{ destination: named(name), claimed: false }],
      })),
    ),
  );
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const target = (name: string) => targets.get(name);
  const stalls = new StallWatch(clock);
  const dispatcher = new Dispatcher({
    policy,
    clock,
    random: () => 0.5,
    transport,
    targets: target,
    log,
    store,
    members: store,
    stalls,
  });
  await dispatcher.start(await store.join({ now: clock.steady() }));
  const count = (state: string, name?: string): number =>
    store.deliveries.filter((d) => d.state === state && (name === undefined || d.destination === named(name))).length;
  return { clock, count, dispatcher };
}

test('D-26: backlogs of hanging destinations do not hold up a healthy one', async () => {
  const hanging = Array.from({ length: 12 }, (_, index) => `hang${index}`);
  const { clock, count } = await startOnBacklog([...hanging, 'well']);
  await clock.advance(2_000);
  expect(count('delivered', 'well')).toBe(EACH);
});

test('D-26: claims in memory stay within their bound, however many destinations ask', async () => {
  const totalRoom = 200;
  const names = Array.from({ length: 20 }, (_, index) => `slow${index}`);
  const { clock, count } = await startOnBacklog(names, { ...DEFAULT_POLICY, totalRoom, rampStart: 32 });
  // Each has answered its first.
  await clock.advance(1_100);
  expect(count('trying')).toBeGreaterThan(totalRoom / 2);
  expect(count('trying')).toBeLessThanOrEqual(totalRoom + DEFAULT_POLICY.inFlight);
});

test('D-26: claims in memory stay within their bytes, from disk and as they are accepted', async () => {
  const policy = { ...DEFAULT_POLICY, totalBytes: 4_000_000, perDestination: 4, inFlight: 4 };
  const properties = { text: 'x'.repeat(30_000) };
  const { clock, count, dispatcher } = await startOnBacklog(['slow1', 'slow2'], policy, 300, properties);
  await clock.advance(1_100);
  const most = policy.totalBytes / 30_000 + policy.inFlight;
  expect(count('trying')).toBeGreaterThan(most / 2);
  expect(count('trying')).toBeLessThanOrEqual(most + 1);
  expect(dispatcher.admit().reserve(named('other')).hasPlace).toBe(false);
});

test('D-26: a backlog of large events drains, whatever the bytes allow at once', async () => {
  const policy = { ...DEFAULT_POLICY, totalBytes: 1 };
  const { clock, count } = await startOnBacklog(['well', 'fine'], policy, 40, { text: 'x'.repeat(30_000) });
  await clock.advance(10_000);
  expect([count('delivered', 'well'), count('delivered', 'fine')]).toEqual([40, 40]);
});

test('D-26: requests under way at one time claim no more than there is room for', async () => {
  const { dispatcher } = await startEngine(() => answers(200));
  const [one, other] = [named('one'), named('other')];
  const requests = Array.from({ length: 5_000 }, () => dispatcher.admit());
  const taken = requests.filter((request) => request.reserve(one).hasPlace);
  const room = Math.round(DEFAULT_POLICY.queueRoom * (DEFAULT_POLICY.rampStart / DEFAULT_POLICY.perDestination) ** 2);
  expect([taken.length, dispatcher.admit().reserve(other).hasPlace]).toEqual([room, true]);
  for (const request of taken) request.end([], []);
  expect(dispatcher.admit().reserve(one).hasPlace).toBe(true);
});

test('a stop puts back what was not begun, and what storage was just asked for', async () => {
  const { clock, store, dispatcher, send } = await startEngine(() => ({ ...answers(200), afterMs: 5 }));
  const claim = store.claim.bind(store);
  store.claim = async (request) => {
    const claimed = await claim(request);
    await clock.sleep(100);
    return claimed;
  };
  for (let index = 0; index < 50; index += 1) await send({ messageId: `m${index}` });
  await clock.advance(10);
  expect(store.deliveries.filter(({ state }) => state === 'trying').length).toBeGreaterThan(0);
  const stopped = dispatcher.stop(5_000);
  await clock.advance(200);
  await stopped;
  expect(new Set(store.deliveries.map(({ state }) => state))).toEqual(new Set(['delivered', 'pending']));
});

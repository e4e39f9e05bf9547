import { expect, test } from 'vitest';
import { freeAt, type Limits, slotOf } from '../../delivery/pace.ts';
import type { Target } from '../../delivery/target.ts';
import { answers, type SimulatedPost } from '../../../testbed/simulation/simulated-transport.ts';
import { refusalOf, startConfigApi, withWebhooks } from '../support/config-api.ts';
import { hooks, startDeliveryWorld } from '../support/delivery-world.ts';
import { DESTINATION, type Engine, startEngine, targetOf } from '../support/engine.ts';
import { startMembers } from '../support/members.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

function limited(limits: Limits, url = 'https://example.test/hook'): Target {
  return { ...targetOf(url), limits };
}

async function sendMany({ send }: Engine, events: number, destination = DESTINATION): Promise<void> {
  for (let index = 0; index < events; index += 1) await send({ messageId: `${destination}-${index}` }, destination);
}

/** The most that began within so long. */
function busiest(posts: readonly SimulatedPost[], ms: number): number {
  return Math.max(...posts.map(({ at: from }) => posts.filter(({ at }) => at >= from && at < from + ms).length));
}

test.each([0.5, 7, 10, 60])(
  'HOOK-24: at most %d deliveries go out in a second, evenly, and all of them',
  async (rate) => {
    const engine = await startEngine(() => answers(200), { target: limited({ perSecond: rate }) });
    const { clock, transport } = engine;
    const events = Math.ceil(rate * 90);
    await sendMany(engine, events);
    await clock.advance(MINUTE);
    expect(Math.abs(transport.posts.length / (rate * 60) - 1)).toBeLessThanOrEqual(0.02 + 1 / (rate * 60));
    expect(busiest(transport.posts, 10 * SECOND)).toBeLessThanOrEqual(Math.ceil(rate * 10.1) + 1);
    expect(busiest(transport.posts, SECOND)).toBeLessThanOrEqual(Math.ceil(rate * 1.1) + 1);
    await clock.advance(MINUTE);
    expect(transport.posts.length).toBe(events);
    expect(new Set(engine.store.deliveries.map(({ state }) => state))).toEqual(new Set(['delivered']));
  },
);

test('HOOK-24: a destination that was idle has no credit for it', async () => {
  const engine = await startEngine(() => answers(200), { target: limited({ perSecond: 20 }) });
  await engine.clock.advance(10 * SECOND);
  await sendMany(engine, 100);
  await engine.clock.advance(100);
  expect(engine.transport.posts.length).toBeLessThanOrEqual(4);
});

test('HOOK-24: at most so many are in flight, and all of these places are used', async () => {
  const engine = await startEngine(() => ({ ...answers(200), afterMs: SECOND }), { target: limited({ inFlight: 3 }) });
  const open: number[] = [];
  await sendMany(engine, 60);
  await engine.clock.advance(500);
  for (let second = 0; second < 15; second += 1) {
    open.push(engine.transport.posts.filter(({ endedAt }) => endedAt === undefined).length);
    await engine.clock.advance(SECOND);
  }
  expect(new Set(open)).toEqual(new Set([3]));
  await engine.clock.advance(30 * SECOND);
  expect(engine.transport.posts.length).toBe(60);
});

test('HOOK-24: other destinations go on as if there were no limit', async () => {
  const engine = await startEngine(() => answers(200), { target: limited({ perSecond: 1, inFlight: 1 }) });
  const other = `${DESTINATION}-b`;
  engine.targets.set(other, targetOf('https://b.test/hook'));
  await sendMany(engine, 200);
  await sendMany(engine, 200, other);
  await engine.clock.advance(SECOND);
  const sent = engine.transport.posts.filter(({ request: { url } }) => url.includes('b.test'));
  expect(sent.length).toBe(200);
});

test('HOOK-24: what is held waits in storage, and neither counts as tried nor expires untried', async () => {
  const engine = await startEngine(() => answers(200), { target: limited({ perSecond: 0.01 }) });
  await sendMany(engine, 200);
  await engine.clock.advance(MINUTE);
  const trying = engine.store.deliveries.filter(({ state }) => state === 'trying');
  expect(trying.length).toBeLessThanOrEqual(2);
  await engine.clock.advance(200 * 100 * SECOND);
  expect(new Set(engine.store.deliveries.map(({ state }) => state))).toEqual(new Set(['delivered']));
  expect(engine.transport.posts.length).toBe(200);
});

test('HOOK-24, D-13: another limit holds at once', async () => {
  const engine = await startEngine(() => answers(200), { target: limited({ perSecond: 0.01 }) });
  const sentWithin = async (ms: number): Promise<number> => {
    const before = engine.transport.posts.length;
    await engine.clock.advance(ms);
    return engine.transport.posts.length - before;
  };
  await sendMany(engine, 500);
  expect(await sentWithin(10 * SECOND)).toBeLessThanOrEqual(1);
  engine.targets.set(DESTINATION, limited({ perSecond: 10 }));
  expect(await sentWithin(11 * SECOND)).toBeGreaterThanOrEqual(95);
  engine.targets.set(DESTINATION, limited({ perSecond: 0.1 }));
  expect(await sentWithin(20 * SECOND)).toBeLessThanOrEqual(3);
  expect(engine.store.deliveries.filter(({ state }) => state === 'trying').length).toBeLessThanOrEqual(1);
  engine.targets.set(DESTINATION, targetOf('https://example.test/hook'));
  expect(await sentWithin(5 * SECOND)).toBeGreaterThan(300);
});

test('HOOK-24: a limit of a destination that fails spaces its retries, and it recovers', async () => {
  let fails = true;
  const engine = await startEngine(() => answers(fails ? 503 : 200), { target: limited({ perSecond: 5 }) });
  await sendMany(engine, 100);
  await engine.clock.advance(5 * MINUTE);
  fails = false;
  await engine.clock.advance(30 * MINUTE);
  expect(busiest(engine.transport.posts, SECOND)).toBeLessThanOrEqual(7);
  expect(new Set(engine.store.deliveries.map(({ state }) => state))).toEqual(new Set(['delivered']));
});

test.each([5, 100])('HOOK-24: timers that are late cost nothing of the rate, with a gap of %d ms', (gapMs) => {
  let [at, sent, slot]: [number, number, number | undefined] = [0, 0, undefined];
  for (; at < MINUTE; sent += 1) {
    slot = slotOf(gapMs, slot, at);
    if (freeAt(gapMs, slot) > at) at = freeAt(gapMs, slot) + 30;
  }
  expect(Math.abs((sent * gapMs) / MINUTE - 1)).toBeLessThan(0.02);
});

test.each([
  [{ perSecond: 10 }, 10],
  [{ inFlight: 4 }, 4],
])('HOOK-24, D-62: %j holds over three routers together', async (limits, most) => {
  const slow = { ...answers(200), afterMs: SECOND };
  const { clock, begin, states } = startMembers(() => slow, limited(limits));
  const routers = [await begin('a'), await begin('b'), await begin('c')];
  await clock.advance(3 * SECOND);
  for (let index = 0; index < 300; index += 1) {
    await routers[index % 3]?.send(`m${index}`);
    await clock.advance(25);
  }
  await clock.advance(2 * MINUTE);
  const posts = routers.flatMap(({ transport }) => transport.posts).toSorted((a, b) => a.at - b.at);
  expect(busiest(posts, SECOND)).toBeLessThanOrEqual(Math.ceil(most * 1.1) + 1);
  expect(posts.length).toBe(300);
  expect(new Set(Object.values(states()))).toEqual(new Set(['delivered']));
});

test.each([
  ['maxPerSecond', -1, 'must be a number from 0.01 to 10000, or 0 for no limit, got -1'],
  ['maxPerSecond', 0.001, 'got 0.001'],
  ['maxPerSecond', '10', 'got "10"'],
  ['maxInFlight', 1.5, 'must be an integer from 1 to 32, or 0 for no limit, got 1.5'],
  ['maxInFlight', 33, 'got 33'],
])('HOOK-24, CFG-14: %s %j is rejected', async (name, value, words) => {
  const error = await refusalOf('', [{ name, value }]);
  expect(error).toContain(`destination.config[0].value ${words.startsWith('must') ? words : 'must be '}`);
  expect(error).toContain(words);
});

test('HOOK-24: limits are shown once they are set, and to every token', async () => {
  const api = await startConfigApi();
  const config = [
    { name: 'maxPerSecond', value: 2.5 },
    { name: 'maxInFlight', value: 0 },
  ];
  const name = await withWebhooks(api, { config });
  const { config: shown } = await api.ok('GET', `/${name}`);
  expect(Array.isArray(shown) && shown.slice(3)).toEqual([
    { name: `${name}/config/maxPerSecond`, display_name: 'Maximum per second', type: 'number', value: 2.5 },
    { name: `${name}/config/maxInFlight`, display_name: 'Maximum in flight', type: 'number', value: 0 },
  ]);
});

test('HOOK-24: a delivery that is held says so', async () => {
  const config = [...hooks(), { name: 'maxPerSecond', value: 0.01 }];
  const world = await startDeliveryWorld(() => answers(200), config);
  for (let index = 0; index < 5; index += 1) await world.send({ messageId: `m${index}` });
  await world.advance(10 * SECOND);
  const { explanation } = await world.until('pending');
  expect(explanation.summary).toBe(
    'It is due after 0 attempts, and held by the limits of its destination: maxPerSecond is 0.01.',
  );
});

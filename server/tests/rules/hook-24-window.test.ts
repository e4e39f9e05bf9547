import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';
import { DESTINATION, type Engine, startEngine, targetOf } from '../support/engine.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;
/** One each hundred seconds. */
const SLOW = { ...targetOf('https://example.test/hook'), limits: { perSecond: 0.01 } };
const SLOT = 100 * SECOND;

/** What is refused once: events of these ids have been tried by the time a limit is set, and wait for their retry behind `others`. */
async function startWithRetries(retries: number, others: number): Promise<Engine> {
  const refused = new Set<string>();
  const engine = await startEngine(({ request }) => {
    const id = idIn(request.body);
    if (!id.startsWith('retry') || refused.has(id)) return answers(200);
    refused.add(id);
    return answers(503);
  });
  for (let index = 0; index < retries; index += 1) {
    // Each with one that succeeds, so that the destination is not parked.
    await engine.send({ messageId: `retry-${index}` });
    await engine.send({ messageId: `first-${index}` });
  }
  await engine.clock.advance(SECOND);
  engine.targets.set(DESTINATION, SLOW);
  for (let index = 0; index < others; index += 1) await engine.send({ messageId: `other-${index}` });
  return engine;
}

function idIn(body: Uint8Array): string {
  const { messageId }: { messageId: string } = JSON.parse(Buffer.from(body).toString('utf8'));
  return messageId;
}

/** When requests of these events began. */
function postsOf({ transport }: Engine, kind: string): number[] {
  return transport.posts.filter(({ request }) => idIn(request.body).startsWith(kind)).map(({ at }) => at);
}

function statesOf({ store }: Engine, kind: string): Record<string, number> {
  const own = store.deliveries.filter(({ message: { event } }) => event.messageId.startsWith(kind));
  return Object.fromEntries(
    Array.from(
      Map.groupBy(own, ({ state }) => state),
      ([state, all]) => [state, all.length],
    ),
  );
}

test('HOOK-24: a retry that its limit holds back waits as pending, with one attempt, and goes out within its window', async () => {
  const engine = await startWithRetries(3, 100);
  await engine.clock.advance(2 * HOUR);
  expect(statesOf(engine, 'retry')).toEqual({ pending: 3 });
  expect(engine.store.deliveries.filter(({ state }) => state === 'pending').map(({ tries }) => tries)).toContain(1);
  expect(postsOf(engine, 'retry')).toHaveLength(3);
  await engine.clock.advance(2 * HOUR);
  expect(statesOf(engine, 'retry')).toEqual({ delivered: 3 });
  expect(postsOf(engine, 'retry')).toHaveLength(6);
});

test('HOOK-24, HOOK-9: a retry whose turn comes after its window is not sent; what nobody has tried is', async () => {
  const engine = await startWithRetries(3, 200);
  const window = engine.clock.steady() - SECOND + DEFAULT_POLICY.windowMs;
  await engine.clock.advance(8 * HOUR);
  expect([statesOf(engine, 'retry'), statesOf(engine, 'other')]).toEqual([{ expired: 3 }, { delivered: 200 }]);
  expect(postsOf(engine, 'retry')).toHaveLength(3);
  expect(postsOf(engine, 'other').filter((at) => at > window).length).toBeGreaterThan(50);
  const tries = engine.store.deliveries.filter(({ state }) => state === 'expired').map((one) => one.tries);
  expect(tries).toEqual([1, 1, 1]);
});

test('HOOK-24: what expires takes no slot from those behind it, and does not park its destination', async () => {
  const engine = await startWithRetries(50, 200);
  // All retries are behind the others, and are over by then.
  await engine.clock.advance(195 * SLOT);
  expect(statesOf(engine, 'retry')).toEqual({ pending: 50 });
  await engine.send({ messageId: 'last' });
  const sentAt = engine.clock.steady();
  await engine.clock.advance(10 * SLOT);
  expect(statesOf(engine, 'retry')).toEqual({ expired: 50 });
  expect(postsOf(engine, 'last').map((at) => at - sentAt <= 8 * SLOT)).toEqual([true]);
  const gaps = postsOf(engine, 'other').map((at, index, all) => at - (all[index - 1] ?? -Infinity));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(SLOT - 100);
  expect(engine.dispatcher.queues.parked.size).toBe(0);
});

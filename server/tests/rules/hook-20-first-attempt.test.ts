import { type MemoryStorage } from '../../storage/memory/memory.ts';
import { openMemory } from '../support/memory-storage.ts';
import { expect, test } from 'vitest';
import type { StoredDelivery } from '../../storage/memory/rows.ts';
import { answers, type Endpoint } from '../../../testbed/simulation/simulated-transport.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';
import { nextDueAt } from '../../delivery/schedule.ts';
import { startEngine } from '../support/engine.ts';
import { startLives } from '../support/lives.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const EVENTS = 200;
const START = Date.UTC(2026, 0, 1);

const fine: Endpoint = () => answers(200);

function countsOf({ deliveries }: MemoryStorage): Partial<Record<StoredDelivery['state'], number>> {
  return Object.fromEntries(
    [...Map.groupBy(deliveries, ({ state }) => state)].map(([state, all]) => [state, all.length]),
  );
}

function attemptCounts({ deliveries }: MemoryStorage): number[] {
  return [...new Set(deliveries.map(({ attempts }) => attempts.length))];
}

/** Accepts events, and is killed before one of them is attempted; then so many hours pass. */
async function killedAndLate(endpoint: Endpoint) {
  const store = openMemory();
  const lives = startLives(endpoint, store);
  const first = await lives.begin({ isDeaf: true });
  await first.send(EVENTS);
  first.kill();
  lives.clock.stepWall(5 * HOUR);
  return { store, lives, second: await lives.begin() };
}

test('HOOK-20: what was accepted before a kill is delivered, however late the start', async () => {
  const { store, lives } = await killedAndLate(fine);
  await lives.clock.advance(MINUTE);
  expect(countsOf(store)).toEqual({ delivered: EVENTS });
  expect(attemptCounts(store)).toEqual([1]);
});

test('HOOK-20: an event whose window is over gets exactly one round', async () => {
  const { store, lives } = await killedAndLate(() => answers(503));
  await lives.clock.advance(12 * HOUR);
  expect(countsOf(store)).toEqual({ expired: EVENTS });
  expect(attemptCounts(store)).toEqual([1]);
});

test('HOOK-20: an event whose window is over can still be refused for good', async () => {
  const { store, lives } = await killedAndLate(() => answers(404));
  await lives.clock.advance(MINUTE);
  expect(countsOf(store)).toEqual({ failed: EVENTS });
});

test('HOOK-20: events of a destination that was parked at the kill are attempted; what was tried before expires', async () => {
  const store = openMemory();
  const lives = startLives(({ at }) => answers(at - START < 2 * MINUTE ? 503 : 200), store);
  const first = await lives.begin();
  await first.send(EVENTS);
  await lives.clock.advance(MINUTE);
  expect(first.dispatcher.queues.parked.size).toBe(1);
  const tried = store.deliveries.filter(({ tries }) => tries > 0).length;
  expect(tried).toBeGreaterThanOrEqual(10);
  expect(tried).toBeLessThan(EVENTS / 2);
  first.kill();
  await lives.clock.advance(MINUTE);
  lives.clock.stepWall(5 * HOUR);
  await lives.begin();
  // What was tried waits until it is due, and has its window behind it then.
  await lives.clock.advance(20 * MINUTE);
  expect(countsOf(store)).toEqual({ delivered: EVENTS - tried, expired: tried });
  expect(attemptCounts(store)).not.toContain(0);
});

test('HOOK-20, D-25: late attempts at a dead destination are paced as last tries are, and expiry revives it not', async () => {
  const { store, lives, second } = await killedAndLate(() => ({ afterMs: HOUR, result: answers(200).result }));
  let most = 0;
  for (let beat = 0; beat < 100; beat += 1) {
    await lives.clock.advance(SECOND);
    most = Math.max(most, second.dispatcher.inFlight);
  }
  expect(most).toBe(32);
  expect(countsOf(store)).toEqual({ expired: EVENTS });
  expect(attemptCounts(store)).toEqual([1]);
  expect(lives.logged.filter(({ message }) => message === 'destination has recovered')).toEqual([]);
});

test('HOOK-20: a wall that is set forward by hours ends no window of a running router', async () => {
  const store = openMemory();
  const lives = startLives(({ at }) => answers(at - START < MINUTE ? 503 : 200), store);
  const life = await lives.begin();
  await life.send(EVENTS);
  lives.clock.stepWall(5 * HOUR);
  await lives.clock.advance(10 * MINUTE);
  expect(countsOf(store)).toEqual({ delivered: EVENTS });
});

test('HOOK-20: rounds that a kill ended before anything was recorded do not lengthen the wait', async () => {
  const store = openMemory();
  const lives = startLives(() => answers(503), store);
  for (let kill = 0; kill < 8; kill += 1) {
    const life = await lives.begin({ isDeaf: true });
    if (kill === 0) await life.send(1);
    await lives.clock.advance(10);
    life.kill();
  }
  await lives.begin();
  await lives.clock.advance(10);
  const [delivery] = store.deliveries;
  expect(delivery).toMatchObject({ state: 'pending', round: 9, tries: 1 });
  expect((delivery?.dueAt ?? 0) - (delivery?.setAt ?? 0)).toBe(10 * SECOND);
});

test('HOOK-20: what a parked destination puts back does not lengthen the wait', async () => {
  const { clock, store, send } = await startEngine(() => ({ afterMs: 100, result: answers(503).result }));
  for (let n = 0; n < 40; n += 1) await send({ messageId: `m${n}` });
  await clock.advance(5 * HOUR);
  const putBack = store.deliveries.filter(({ round, tries }) => round > tries);
  expect(putBack.length).toBeGreaterThan(0);
  // The last round, which ended it, is the one that no verdict counts any more.
  const uncounted = store.deliveries.map(({ attempts, tries }) => attempts.length - tries);
  expect(new Set(uncounted)).toEqual(new Set([1]));
});

test('HOOK-20: an event that always breaks its process is given up in the end', async () => {
  const store = openMemory();
  const lives = startLives(fine, store);
  for (let kill = 0; kill < 1_001; kill += 1) {
    const life = await lives.begin({ isDeaf: true });
    if (kill === 0) await life.send(1);
    life.kill();
  }
  lives.clock.stepWall(5 * HOUR);
  await lives.begin();
  await lives.clock.advance(MINUTE);
  expect(store.deliveries).toMatchObject([{ state: 'expired', attempts: [] }]);
});

test('HOOK-20: a round that could not be carried out behind the window is made again, while nothing was attempted', () => {
  const endedAt = DEFAULT_POLICY.windowMs + 1;
  const ended = { round: 1, receivedAt: 0, endedAt, retryAfterMs: 0 };
  expect(nextDueAt(DEFAULT_POLICY, { ...ended, isOwed: true }, () => 1)).toBe(endedAt + DEFAULT_POLICY.firstWaitMs);
  expect(nextDueAt(DEFAULT_POLICY, { ...ended, isOwed: false }, () => 1)).toBeUndefined();
});

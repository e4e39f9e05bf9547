import { afterEach, expect, test, vi } from 'vitest';
import { beforeExit } from '../../analytics/process-exit.ts';
import { bench } from '../support/analytics-bench.ts';

afterEach(() => vi.unstubAllGlobals());

const listeners = (): number => process.listenerCount('beforeExit');

/** A client that holds a message, and the end of the process as far as it is the client's. */
function holding(options: object = {}, plan: Parameters<typeof bench>[1] = []) {
  const before = process.listeners('beforeExit');
  const it = bench({ uploadInterval: 60, ...options }, plan);
  it.analytics.track('u', 'e');
  const own = process.listeners('beforeExit').filter((listener) => !before.includes(listener));
  return { ...it, own, endProcess: () => own.forEach((listener) => listener(0)) };
}

test('clients listen for the end of the process only while they hold messages', async () => {
  const before = listeners();
  const [one, other] = [bench(), bench()];
  expect(listeners()).toBe(before);
  one.analytics.track('u', 'e');
  other.analytics.track('u', 'e');
  // One listener serves all of them.
  expect(listeners()).toBe(before + 1);
  await one.clock.until(one.analytics.flush());
  expect(listeners()).toBe(before + 1);
  await other.clock.until(other.analytics.close());
  expect(listeners()).toBe(before);
});

test('at the natural end of a process what is held goes out at once', async () => {
  const { clock, server, endProcess } = holding();
  endProcess();
  await clock.advance(0);
  expect(server.accepted).toHaveLength(1);
  expect(clock.pending).toBe(0);
});

test('an end that waits waits once, however often it is said, and no longer than it may', async () => {
  const { analytics, clock, endProcess } = holding({ exitTimeoutMs: 1_000 }, () => 'stall');
  const failed: string[] = [];
  analytics.on('failed', ({ error }) => failed.push(`${error.reason}: ${error.message}`));
  endProcess();
  await clock.advance(0);
  const timers = clock.pending;
  endProcess();
  await clock.advance(999);
  expect([clock.pending, failed]).toEqual([timers, []]);
  await clock.advance(1);
  expect([clock.pending, failed]).toEqual([0, ['abandoned: the process ended']]);
});

test('what is taken while an end waits is not given up when all before it has ended', async () => {
  const { analytics, clock, server, endProcess } = holding();
  endProcess();
  analytics.track('u', 'meanwhile');
  await clock.advance(0);
  expect(server.accepted).toHaveLength(1);
  expect(analytics.statistics).toMatchObject({ queued: 1, failed: 0 });
  await clock.until(analytics.close());
  expect(server.accepted.map(({ event }) => event)).toEqual(['e', 'meanwhile']);
});

test('what is taken after an end that gave up is sent, and waited for at the next', async () => {
  const { analytics, clock, server, endProcess } = holding({ exitTimeoutMs: 1_000 }, ['stall', 200, 'stall']);
  endProcess();
  await clock.advance(1_000);
  expect(analytics.statistics).toMatchObject({ inFlight: 0, failed: 1 });
  analytics.track('u', 'later');
  expect(await clock.until(analytics.flush())).toMatchObject({ delivered: 1 });
  expect(server.accepted.map(({ event }) => event)).toEqual(['later']);
  analytics.track('u', 'last');
  process.listeners('beforeExit').at(-1)?.(0);
  await clock.advance(1_000);
  expect(analytics.statistics).toMatchObject({ inFlight: 0, failed: 2 });
});

test('with an exit timeout of 0 nothing waits at the end', async () => {
  const { analytics, clock, own, log } = holding({ exitTimeoutMs: 0 });
  expect(own).toEqual([]);
  await clock.until(analytics.close());
  expect(log.lines).toEqual([]);
});

test.each([undefined, {}])('where the process is %j nobody waits for its end', (elsewhere) => {
  let told = 0;
  vi.stubGlobal('process', elsewhere);
  beforeExit(() => void (told += 1))();
  vi.unstubAllGlobals();
  expect(told).toBe(0);
});

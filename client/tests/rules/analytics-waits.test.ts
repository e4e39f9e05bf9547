import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import type { Clock } from '../../analytics/clock.ts';
import { Gate } from '../../analytics/gate.ts';
import { Reporter } from '../../analytics/reporter.ts';
import { Sender } from '../../analytics/sender.ts';
import { settingsOf } from '../../analytics/settings.ts';
import { Waiters } from '../../analytics/waiters.ts';
import { VirtualClock } from '../support/analytics-virtual-clock.ts';

const item = (sequence: number) => ({
  messageId: `m${sequence}`,
  json: '{}',
  bytes: 2,
  sequence,
  onSettled: undefined,
});

test('a pause leaves no listener and no timer behind, whether it ended by itself or was stopped', async () => {
  const clock = new VirtualClock();
  const gate = new Gate(clock);
  const { signal } = gate;
  const ended = gate.pause(10, signal);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  await clock.until(ended);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  const stopped = gate.pause(10, signal);
  gate.stop();
  await stopped;
  expect([clock.pending, getEventListeners(signal, 'abort')]).toEqual([0, []]);
});

test('who was stopped passes at once, and who comes after that waits as before', async () => {
  const clock = new VirtualClock();
  const gate = new Gate(clock);
  const { signal } = gate;
  gate.hold(1_000);
  gate.stop();
  await gate.passed(signal);
  expect(clock.pending).toBe(0);
  const start = clock.now();
  expect(gate.signal.aborted).toBe(false);
  await clock.until(gate.passed(gate.signal));
  expect(clock.now() - start).toBe(1_000);
});

test('a clock that is set back makes no wait longer, for those who wait and for those who come later', async () => {
  const clock = new VirtualClock();
  const gate = new Gate(clock);
  gate.hold(2_000);
  const waiting = gate.passed(gate.signal);
  clock.set(-3_600_000);
  const start = clock.now();
  await clock.until(Promise.all([waiting, gate.passed(gate.signal)]));
  expect(clock.now() - start).toBeLessThanOrEqual(2_000);
  gate.hold(1_000);
  await clock.until(gate.passed(gate.signal));
  expect(clock.now() - start).toBeLessThanOrEqual(3_000);
});

test('LIB-3: a flush that timed out is told of nothing that ends later', async () => {
  const clock = new VirtualClock();
  const waiters = new Waiters(clock);
  const report = await clock.until(waiters.wait(2, 2, 10));
  waiters.ended([item(1), item(2)], false);
  expect(report).toEqual({ timedOut: true, delivered: 0, failed: [], pending: 2 });
});

test('LIB-3: a flush is told of as many as a client may hold', async () => {
  const clock = new VirtualClock();
  const waiters = new Waiters(clock);
  const count = 200_000;
  const waited = waiters.wait(count, count, 10);
  waiters.ended(
    Array.from({ length: count }, () => item(1)),
    false,
  );
  expect((await waited).failed).toHaveLength(count);
});

test('LIB-3: a flush keeps the process alive while it waits, since somebody awaits it', async () => {
  const kept: unknown[] = [];
  const clock: Clock = {
    now: () => 0,
    after: (_ms, _run, keepAlive) => {
      kept.push(keepAlive);
      return () => {};
    },
  };
  await new Waiters(clock).wait(0, 0, 10);
  expect(kept).toEqual([true]);
});

test('giving up what is held tells nobody where all has ended in the same moment', () => {
  const settings = settingsOf('key', { clock: new VirtualClock() });
  const reporter = new Reporter(settings);
  const told: unknown[] = [];
  for (const name of ['failed', 'drained'] as const) reporter.events.on(name, (detail) => told.push(detail));
  expect(new Sender(settings, reporter).abandon('close waited')).toEqual([]);
  expect(told).toEqual([]);
});

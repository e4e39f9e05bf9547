import { afterEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../analytics/clock.ts';
import { newMessageId } from '../../analytics/message-id.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('the time of a client is that of its runtime', () => {
  vi.useFakeTimers({ now: 1_700_000_000_123 });
  expect(systemClock.now()).toBe(1_700_000_000_123);
});

test('what waits runs once its time has come, and never after it was taken off', () => {
  vi.useFakeTimers();
  const ran: string[] = [];
  systemClock.after(10, () => ran.push('waited'));
  const cancel = systemClock.after(10, () => ran.push('taken off'));
  vi.advanceTimersByTime(9);
  expect(ran).toEqual([]);
  cancel();
  vi.advanceTimersByTime(1_000);
  expect(ran).toEqual(['waited']);
});

test('a wait that is longer than a timer takes does not end at once', () => {
  vi.useFakeTimers();
  const ran: number[] = [];
  systemClock.after(2 ** 31, () => ran.push(1));
  vi.advanceTimersByTime(60_000);
  expect(ran).toEqual([]);
});

test('a wait keeps a process alive only where that is asked for', () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const cancels = [undefined, false, true].map((keepAlive) => systemClock.after(60_000, () => {}, keepAlive));
  expect(timers.mock.results.map(({ value }) => value.hasRef())).toEqual([false, false, true]);
  for (const cancel of cancels) cancel();
});

test.each([5, null, {}])('a timer may be %j, as it is in other runtimes', (timer) => {
  vi.stubGlobal('setTimeout', () => timer);
  expect(() => systemClock.after(1, () => {})).not.toThrow();
});

test('an id of a message is made by the runtime where it can', () => {
  vi.stubGlobal('crypto', { randomUUID: () => 'made by the runtime' });
  expect(newMessageId()).toBe('made by the runtime');
});

test.each([
  [() => 0, '00000000-0000-4000-8000-000000000000'],
  [() => 0xff, 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
  [(drawn: number) => drawn * 17, '01234567-89ab-4cde-b012-3456789abcde'],
])('elsewhere it is a UUID of version 4 from random bytes: %#', (byteOf, id) => {
  let drawn = 0;
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.map(() => byteOf(drawn++)) });
  expect(newMessageId()).toBe(id);
});

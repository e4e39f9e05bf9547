import { afterEach, expect, test, vi } from 'vitest';
import { closeOnSignal } from '../../analytics/node/close-on-signal.ts';

afterEach(() => vi.restoreAllMocks());

const REPORT = { timedOut: false, delivered: 0, unsent: [] };

/** A client, what it was told, and the signals by which the process would have ended. */
function closing() {
  const told: unknown[] = [];
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  const close = async (options: unknown) => {
    told.push(['close', options]);
    return REPORT;
  };
  const flush = async (options: unknown) => {
    told.push(['flush', options]);
    return { timedOut: false, delivered: 0, failed: 0, pending: 0 };
  };
  return { analytics: { close, flush }, told, kills: () => kill.mock.calls };
}

const other = (): void => {};

/** All that the end of a close leads to has happened. */
const closed = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('at a signal the client is closed, and then the process ends by it', async () => {
  const { analytics, told, kills } = closing();
  closeOnSignal(analytics, { signals: ['SIGUSR2', 'SIGWINCH'], timeoutMs: 7 });
  process.emit('SIGUSR2', 'SIGUSR2');
  expect([told, kills()]).toEqual([[['close', { timeoutMs: 7 }]], []]);
  await closed();
  expect(kills()).toEqual([[process.pid, 'SIGUSR2']]);
  expect(['SIGUSR2', 'SIGWINCH'].map((name) => process.listenerCount(name))).toEqual([0, 0]);
});

test.each([
  ['listen', () => process.on('SIGUSR2', other)],
  // As most servers do; it is taken off before it is called.
  ['listen once', () => process.once('SIGUSR2', other)],
])('where others %s to the signal, the end is theirs, and the client flushes and stays open', async (_, listen) => {
  const { analytics, told, kills } = closing();
  listen();
  const leave = closeOnSignal(analytics, { signals: ['SIGUSR2'] });
  process.emit('SIGUSR2', 'SIGUSR2');
  await closed();
  leave();
  process.off('SIGUSR2', other);
  expect([told, kills()]).toEqual([[['flush', { timeoutMs: 5_000 }]], []]);
  expect(process.listenerCount('SIGUSR2')).toBe(0);
});

test('clients are no others to each other, and the last that is closed lets the process end', async () => {
  const [one, two] = [closing(), closing()];
  for (const { analytics } of [one, two]) closeOnSignal(analytics, { signals: ['SIGUSR2'] });
  process.emit('SIGUSR2', 'SIGUSR2');
  await closed();
  const close = ['close', { timeoutMs: 5_000 }];
  expect([one.told, two.told, two.kills()]).toEqual([[close], [close], [[process.pid, 'SIGUSR2']]]);
});

test('who begins to listen while the client is closed has the end as well', async () => {
  const { analytics, kills } = closing();
  closeOnSignal(analytics, { signals: ['SIGUSR2'] });
  process.emit('SIGUSR2', 'SIGUSR2');
  process.on('SIGUSR2', other);
  await closed();
  process.off('SIGUSR2', other);
  expect([kills(), process.listenerCount('SIGUSR2')]).toEqual([[], 0]);
});

test('it listens to SIGTERM unless it is told otherwise, until it is taken off', () => {
  const before = process.listenerCount('SIGTERM');
  const leave = closeOnSignal(closing().analytics);
  expect(process.listenerCount('SIGTERM')).toBe(before + 1);
  leave();
  expect(process.listenerCount('SIGTERM')).toBe(before);
});

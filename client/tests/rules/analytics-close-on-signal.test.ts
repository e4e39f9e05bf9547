import { afterEach, expect, test, vi } from 'vitest';
import { closeOnSignal } from '../../analytics/node/close-on-signal.ts';

afterEach(() => vi.restoreAllMocks());

const REPORT = { timedOut: false, delivered: 0, unsent: [] };

/** A client, what its close was told, and the signals by which the process would have ended. */
function closing() {
  const closes: unknown[] = [];
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  const close = async (options: unknown) => {
    closes.push(options);
    return REPORT;
  };
  return { analytics: { close }, closes, kills: () => kill.mock.calls };
}

const other = (): void => {};

/** All that the end of a close leads to has happened. */
const closed = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('at a signal the client is closed, and then the process ends by it', async () => {
  const { analytics, closes, kills } = closing();
  closeOnSignal(analytics, { signals: ['SIGUSR2', 'SIGWINCH'], timeoutMs: 7 });
  process.emit('SIGUSR2', 'SIGUSR2');
  expect([closes, kills()]).toEqual([[{ timeoutMs: 7 }], []]);
  await closed();
  expect(kills()).toEqual([[process.pid, 'SIGUSR2']]);
  expect(['SIGUSR2', 'SIGWINCH'].map((name) => process.listenerCount(name))).toEqual([0, 0]);
});

test('the end is left to others that listen to the signal', async () => {
  const { analytics, closes, kills } = closing();
  process.on('SIGUSR2', other);
  closeOnSignal(analytics, { signals: ['SIGUSR2'] });
  process.emit('SIGUSR2', 'SIGUSR2');
  await closed();
  process.off('SIGUSR2', other);
  expect([closes, kills()]).toEqual([[{ timeoutMs: 5_000 }], []]);
});

test('it listens to SIGTERM unless it is told otherwise, until it is taken off', () => {
  const before = process.listenerCount('SIGTERM');
  const leave = closeOnSignal(closing().analytics);
  expect(process.listenerCount('SIGTERM')).toBe(before + 1);
  leave();
  expect(process.listenerCount('SIGTERM')).toBe(before);
});

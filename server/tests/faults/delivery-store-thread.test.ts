import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { SqliteThread } from '../../storage/file/deliveries/sqlite-thread.ts';

/** A thread that answers nothing, and keeps what crossed to it. */
class SilentWorker extends EventEmitter {
  readonly crossed: unknown[] = [];

  postMessage(message: unknown): void {
    this.crossed.push(message);
  }
}

function start(): { readonly thread: SqliteThread; readonly worker: SilentWorker } {
  const worker = new SilentWorker();
  return { thread: new SqliteThread(worker), worker };
}

const call = (name: string) => ({ name, argument: undefined });
const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('what one turn of the loop asks crosses to the thread together, in the order in which it was asked', async () => {
  const { thread, worker } = start();
  for (const name of ['a', 'b', 'c']) void thread.ask(call(name));
  expect(worker.crossed).toEqual([]);
  await turnOfLoop();
  expect(worker.crossed).toEqual([{ calls: [call('a'), call('b'), call('c')] }]);
  void thread.ask(call('d'));
  await turnOfLoop();
  expect(worker.crossed.slice(1)).toEqual([{ calls: [call('d')] }]);
});

test('what is asked alone or aside crosses behind all that was asked before it', async () => {
  const { thread, worker } = start();
  void thread.ask(call('a'));
  void thread.prove();
  void thread.ask(call('b'));
  void thread.ask(call('c'), { alone: true });
  void thread.ask(call('d'));
  await turnOfLoop();
  expect(worker.crossed).toEqual([
    { calls: [call('a')] },
    'prove',
    { calls: [call('b')] },
    { calls: [call('c')], alone: true },
    { calls: [call('d')] },
  ]);
});

test('a patient call crosses with the next one that is in a hurry', async () => {
  const { thread, worker } = start();
  void thread.ask(call('a'), { isPatient: true });
  await turnOfLoop();
  expect(worker.crossed).toEqual([]);
  void thread.ask(call('b'));
  void thread.ask(call('c'), { isPatient: true });
  await turnOfLoop();
  expect(worker.crossed).toEqual([{ calls: [call('a'), call('b'), call('c')] }]);
});

test('patient calls cross ten milliseconds after the first of them', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { thread, worker } = start();
    void thread.ask(call('a'), { isPatient: true });
    vi.advanceTimersByTime(9);
    void thread.ask(call('b'), { isPatient: true });
    expect(worker.crossed).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(worker.crossed).toEqual([{ calls: [call('a'), call('b')] }]);
    vi.advanceTimersByTime(100);
    expect(worker.crossed).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

test('whoever closes waits for no patience', () => {
  const { thread, worker } = start();
  void thread.ask(call('a'), { isPatient: true });
  void thread.close();
  expect(worker.crossed).toEqual([{ calls: [call('a')] }]);
});

import { expect, test } from 'vitest';
import { OpenCalls } from '../../delivery/open-calls.ts';

/** Calls of which each begins a moment after the one before. */
function callsInTurn(): OpenCalls {
  let at = 0;
  return new OpenCalls({ steady: () => (at += 1) });
}

test('D-63: of calls under way, the one that began first is the oldest', () => {
  const calls = callsInTurn();
  expect(calls.oldestAt).toBeUndefined();
  const [first, second] = [calls.begin(), calls.begin()];
  expect(calls.oldestAt).toBe(1);
  calls.end(first);
  expect(calls.oldestAt).toBe(2);
  calls.end(second);
  expect(calls.oldestAt).toBeUndefined();
});

test('D-63: a call is under way until it is answered, or fails', async () => {
  const calls = callsInTurn();
  const [answered, failed] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const answers = [calls.during(answered.promise), calls.during(failed.promise)];
  expect(calls.oldestAt).toBe(1);
  answered.resolve('done');
  await expect(answers[0]).resolves.toBe('done');
  expect(calls.oldestAt).toBe(2);
  failed.reject(new Error('lost'));
  await expect(answers[1]).rejects.toThrow('lost');
  expect(calls.oldestAt).toBeUndefined();
});

test('D-63: calls that end by themselves are waited for, all of them', async () => {
  const calls = callsInTurn();
  expect(calls.tracked).toBeUndefined();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  calls.track(first.promise);
  calls.track(second.promise);
  const ended: string[] = [];
  const all = calls.tracked?.then(() => ended.push('all'));
  first.resolve();
  // The next turn: whatever had ended with the first would be known by then.
  await new Promise(setImmediate);
  expect([ended, calls.oldestAt]).toEqual([[], 2]);
  second.resolve();
  await all;
  expect([ended, calls.tracked, calls.oldestAt]).toEqual([['all'], undefined, undefined]);
});

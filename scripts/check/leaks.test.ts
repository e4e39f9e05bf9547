import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { heldNow, leaksSince } from './leaks.ts';

test('a process that is left as it was found has no leaks', () => {
  expect(leaksSince(heldNow(), heldNow())).toEqual([]);
});

test('a server that goes on listening is found', async () => {
  const before = heldNow();
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  expect(leaksSince(before, heldNow())).toContain('1 × TCPServerWrap');
});

test('a timer that goes on is found', () => {
  const before = heldNow();
  const timer = setInterval(() => undefined, 60_000);
  onTestFinished(() => clearInterval(timer));
  expect(leaksSince(before, heldNow())).toEqual(['1 × Timeout']);
});

const listener = (): void => undefined;

test('a listener of the process is found', () => {
  const before = heldNow();
  process.on('beforeExit', listener);
  onTestFinished(() => void process.off('beforeExit', listener));
  expect(leaksSince(before, heldNow())).toEqual(['1 × listener of beforeExit']);
});

test('a variable that is set, changed or deleted is found', () => {
  const { counts, globals } = heldNow();
  const held = (variables: Record<string, string>) => ({ counts, globals, variables });
  expect(leaksSince(held({ A: '1', B: '2' }), held({ A: '2', C: '3' }))).toEqual([
    'the environment variable A was changed',
    'the environment variable B was changed',
    'the environment variable C was changed',
  ]);
});

test('a global that is replaced is found', () => {
  const before = heldNow();
  const { fetch } = globalThis;
  onTestFinished(() => void (globalThis.fetch = fetch));
  globalThis.fetch = () => Promise.reject(new Error('replaced'));
  expect(leaksSince(before, heldNow())).toEqual(['the global fetch was replaced']);
});

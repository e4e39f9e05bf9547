import { afterEach, expect, test, vi } from 'vitest';
import { createReceiver } from '../../index.ts';
import { systemClock } from '../../receiver/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { event, failureOf, post, statuses } from '../support/posting.ts';
import { rawClient, requestText } from '../support/raw-client.ts';

function openHandles(): number {
  return process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;
}

// Sockets close a moment after they are told to; a test begins when those of the one before are gone.
afterEach(async () => {
  await vi.waitFor(() => {
    if (openHandles() > 0) throw new Error(`${openHandles()} sockets are open after the test`);
  });
});

const SCRIPTS = [
  '200',
  'delay:1h',
  'silence:connect',
  'silence:upload',
  'silence:headers',
  'close:request',
  'size:endless',
  'drip:1B/1h',
];

test.each(SCRIPTS)('closing during %s leaves no socket and no timer', async (script) => {
  const before = openHandles();
  const clock = new ManualClock();
  const receiver = await createReceiver({ clock, script });
  using client = rawClient(receiver.url);
  client.send(requestText(event('track')));
  await expect.poll(() => receiver.received.length > 0 || script.startsWith('silence:')).toBe(true);
  await receiver.close();
  await client.ended;
  await expect.poll(() => [openHandles(), clock.asleep]).toEqual([before, 0]);
});

test('the check above sees a receiver that is left open', async () => {
  const before = openHandles();
  const receiver = await createReceiver();
  expect(openHandles()).toBeGreaterThan(before);
  await receiver.close();
});

const ENDINGS = ['silence', 'reset', 'close'].flatMap((manner) =>
  ['connect', 'upload', 'request', 'headers', 'body'].map((stage) => `${manner}:${stage}`),
);

test.each(ENDINGS)('after %s a sender that is gone leaves no socket', async (script) => {
  await using receiver = await createReceiver({ script });
  const before = openHandles();
  const met = new Promise((resolve) => receiver.onEvent(resolve));
  const client = rawClient(receiver.url);
  client.send(requestText(event('track')));
  await met;
  if (!script.startsWith('silence')) await client.ended;
  client[Symbol.dispose]();
  await expect.poll(openHandles).toBe(before);
});

test('await using closes the receiver', async () => {
  let url = '';
  {
    await using receiver = await createReceiver();
    url = receiver.url;
  }
  expect(await failureOf(post(url, 'x'))).toBe('ECONNREFUSED');
});

test('closing twice is closing once', async () => {
  const receiver = await createReceiver();
  await Promise.all([receiver.close(), receiver.close()]);
  await receiver.close();
  await expect(post(receiver.url, 'x')).rejects.toThrow('fetch failed');
});

test('nothing is told after closing', async () => {
  const receiver = await createReceiver({ script: 'silence:request' });
  const told: string[] = [];
  receiver.onEvent(({ kind }) => told.push(kind));
  using client = rawClient(receiver.url);
  client.send(requestText(event('track')));
  await receiver.next();
  await receiver.close();
  await client.ended;
  expect(told).toEqual(['received']);
});

test('an observer that is taken off hears nothing more', async () => {
  await using receiver = await createReceiver();
  const told: string[] = [];
  const stop = receiver.onEvent(({ kind }) => told.push(kind));
  await post(receiver.url, 'x');
  stop();
  await post(receiver.url, 'x');
  expect(told).toEqual(['received']);
});

test('many requests on one connection leave no listener behind', async () => {
  await using receiver = await createReceiver();
  const warnings: string[] = [];
  const warn = (warning: Error) => warnings.push(warning.name);
  process.on('warning', warn);
  await statuses(
    receiver.url,
    Array.from({ length: 50 }, () => '{}'),
  );
  process.off('warning', warn);
  expect(warnings).toEqual([]);
});

test('the clock of this machine wakes on time and on abort', async () => {
  const giveUp = new AbortController();
  const long = systemClock.sleep(3_600_000, giveUp.signal);
  await systemClock.sleep(1);
  giveUp.abort();
  await long;
  await systemClock.sleep(3_600_000, giveUp.signal);
  expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBeLessThan(5);
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1000);
});

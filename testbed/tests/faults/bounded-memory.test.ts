import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createReceiver } from '../../index.ts';
import { event, post } from '../support/posting.ts';

const FLOOD = fileURLToPath(new URL('../support/flood.ts', import.meta.url));

/** As many events as would take some hundred MB, in a process that has a tenth of it. */
function flood(keep: string) {
  const { status } = spawnSync(process.execPath, ['--max-old-space-size=48', FLOOD, keep], { encoding: 'utf8' });
  return status;
}

test('a receiver that keeps the latest holds no more memory, however many come', () => {
  expect(flood('1000')).toBe(0);
});

test('the flood above does fill the memory of one that keeps all', () => {
  expect(flood('')).not.toBe(0);
});

test('large bodies drop earlier ones out, and the latest stays', async () => {
  await using receiver = await createReceiver({ keep: 100, keepBytes: 100_000 });
  const large = event('track', { properties: { text: 'x'.repeat(40_000) } });
  for (let count = 0; count < 5; count += 1) await post(receiver.url, large);
  expect(receiver.received.map(({ number }) => number)).toEqual([4, 5]);
  await post(receiver.url, event('track', { properties: { text: 'x'.repeat(200_000) } }));
  expect(receiver.received.map(({ number }) => number)).toEqual([6]);
  receiver.reset();
  await post(receiver.url, large);
  expect(receiver.received).toHaveLength(1);
});

test('attempts of a message are counted over many others', async () => {
  await using receiver = await createReceiver({ keep: 1 });
  for (let count = 0; count < 99; count += 1) await post(receiver.url, event('track', { messageId: `m-${count}` }));
  await post(receiver.url, event('track', { messageId: 'm-0' }));
  expect(receiver.received[0]?.attempt).toBe(2);
  await post(receiver.url, event('track', { messageId: 'n'.repeat(5_000) }));
  await post(receiver.url, event('track', { messageId: 'n'.repeat(5_000) }));
  expect(receiver.received[0]?.attempt).toBe(2);
});

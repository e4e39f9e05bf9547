import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSender, post, type Sender } from '../../../scripts/hostile/sender.ts';
import { startRaw } from '../../../scripts/hostile/raw-faults.ts';
import { createReceiver } from '../../../testbed/index.ts';
import { outcomeOf } from '../../model/outcome.ts';
import { retryAfterMs } from '../../delivery/round.ts';
import { startRawReceiver } from '../support/raw-receiver.ts';

const DEADLINE_MS = 2_000;

let sender: Sender;
beforeEach(() => {
  sender = createSender(DEADLINE_MS);
});
afterEach(() => sender.close());

test('D-28: no redirect is followed, wherever it leads', async () => {
  await using trap = await createReceiver();
  for (const status of [301, 302, 303, 307, 308]) {
    await using receiver = await createReceiver({ script: [{ status, to: trap.url }] });
    expect(outcomeOf(await post(sender, receiver.url, DEADLINE_MS))).toBe('redirect_refused');
    expect(receiver.received).toHaveLength(1);
  }
  expect(trap.received).toHaveLength(0);
  // It would have seen a visitor.
  await post(sender, trap.url, DEADLINE_MS);
  expect(trap.received).toHaveLength(1);
});

test('an answer that was sent before its question is not taken for one', async () => {
  await using receiver = await startRaw('two-answers');
  expect(outcomeOf(await post(sender, receiver.url, DEADLINE_MS))).toBe('delivered');
  expect(outcomeOf(await post(sender, receiver.url, DEADLINE_MS))).toBe('delivered');
  // The second question went over another connection: what lay ready on the first was thrown away with it.
  expect(receiver.connections).toBe(2);
});

test('a receiver that closes after each answer loses no event', async () => {
  await using receiver = await createReceiver({ script: '200+close:answer x*' });
  const outcomes = [];
  // One after another, which tempts the sender to use a dying connection.
  for (let i = 0; i < 50; i += 1) outcomes.push(outcomeOf(await post(sender, receiver.url, DEADLINE_MS)));
  // A connection may die between two looks at it; the attempt is then a reset, which is temporary, and counted.
  expect(outcomes.filter((outcome) => outcome !== 'delivered' && outcome !== 'reset')).toEqual([]);
  expect(receiver.received.length).toBeGreaterThanOrEqual(outcomes.filter((outcome) => outcome === 'delivered').length);
});

test('D-24: what a compressed answer inflates to is never made', async () => {
  await using receiver = await createReceiver({ script: 'size:64MB+gzip' });
  const result = await post(sender, receiver.url, DEADLINE_MS);
  expect(result).toMatchObject({ kind: 'answered', status: 200 });
  expect(result.kind === 'answered' ? result.excerpt.length : Infinity).toBeLessThanOrEqual(1024);
});

test('D-24: a deadline that has passed lets go of the connection', async () => {
  await using receiver = await createReceiver({ script: 'silence:request' });
  const left = new Promise((resolve) => receiver.onEvent((event) => event.kind === 'left' && resolve(event)));
  expect(outcomeOf(await post(sender, receiver.url, 200))).toBe('first_byte_timeout');
  await left;
});

test('a longer deadline would have held the slot', async () => {
  await using receiver = await createReceiver({ script: 'silence:request x*' });
  const order: string[] = [];
  const long = post(sender, receiver.url, 60_000).then(() => order.push('long'));
  await post(sender, receiver.url, 100).then(() => order.push('short'));
  expect(order).toEqual(['short']);
  await sender.close();
  await long;
});

test('up to 32 interim answers are waited through, and no more', async () => {
  await using patient = await createReceiver({ script: 'interim:103x32' });
  expect(outcomeOf(await post(sender, patient.url, DEADLINE_MS))).toBe('delivered');
  await using endless = await createReceiver({ script: 'interim:103x33' });
  expect(outcomeOf(await post(sender, endless.url, DEADLINE_MS))).toBe('protocol_error');
});

test('the limit of an answer is for each answer, not for the connection', async () => {
  // Together they are longer than four times the limit of one.
  const OK = `HTTP/1.1 200 OK\r\nContent-Length: 12000\r\n\r\n${'x'.repeat(12_000)}`;
  await using receiver = await startRawReceiver((socket) => socket.write(OK));
  for (let i = 0; i < 100; i += 1) {
    expect(outcomeOf(await post(sender, receiver.url, DEADLINE_MS))).toBe('delivered');
  }
  expect(receiver.connections).toBeLessThanOrEqual(2);
});

const NOW = Date.UTC(2026, 10, 20, 12);
const RETRY_AFTER: readonly (readonly [header: string, ms: number])[] = [
  ['30', 30_000],
  [new Date(NOW + 30_000).toUTCString(), 30_000],
  [new Date(NOW - 30_000).toUTCString(), 0],
  ['999999999', 999_999_999_000],
  ['99999999999999999999', 0],
  ['-30', 0],
  ['1.5', 0],
  ['soon', 0],
  ['', 0],
];

test.each(RETRY_AFTER)('D-23: Retry-After %j arrives, and means %i ms', async (header, ms) => {
  await using receiver = await startRawReceiver((socket) =>
    socket.end(`HTTP/1.1 429 Slow\r\nRetry-After: ${header}\r\nContent-Length: 0\r\n\r\n`),
  );
  const result = await post(sender, receiver.url, DEADLINE_MS);
  expect(outcomeOf(result)).toBe('http_429');
  expect(result.kind === 'answered' ? retryAfterMs(result.retryAfter, NOW) : undefined).toBe(ms);
});

test('HOOK-3: a header that HTTP cannot carry fails the attempt, not the router', async () => {
  await using receiver = await createReceiver();
  const signal = new AbortController().signal;
  const request = { workspace: 'workspaces/main', url: receiver.url, body: Buffer.from('{}'), deadlineMs: DEADLINE_MS };
  const results = [
    await sender.post({ ...request, headers: { 'X-Bad': 'a\r\nX-Injected: 1' } }, signal),
    await sender.post({ ...request, headers: { Expect: '100-continue' } }, signal),
  ];
  expect(results.map(outcomeOf)).toEqual(['protocol_error', 'protocol_error']);
  expect(receiver.received).toHaveLength(0);
});

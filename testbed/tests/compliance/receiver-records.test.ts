import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReceiver, headerOf } from '../../index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { event, nextEvent, post, statuses } from '../support/posting.ts';
import { rawClient, requestText } from '../support/raw-client.ts';

test('a body that is no UTF-8 is recorded byte for byte', async () => {
  await using receiver = await createReceiver();
  const body = Uint8Array.from({ length: 256 }, (_, at) => at);
  await post(receiver.url, body);
  const { body: recorded, event: parsed } = await receiver.next();
  expect(Buffer.from(recorded).equals(Buffer.from(body))).toBe(true);
  expect(parsed).toBeUndefined();
});

test('JSON with a byte that is no UTF-8 is no event', async () => {
  await using receiver = await createReceiver({ script: 'track:503,200' });
  const body = Buffer.from('{"type":"track","x":"\u00ff"}', 'latin1');
  expect((await post(receiver.url, body)).status).toBe(200);
  expect((await receiver.next()).event).toBeUndefined();
});

test('any bytes are recorded as they were sent', async () => {
  await using receiver = await createReceiver();
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), async (body) => {
      await post(receiver.url, body);
      const { body: recorded } = await receiver.next();
      expect(Buffer.from(recorded).equals(Buffer.from(body))).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('a body in many small pieces is recorded whole', async () => {
  await using receiver = await createReceiver();
  using client = rawClient(receiver.url);
  const text = requestText('{"type":"track","event":"Größe"}');
  for (const byte of Buffer.from(text)) client.send(Uint8Array.of(byte));
  const { body } = await receiver.next();
  expect(Buffer.from(body).toString()).toBe('{"type":"track","event":"Größe"}');
});

test('a chunked body is recorded without its framing', async () => {
  await using receiver = await createReceiver();
  using client = rawClient(receiver.url);
  client.send('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n');
  expect(Buffer.from((await receiver.next()).body).toString()).toBe('abcde');
});

test('headers keep order, case, repetitions and Latin-1 bytes', async () => {
  await using receiver = await createReceiver();
  using client = rawClient(receiver.url);
  client.send(Buffer.from(requestText('{}', ['X-b: 1', 'x-A:  two ', 'X-B: 3', 'X-L: \u00e4']), 'latin1'));
  const received = await receiver.next();
  expect(received.headers).toEqual([
    ['Host', 'receiver'],
    ['Content-Length', '2'],
    ['X-b', '1'],
    ['x-A', 'two'],
    ['X-B', '3'],
    ['X-L', '\u00e4'],
  ]);
  expect(headerOf(received, 'x-b')).toBe('1, 3');
  expect(headerOf(received, 'x-missing')).toBeUndefined();
});

test('method, path and query are recorded as sent', async () => {
  await using receiver = await createReceiver();
  await fetch(`${receiver.url}/a%20b?c=d`, { method: 'PUT', body: 'x' });
  expect(await receiver.next()).toMatchObject({ method: 'PUT', path: '/a%20b?c=d', number: 1 });
});

test("arrival is timed by the receiver's clock", async () => {
  const clock = new ManualClock();
  await using receiver = await createReceiver({ clock });
  await post(receiver.url, '{}');
  clock.advance(1500);
  await post(receiver.url, '{}');
  const [first, second] = await receiver.waitFor({ count: 2 });
  expect([first?.at, second?.at]).toEqual([clock.now() - 1500, clock.now()]);
});

test('attempts are counted for each messageId', async () => {
  await using receiver = await createReceiver();
  for (const messageId of ['a', 'b', 'a', 'a']) await post(receiver.url, event('track', { messageId }));
  await post(receiver.url, event('track'));
  expect(receiver.received.map(({ attempt }) => attempt)).toEqual([1, 1, 2, 3, 1]);
});

test('a record tells which step answered it', async () => {
  await using receiver = await createReceiver({ script: '503,200' });
  expect(await statuses(receiver.url, ['{}', '{}', '{}'])).toEqual([503, 200, 200]);
  expect(receiver.received.map(({ turn }) => [turn.step, turn.repeats])).toEqual([
    [1, false],
    [2, false],
    [2, true],
  ]);
});

test('requests that come side by side are all recorded, in order', async () => {
  await using receiver = await createReceiver({ secret: 's3cret' });
  const numbers = Array.from({ length: 50 }, (_, at) => at);
  await Promise.all(numbers.map(async (at) => post(receiver.url, event('track', { messageId: String(at) }))));
  expect(receiver.received.map(({ number }) => number)).toEqual(numbers.map((at) => at + 1));
  const times = receiver.received.map(({ at }) => at);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(new Set(receiver.received.map(({ event: sent }) => sent?.['messageId'])).size).toBe(50);
});

test('requests on one connection are answered in turn', async () => {
  await using receiver = await createReceiver({ script: '503,200+body:second' });
  using client = rawClient(receiver.url);
  client.send(requestText('{}'));
  await client.until('503');
  client.send(requestText('{}'));
  await client.until('second');
  expect(receiver.received).toHaveLength(2);
});

test('only the latest records are kept where a limit is set', async () => {
  await using receiver = await createReceiver({ keep: 2 });
  await statuses(receiver.url, ['{}', '{}', '{}']);
  expect(receiver.received.map(({ number }) => number)).toEqual([2, 3]);
});

test('a new script plays from its beginning', async () => {
  await using receiver = await createReceiver({ script: '503x2,200' });
  expect(await statuses(receiver.url, ['{}'])).toEqual([503]);
  receiver.setScript([{ status: 500 }, { status: 204 }]);
  expect(await statuses(receiver.url, ['{}', '{}', '{}'])).toEqual([500, 204, 204]);
});

test('what is no HTTP is reported and not counted', async () => {
  await using receiver = await createReceiver();
  const reported = nextEvent(receiver, 'unreadable');
  using client = rawClient(receiver.url);
  client.send('NONSENSE\r\n\r\n');
  expect((await reported).reason).toContain('no HTTP');
  expect(await client.ended).toBe('fin');
  expect(client.seen()).toContain('400 Bad Request');
  expect(receiver.received).toEqual([]);
});

test('a request that breaks off in its body is reported once', async () => {
  await using receiver = await createReceiver();
  const reports: string[] = [];
  receiver.onEvent((happened) => reports.push(happened.kind === 'unreadable' ? happened.reason : happened.kind));
  const client = rawClient(receiver.url);
  client.send('POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n');
  await client.until('100 Continue');
  client[Symbol.dispose]();
  await expect.poll(() => reports.length).toBeGreaterThan(0);
  await post(receiver.url, '{}');
  expect(reports).toEqual(['it broke off in the middle of its body', 'received']);
});

test('a request that breaks off in its headers is reported once', async () => {
  await using receiver = await createReceiver();
  const reported = nextEvent(receiver, 'unreadable');
  const client = rawClient(receiver.url);
  client.send(`${requestText('')}POST / HTTP/1.1\r\nHo`);
  await client.until('200 OK');
  client[Symbol.dispose]();
  expect((await reported).reason).toBe('it broke off in the middle of its headers');
});

test('a connection that brings nothing plays no step', async () => {
  await using receiver = await createReceiver({ script: 'reset:connect,200' });
  const probe = rawClient(receiver.url);
  await probe.connected;
  probe[Symbol.dispose]();
  await expect(post(receiver.url, '{}')).rejects.toThrow('fetch failed');
  expect(await statuses(receiver.url, ['{}'])).toEqual([200]);
});

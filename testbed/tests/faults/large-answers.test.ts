import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createReceiver } from '../../index.ts';
import { event, failureOf, nextEvent, post, statuses } from '../support/posting.ts';
import { rawClient, requestText } from '../support/raw-client.ts';

const BODY = event('track');

test('two gigabytes are announced, sent on demand, and stopped', async () => {
  await using receiver = await createReceiver({ script: 'size:2GB' });
  const left = nextEvent(receiver, 'left');
  const before = process.memoryUsage().rss;
  const answer = await fetch(receiver.url, { method: 'POST', body: BODY });
  expect(answer.headers.get('content-length')).toBe(String(2 * 1024 ** 3));
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > 64 * 1024 ** 2) break;
  }
  await left;
  expect(bytes).toBeGreaterThan(64 * 1024 ** 2);
  expect(process.memoryUsage().rss - before).toBeLessThan(512 * 1024 ** 2);
});

test('an endless body has no length and does not end', async () => {
  await using receiver = await createReceiver({ script: 'size:endless' });
  const left = nextEvent(receiver, 'left');
  const answer = await fetch(receiver.url, { method: 'POST', body: BODY });
  expect(answer.headers.get('transfer-encoding')).toBe('chunked');
  let chunks = 0;
  for await (const _ of answer.body ?? []) {
    chunks += 1;
    if (chunks === 100) break;
  }
  await left;
});

test('a large body has exactly its size', async () => {
  await using receiver = await createReceiver({ script: 'size:200001B' });
  expect((await post(receiver.url, BODY)).body).toHaveLength(200_001);
});

test('a compressed bomb is small on the wire', async () => {
  await using receiver = await createReceiver({ script: 'size:20MB+gzip' });
  using client = rawClient(receiver.url);
  client.send(requestText(BODY, ['Connection: close']));
  await client.ended;
  expect(client.seen()).toContain('Content-Encoding: gzip');
  expect(client.seen().length).toBeLessThan(100_000);
  expect((await post(receiver.url, BODY)).body).toHaveLength(20 * 1024 ** 2);
});

test('a written body is compressed with its length', async () => {
  await using receiver = await createReceiver({ script: '200+body:hello+gzip' });
  using client = rawClient(receiver.url);
  client.send(requestText(BODY, ['Connection: close']));
  await client.ended;
  const [head = '', body = ''] = client.seen().split('\r\n\r\n');
  expect(head).toContain(`Content-Length: ${body.length}`);
  expect(gunzipSync(Buffer.from(body, 'latin1')).toString()).toBe('hello');
});

test('a huge header is one header of that size', async () => {
  await using receiver = await createReceiver({ script: 'header-size:10MB' });
  using client = rawClient(receiver.url);
  client.send(requestText(BODY, ['Connection: close']));
  await client.ended;
  // Not by an expression: one that steps back over ten million characters can run out of stack.
  const filler = client
    .seen()
    .split('\r\n')
    .find((line) => line.startsWith('X-Filler: '));
  expect(filler).toBe(`X-Filler: ${'.'.repeat(10 * 1024 ** 2)}`);
  expect(await failureOf(post(receiver.url, BODY))).toBe('UND_ERR_HEADERS_OVERFLOW');
});

test('informational answers come before the real one', async () => {
  await using receiver = await createReceiver({ script: '204+interim:103x2500' });
  using client = rawClient(receiver.url);
  client.send(requestText(BODY));
  await client.until('HTTP/1.1 204');
  expect(client.seen().match(/HTTP\/1\.1 103 Early Hints\r\n\r\n/g)).toHaveLength(2500);
  expect(await statuses(receiver.url, [BODY])).toEqual([204]);
});

test('a HEAD request gets no body, however endless', async () => {
  await using receiver = await createReceiver({ script: 'size:endless' });
  const answer = await fetch(receiver.url, { method: 'HEAD' });
  expect(await answer.text()).toBe('');
});

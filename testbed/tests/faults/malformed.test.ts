import { expect, test } from 'vitest';
import { createReceiver } from '../../index.ts';
import { MALFORMATIONS } from '../../fault-script/index.ts';
import type { Malformation } from '../../fault-script/index.ts';
import { event, resultOf, post } from '../support/posting.ts';
import { rawClient, requestText } from '../support/raw-client.ts';

const BODY = event('track');

/** What undici makes of each: an error, or the status of an answer that it takes for good. */
const RESULTS: { readonly [M in Malformation]: RegExp } = {
  'status-line': /Invalid status code/,
  'http-0.9': /Expected HTTP\//,
  header: /Invalid header token/,
  'length-over': /UND_ERR_SOCKET/,
  // The answer ends where its head says; the bytes after it spoil the connection only.
  'length-under': /^200$/,
  'length-twice': /UND_ERR_RES_CONTENT_LENGTH_MISMATCH/,
  chunk: /Invalid character in chunk size/,
  garbage: /Expected HTTP\//,
};

test.each(MALFORMATIONS)('malformed:%s meets undici as it is expected to', async (how) => {
  await using receiver = await createReceiver({ script: `malformed:${how}` });
  expect(await resultOf(post(receiver.url, BODY))).toMatch(RESULTS[how]);
  expect(receiver.received).toHaveLength(1);
});

/** What the raw client sees, from the first byte to the last. */
const BYTES: { readonly [M in Malformation]: RegExp } = {
  'status-line': /^HTTP\/1\.1 two-hundred OK\r\n\r\n$/,
  'http-0.9': /^ok\r\n$/,
  header: /^HTTP\/1\.1 200 OK\r\nthis line has no colon\r\n\r\n$/,
  'length-over': /^HTTP\/1\.1 200 OK\r\nContent-Length: 100\r\n\r\nten bytes\.$/,
  'length-under': /^HTTP\/1\.1 200 OK\r\nContent-Length: 3\r\n\r\nten bytes\.$/,
  'length-twice': /^HTTP\/1\.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 10\r\n\r\nten bytes\.$/,
  chunk: /^HTTP\/1\.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno hex\r\n/,
  garbage: /^[^]{512}$/,
};

test.each(MALFORMATIONS)('malformed:%s goes out as bytes, then the connection ends', async (how) => {
  await using receiver = await createReceiver({ script: `malformed:${how}` });
  using client = rawClient(receiver.url);
  client.send(requestText(BODY));
  expect(await client.ended).toBe('fin');
  expect(client.seen()).toMatch(BYTES[how]);
});

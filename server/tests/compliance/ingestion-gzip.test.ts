import { request } from 'node:http';
import { deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createAdmission } from '../../http/admission.ts';
import { inflate } from '../../http/body.ts';
import { basic, type IngestionServer, startIngestion, WRITE_KEY } from '../support/ingestion-server.ts';

const LIMIT = 512_000;
const BATCH = Buffer.from(JSON.stringify({ batch: [{ type: 'identify', userId: 'u', traits: { name: 'é' } }] }));

interface Sent {
  readonly status: number | undefined;
  readonly body: unknown;
}

/** Sends parts in turn, chunked, as a program does that does not know the length. */
function send({ url }: IngestionServer, parts: readonly Buffer[], encoding = 'gzip'): Promise<Sent> {
  const { promise, resolve, reject } = Promise.withResolvers<Sent>();
  const headers = { ...basic(WRITE_KEY), 'content-encoding': encoding };
  const sending = request(`${url}/v1/batch`, { method: 'POST', headers }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () =>
      resolve({ status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) }),
    );
  });
  sending.on('error', reject);
  for (const part of parts) sending.write(part);
  sending.end();
  return promise;
}

test.each(['gzip', 'GZIP', 'x-gzip', ' gzip '])(
  'ING-2: a chunked body with the encoding %j is inflated',
  async (name) => {
    const server = await startIngestion();
    const zipped = gzipSync(BATCH);
    expect(await send(server, [zipped.subarray(0, 20), zipped.subarray(20)], name)).toMatchObject({ status: 200 });
    expect(server.store.events).toMatchObject([{ userId: 'u', traits: { name: 'é' } }]);
  },
);

test('ING-2: a gzip of several members is inflated whole', async () => {
  const server = await startIngestion();
  const members = [gzipSync(BATCH.subarray(0, 12)), gzipSync(BATCH.subarray(12))];
  expect(await send(server, members)).toMatchObject({ status: 200 });
  expect(server.store.events).toHaveLength(1);
});

test('ING-2: identity is no encoding', async () => {
  expect(await send(await startIngestion(), [BATCH], 'identity')).toMatchObject({ status: 200 });
});

test('ING-2: a body is measured inflated, to the byte', async () => {
  const server = await startIngestion();
  const fits = Buffer.from(BATCH.toString('utf8').padEnd(LIMIT - 1)); // the é takes two bytes
  expect(fits).toHaveLength(LIMIT);
  expect(await send(server, [gzipSync(fits)])).toMatchObject({ status: 200 });
  expect(await send(server, [gzipSync(Buffer.concat([fits, Buffer.from(' ')]))])).toMatchObject({
    status: 413,
    body: { code: 3, error: 'the body is larger than 512000 bytes' },
  });
  expect(server.store.calls).toHaveLength(1);
});

test('ING-2: a body of the limit that does not compress is accepted', async () => {
  const server = await startIngestion();
  expect(
    await send(server, [gzipSync(Buffer.from(BATCH.toString('utf8').padEnd(LIMIT - 1)), { level: 0 })]),
  ).toMatchObject({ status: 200 });
});

test('ING-2: a gzip bomb is answered 413', async () => {
  const server = await startIngestion();
  const bomb = gzipSync(Buffer.alloc(100_000_000), { level: 9 });
  expect(bomb.length).toBeLessThan(LIMIT);
  expect(await send(server, [bomb])).toMatchObject({ status: 413 });
  expect(server.store.calls).toEqual([]);
});

test('ING-2: inflating a bomb stops at the limit', async () => {
  const bomb = gzipSync(Buffer.alloc(100_000_000), { level: 9 });
  const before = process.memoryUsage().arrayBuffers;
  expect(await inflate(bomb, LIMIT)).toBeUndefined();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * LIMIT);
});

test('ING-2: a gzip that unfolds to nothing cannot go on for ever', async () => {
  const server = await startIngestion();
  const nothing = gzipSync(Buffer.alloc(0));
  const parts = Array.from({ length: 60 }, () => Buffer.concat(Array.from({ length: 500 }, () => nothing)));
  expect(await send(server, parts)).toMatchObject({ status: 413 });
});

function wronglySummed(): Buffer {
  const zipped = gzipSync(BATCH);
  return zipped.fill(0, zipped.length - 8, zipped.length - 4);
}

test.each([
  ['no gzip', BATCH],
  ['a gzip that ends early', gzipSync(BATCH).subarray(0, -9)],
  ['a gzip with a wrong checksum', wronglySummed()],
  ['another format', deflateSync(BATCH)],
])('D-41: %s is answered 400, and nothing is stored', async (_case, body) => {
  const server = await startIngestion();
  const words = 'the body is not valid gzip, although Content-Encoding says so';
  expect(await send(server, [body])).toEqual({ status: 400, body: { error: words, code: 3, message: words } });
  expect(server.store.calls).toEqual([]);
});

test.each(['br', 'deflate', 'gzip, gzip'])('D-41: the encoding %s is refused by name', async (encoding) => {
  const answer = await send(await startIngestion(), [BATCH], encoding);
  expect(answer).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining(`unsupported Content-Encoding "${encoding}"`) },
  });
});

test('ING-2: what a body may inflate to counts before it does', async () => {
  const admission = createAdmission({ requests: 1, bytes: LIMIT }, () => 0);
  const server = await startIngestion(undefined, admission);
  expect(await send(server, [gzipSync(BATCH)])).toMatchObject({ status: 429, body: { code: 8 } });
  expect(await send(server, [BATCH], 'identity')).toMatchObject({ status: 200 });
});

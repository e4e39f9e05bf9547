import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Analytics } from '../../analytics/analytics.ts';
import { HOSTS } from '../../analytics/hosts.ts';
import { LIBRARY } from '../../analytics/library.ts';
import contract from '../../../generated/ingestion-api.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { bench } from '../support/analytics-bench.ts';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

/** One flush against a real server, and what that server saw. */
async function onTheWire(options: object, status = 200, headers: Record<string, string> = {}): Promise<Seen[]> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push({ method: request.method, url: request.url, headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{"success":true}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const logger = { debug: () => {}, warn: () => {}, error: () => {} };
  const analytics = new Analytics('my-key', { host: `http://127.0.0.1:${port}`, logger, ...options });
  analytics.track('u', 'Größe gewählt ✓', { a: 1 }, { messageId: 'm' });
  await analytics.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return seen;
}

describe('on the wire', () => {
  test('ING-1: a batch is one POST with the write key as Basic user', async () => {
    const [seen, ...others] = await onTheWire({});
    expect(others).toEqual([]);
    expect(seen).toMatchObject({ method: 'POST', url: '/v1/batch' });
    expect(seen?.headers).toMatchObject({
      authorization: `Basic ${Buffer.from('my-key:').toString('base64')}`,
      'content-type': 'application/json',
    });
    expect(seen?.headers).not.toHaveProperty('x-retry-count');
    expect(JSON.parse(String(seen?.body))).toMatchObject({
      batch: [{ type: 'track', event: 'Größe gewählt ✓', context: { library: LIBRARY } }],
      sentAt: expect.stringMatching(/Z$/),
    });
  });

  test('LIB-11: gzip true compresses the same body', async () => {
    const [seen] = await onTheWire({ gzip: true });
    expect(seen?.headers['content-encoding']).toBe('gzip');
    const body: { batch: unknown[] } = JSON.parse(gunzipSync(seen?.body ?? Buffer.alloc(0)).toString('utf8'));
    expect(body.batch).toEqual([expect.objectContaining({ event: 'Größe gewählt ✓' })]);
  });

  test('LIB-11: without gzip nothing is compressed', async () => {
    const [seen] = await onTheWire({});
    expect(seen?.headers).not.toHaveProperty('content-encoding');
  });

  test('a redirect is not followed', async () => {
    expect(await onTheWire({}, 307, { location: '/elsewhere' })).toHaveLength(1);
  });
});

test('the default host is where a router listens with its default settings', () => {
  expect(contract.servers.map((server) => server.url)).toContain(HOSTS.default);
});

test('LIB-18: the library names itself as its package does', () => {
  expect(LIBRARY).toEqual({ name: manifest.name, version: manifest.version });
});

test('a message of every call has only fields of the contract', async () => {
  const { analytics, clock, server } = bench();
  const options = { anonymousId: 'a', integrations: { all: true }, context: { ip: 'x' } };
  analytics.identify('u', {}, options);
  analytics.track('u', 'e', {}, options);
  analytics.page('u', 'c', 'n', {}, options);
  analytics.screen('u', 'c', 'n', {}, options);
  analytics.group('u', 'g', {}, options);
  analytics.alias('p', 'u', { integrations: { all: true } });
  await clock.until(analytics.flush());
  const fields = new Set(Object.keys(contract.components.schemas.Call.properties));
  for (const message of server.accepted) for (const name of Object.keys(message)) expect(fields).toContain(name);
  expect(server.accepted).toHaveLength(6);
});

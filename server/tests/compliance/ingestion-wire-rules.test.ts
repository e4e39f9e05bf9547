import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createAdmission } from '../../http/admission.ts';
import { basic, type IngestionServer, SOURCE, startIngestion, WRITE_KEY } from '../support/ingestion-server.ts';

/** What breaks a client of the field when the server gets it wrong, row by row; each shows what the client would see. */
interface Row {
  readonly rule: string;
  readonly seen: (server: IngestionServer) => unknown;
  readonly wanted: unknown;
}

const TRACK = { type: 'track', userId: 'u', event: 'E' };
const KEY = basic(WRITE_KEY);

function send(
  { url }: IngestionServer,
  path: string,
  body: unknown,
  headers: Record<string, string> = KEY,
): Promise<Response> {
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  return fetch(url + path, { method: 'POST', body: text, headers });
}

/** The one event that is stored after a batch with this call in it, and what goes beside. */
async function stored(server: IngestionServer, call: unknown, beside: object = {}): Promise<object | undefined> {
  const body = typeof call === 'string' ? `{"batch":[${call}]}` : { batch: [call], ...beside };
  await send(server, '/v1/batch', body);
  return server.store.events[0];
}

const statusOf = (path: string, body: unknown, headers?: Record<string, string>) => async (server: IngestionServer) =>
  (await send(server, path, body, headers)).status;

/** A batch of one event, in gzip; a stream goes out in chunks. */
function zipped(messageId: string): ReadableStream {
  return new Blob([gzipSync(JSON.stringify({ batch: [{ ...TRACK, messageId }] }))]).stream();
}

const ROWS: readonly Row[] = [
  { rule: '1: success is exactly 200', seen: statusOf('/v1/batch', { batch: [TRACK] }), wanted: 200 },
  {
    rule: '2: the body of a success is a JSON object',
    seen: async (server) => (await send(server, '/v1/batch', { batch: [TRACK] })).text(),
    wanted: '{"success":true}',
  },
  {
    rule: '3: errors carry code, message and error',
    seen: async (server) => (await send(server, '/v1/batch', '{')).json(),
    wanted: { code: 3, message: expect.any(String), error: expect.any(String) },
  },
  {
    rule: '4: the status line has a reason phrase',
    seen: async (server) => (await send(server, '/v1/batch', { batch: [TRACK] })).statusText,
    wanted: 'OK',
  },
  {
    rule: '5: the key may stand in the body alone',
    seen: statusOf('/v1/batch', { batch: [TRACK], writeKey: WRITE_KEY }, {}),
    wanted: 200,
  },
  {
    rule: '6: Basic works without the colon',
    seen: statusOf('/v1/batch', { batch: [TRACK] }, { authorization: `Basic ${btoa(WRITE_KEY)}` }),
    wanted: 200,
  },
  {
    rule: '7: Bearer goes with a key in the body',
    seen: statusOf('/v1/batch', { batch: [TRACK], writeKey: WRITE_KEY }, { authorization: 'Bearer token' }),
    wanted: 200,
  },
  {
    rule: '8: import, its slash, and the letters are routes',
    seen: async (server) => {
      const batches = ['/v1/batch', '/v1/import', '/v1/import/', '/v1/b'].map((path) =>
        statusOf(path, { batch: [TRACK] })(server),
      );
      const call = { userId: 'u', event: 'E', groupId: 'g', previousId: 'p' };
      const letters = ['t', 'i', 'p', 's', 'g', 'a'].map((letter) => statusOf(`/v1/${letter}`, call)(server));
      return [new Set(await Promise.all([...batches, ...letters])), server.store.events.length];
    },
    wanted: [new Set([200]), 10],
  },
  {
    rule: '9: JSON is read under each of its content types',
    seen: (server) => {
      const types = ['text/plain', 'application/json', 'application/json; charset=utf-8'];
      const body = { ...TRACK, writeKey: WRITE_KEY };
      return Promise.all(types.map((type) => statusOf('/v1/t', body, { 'content-type': type })(server)));
    },
    wanted: [200, 200, 200],
  },
  {
    rule: '10: gzip is inflated, in chunks too',
    seen: async ({ url, store }) => {
      const request = { method: 'POST', headers: { ...KEY, 'content-encoding': 'gzip' } };
      const whole = await new Response(zipped('whole')).bytes();
      const sent = [
        await fetch(`${url}/v1/batch`, { ...request, body: whole }),
        await fetch(`${url}/v1/batch`, { ...request, body: zipped('chunked'), duplex: 'half' }),
      ];
      return [sent.map(({ status }) => status), store.events.map(({ messageId }) => messageId)];
    },
    wanted: [
      [200, 200],
      ['whole', 'chunked'],
    ],
  },
  {
    rule: '11: a preflight allows the headers of the browser library',
    seen: async ({ url }) => {
      const asked = 'authorization,x-retry-count,content-type';
      const headers = { origin: 'https://a.example', 'access-control-request-headers': asked };
      return (await fetch(`${url}/v1/p`, { method: 'OPTIONS', headers })).headers.get('access-control-allow-headers');
    },
    wanted: 'authorization,x-retry-count,content-type',
  },
  {
    rule: '12: context and integrations of a batch go into each event',
    seen: (server) => stored(server, TRACK, { context: { library: { name: 'go' } }, integrations: { A: false } }),
    wanted: expect.objectContaining({ context: { library: { name: 'go' } }, integrations: { A: false } }),
  },
  {
    rule: '13: integrations.all is integrations.All',
    seen: async (server) => {
      for (const key of ['all', 'All']) await stored(server, { ...TRACK, integrations: { [key]: false } });
      return server.store.stored.map(({ routes }) => routes);
    },
    wanted: [[], []],
  },
  {
    rule: '14: a null is absent',
    seen: async (server) => {
      const event = (await stored(server, { ...TRACK, anonymousId: null, name: null })) ?? {};
      return [event, 'anonymousId' in event, 'name' in event];
    },
    wanted: [expect.objectContaining(TRACK), false, false],
  },
  {
    rule: '15: ids that are numbers become text',
    seen: (server) => stored(server, { type: 'group', userId: 'u', groupId: 0 }),
    wanted: expect.objectContaining({ groupId: '0' }),
  },
  {
    rule: '16: [] stands for an empty object',
    seen: (server) => stored(server, { ...TRACK, properties: [], context: [], integrations: [] }),
    wanted: expect.objectContaining({ properties: {}, context: {}, integrations: {} }),
  },
  {
    rule: '17: NaN and Infinity are read as null',
    seen: (server) => stored(server, '{"type":"track","userId":"u","event":"E","properties":{"a":NaN,"b":-Infinity}}'),
    wanted: expect.objectContaining({ properties: { a: null, b: null } }),
  },
  {
    rule: '18: ids beyond 2^53 keep their digits',
    seen: (server) => stored(server, '{"type":"track","userId":1180591620717411303424,"event":"E"}'),
    wanted: expect.objectContaining({ userId: '1180591620717411303424' }),
  },
  {
    rule: '19: an event that is wrong costs nobody but itself',
    seen: async (server) => [
      await statusOf('/v1/batch', { batch: [{}, TRACK] })(server),
      server.store.events.length,
      server.dropped.of(SOURCE).size,
    ],
    wanted: [200, 1, 1],
  },
  {
    rule: '21: a connection is kept for 75 seconds',
    seen: async (server) => (await send(server, '/v1/batch', { batch: [TRACK] })).headers.get('keep-alive'),
    wanted: 'timeout=75',
  },
];

test.each(ROWS)('D-40, D-41: $rule', async ({ seen, wanted }) => {
  expect(await seen(await startIngestion())).toEqual(wanted);
});

test('D-41: 20: overload is 429 with whole seconds in Retry-After', async () => {
  const server = await startIngestion(
    undefined,
    createAdmission({ requests: 0, bytes: 1 }, () => 0),
  );
  const { status, headers } = await send(server, '/v1/batch', { batch: [TRACK] });
  expect([status, headers.get('retry-after'), headers.get('x-ratelimit-reset')]).toEqual([429, '1', '1']);
});

test('every row of the list is here', () => {
  const numbers = [...ROWS.map(({ rule }) => Number.parseInt(rule, 10)), 20];
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 21 }, (_, at) => at + 1));
});

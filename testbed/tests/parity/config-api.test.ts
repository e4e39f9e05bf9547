import fc from 'fast-check';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { play } from '../../../server/tests/contract/history.ts';
import { histories } from '../../../server/tests/contract/history-arbitrary.ts';
import { type Request, startWorld, type World, type WorldAnswer } from '../../../server/tests/contract/world.ts';
import { TOKEN } from '../../../server/tests/support/config-api.ts';
import { configApiHandlers } from '../../msw/index.ts';
import { pairOf } from '../support/config-api-pair.ts';

const HISTORIES = 50;
const MOVES = 30;
const BASE = 'http://model.test';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: 'bypass' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

/** A fresh stand-in behind MSW, which answers what the world is asked. */
function standIn(): World['send'] {
  const { handlers } = configApiHandlers({ baseUrl: BASE, token: TOKEN });
  server.resetHandlers(...handlers);
  return async ({ method, path, body, token, headers }: Request): Promise<WorldAnswer> => {
    const authorization = token === null ? {} : { authorization: `Bearer ${token ?? TOKEN}` };
    const response = await fetch(BASE + path, {
      method: method.toUpperCase(),
      headers: { ...authorization, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const answered: unknown = await response.json();
    return { status: response.status, type: response.headers.get('content-type'), body: Object(answered) };
  };
}

test('CFG-1, CFG-6, CFG-10: the handlers answer any history as the router does', async () => {
  const world = await startWorld();
  let played = 0;
  const property = fc.asyncProperty(histories(MOVES), async (moves) => {
    await play({ ...world, send: pairOf(world.send, standIn()) }, moves);
    played += 1;
  });
  await fc.assert(property, { seed: 7, numRuns: HISTORIES });
  expect(played).toBe(HISTORIES);
});

const SOURCE = JSON.stringify({ source: { name: 'workspaces/main/sources/web' } });
const SOURCES = '/v1beta/workspaces/main/sources';

/** Requests that histories do not hold, each sent to a router and a stand-in with one source. */
const REQUESTS: readonly Request[] = [
  { method: 'GET', path: '/v1beta/nothing' },
  { method: 'PUT', path: SOURCES },
  { method: 'OPTIONS', path: SOURCES },
  { method: 'GET', path: SOURCES, token: null },
  { method: 'GET', path: SOURCES, token: 'wrong' },
  { method: 'GET', path: '/v1beta/nothing', token: null },
  { method: 'GET', path: SOURCES, token: null, headers: { authorization: 'Digest x' } },
  { method: 'GET', path: SOURCES, token: null, headers: { authorization: `Basic ${btoa(`:${TOKEN}`)}` } },
  { method: 'GET', path: `${SOURCES}?page_size=-1` },
  { method: 'GET', path: `${SOURCES}?page_size=many` },
  { method: 'GET', path: `${SOURCES}?page_size=5000` },
  { method: 'GET', path: `${SOURCES}?page_token=damaged` },
  { method: 'GET', path: '//v1beta//workspaces/main/sources/' },
  { method: 'GET', path: `${SOURCES}/web/` },
  { method: 'POST', path: SOURCES, body: SOURCE },
  { method: 'POST', path: SOURCES, body: '{"source":' },
  { method: 'POST', path: SOURCES, body: '' },
  { method: 'POST', path: SOURCES, body: '{"source":{"name":"web"}}' },
  { method: 'POST', path: SOURCES, body: '{"source":{"name":"workspaces/other/sources/x"}}' },
  { method: 'POST', path: SOURCES, body: '{"source":{"name":"workspaces/main/sources/y","labels":{"a":1}}}' },
  { method: 'POST', path: SOURCES, body: '{"source":{"name":"workspaces/main/sources/y","unknown":{"a":1}}}' },
  { method: 'POST', path: '/v1beta/workspaces/none/sources', body: SOURCE.replace('main', 'none') },
  {
    method: 'POST',
    path: `${SOURCES}/web/destinations`,
    body: JSON.stringify({
      destination: {
        name: 'workspaces/main/sources/web/destinations/webhooks',
        enabled: true,
        config: [{ name: 'hooks', value: Array.from({ length: 6 }, () => ({ hook: 'https://a.example' })) }],
      },
    }),
  },
  { method: 'PATCH', path: `${SOURCES}/web`, body: '{}', headers: { 'if-match': '"stale"' } },
  { method: 'DELETE', path: `${SOURCES}/web`, headers: { 'if-match': '"stale"' } },
  { method: 'DELETE', path: `${SOURCES}/web`, headers: { 'if-match': '*' } },
];

test.each(REQUESTS)('the handlers answer $method $path $body as the router does', async (request) => {
  const world = await startWorld();
  const send = pairOf(world.send, standIn());
  expect(await send({ method: 'POST', path: SOURCES, body: SOURCE })).toMatchObject({ status: 200 });
  await send(request);
});

test('a stand-in that forgets an update is found out', async () => {
  const world = await startWorld();
  const forgetful: World['send'] = async (request) =>
    other(request.method === 'PATCH' ? { method: 'GET', path: request.path } : request);
  const other = standIn();
  const send = pairOf(world.send, forgetful);
  await send({ method: 'POST', path: SOURCES, body: SOURCE });
  const body = '{"source":{"display_name":"Web"},"update_mask":{"paths":["source.display_name"]}}';
  await expect(send({ method: 'PATCH', path: `${SOURCES}/web`, body })).rejects.toThrow('the stand-in {"status":200');
});

const WEBHOOKS = 'workspaces/main/sources/web/destinations/webhooks';
const HOOKS = { name: 'hooks', value: [{ hook: 'https://customer.example/hook' }] };
const KEY = `whsk_${Buffer.alloc(32, 1).toString('base64')}`;

const rotation = (method: string, body?: object): Request => ({
  method: 'POST',
  path: `/v1beta/${WEBHOOKS}:${method}`,
  body: JSON.stringify(body),
});

const setting = (name: string, value: unknown): Request => ({
  method: 'PATCH',
  path: `/v1beta/${WEBHOOKS}`,
  body: JSON.stringify({ destination: { config: [{ name, value }] }, update_mask: { paths: ['destination.config'] } }),
});

test('HOOK-23: the handlers rotate secrets, and refuse to, as the router does', async () => {
  const world = await startWorld();
  const send = pairOf(world.send, standIn());
  const destination = { name: WEBHOOKS, enabled: true, config: [HOOKS] };
  await send({ method: 'POST', path: SOURCES, body: SOURCE });
  await send({ method: 'POST', path: `${SOURCES}/web/destinations`, body: JSON.stringify({ destination }) });
  const statuses: number[] = [];
  for (const request of [
    setting('signature', 'both'),
    rotation('rotateSecret', { secret: 'first' }),
    setting('signature', 'both'),
    setting('signature', 'neither'),
    rotation('rotateSecret', { secret: 'second' }),
    rotation('rotateSecret', { secret: 'second' }),
    rotation('rotateSecret', { secret: 'third' }),
    setting('sharedSecret', 'third'),
    rotation('cancelRotation'),
    rotation('rotateSecret', { secret: KEY }),
    setting('signature', 'standard-webhooks'),
    rotation('rotateSecret', { secret: KEY, overlap_seconds: 60 }),
    setting('signature', 'both'),
    rotation('finishRotation'),
    rotation('finishRotation'),
    rotation('rotateSecret', { secret: 'x', algorithm: 'ed25519' }),
    rotation('rotateSecret', { secret: '' }),
    rotation('rotateSecret', { secret: '[redacted]' }),
    rotation('rotateSecret', { secret: 'last', overlap_seconds: 0 }),
    { method: 'GET', path: `/v1beta/${WEBHOOKS}` },
  ]) {
    statuses.push((await send(request)).status);
  }
  expect(statuses.join(' ')).toBe('400 200 200 400 200 200 400 400 200 400 200 200 400 200 200 400 400 400 200 200');
});

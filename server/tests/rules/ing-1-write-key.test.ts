import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, test } from 'vitest';
import { sourceNamed } from '../support/ingestion-config-store.ts';
import { basic, startIngestion, WRITE_KEY } from '../support/ingestion-server.ts';

const CALL = { type: 'track', userId: 'u1', event: 'Signed Up' };
const base64 = (text: string): string => Buffer.from(text).toString('base64');

type Way = readonly [way: string, headers: Record<string, string>, inBody: { readonly writeKey?: unknown }];

const ACCEPTED: readonly Way[] = [
  ['Basic with a colon', basic(WRITE_KEY), {}],
  ['Basic without a colon', { authorization: `Basic ${base64(WRITE_KEY)}` }, {}],
  ['Basic with a password', { authorization: `Basic ${base64(`${WRITE_KEY}:ignored`)}` }, {}],
  ['basic in lower case', { authorization: `basic ${base64(`${WRITE_KEY}:`)}` }, {}],
  ['Basic and a null in the body', basic(WRITE_KEY), { writeKey: null }],
  ['the body alone', {}, { writeKey: WRITE_KEY }],
  ['Bearer and the body', { authorization: 'Bearer some.signed.token' }, { writeKey: WRITE_KEY }],
  ['Basic and the body', basic(WRITE_KEY), { writeKey: WRITE_KEY }],
  ['Basic without a user, and the body', { authorization: `Basic ${base64(':')}` }, { writeKey: WRITE_KEY }],
];

test.each(ACCEPTED)('ING-1: a batch authenticates with %s', async (_way, headers, inBody) => {
  const { post, store } = await startIngestion();
  const answer = await post('/v1/batch', { batch: [CALL], ...inBody }, headers);
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  expect(store.events).toHaveLength(1);
});

test.each(ACCEPTED)('ING-1: a single call authenticates with %s', async (_way, headers, inBody) => {
  const { post, store } = await startIngestion();
  const answer = await post('/v1/track', { ...CALL, ...inBody }, headers);
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  expect(store.events).toHaveLength(1);
});

/** How senders write a key with a colon, and which of the keys of two sources they mean. */
const WITH_COLONS: readonly [text: string, source: string | undefined][] = [
  ['id:secret:', 'pair'],
  ['id:secret', 'pair'],
  ['id:', 'id'],
  ['id', 'id'],
  ['id:another password', 'id'],
  ['id:secret:more', 'id'],
  ['trailing::', 'trailing'],
  ['trailing:', 'trailing'],
  ['trailing', undefined],
];

test.each(WITH_COLONS)('D-10: Basic with the text %s is of the source %s', async (text, slug) => {
  const { post, store, config } = await startIngestion();
  for (const [name, key] of Object.entries({ pair: 'id:secret', id: 'id', trailing: 'trailing:' }))
    await config.create('sources', sourceNamed(`workspaces/main/sources/${name}`, key));
  const answer = await post('/v1/track', CALL, { authorization: `Basic ${base64(text)}` });
  expect(answer.status).toBe(slug === undefined ? 401 : 200);
  const sources = store.calls.flat().map(({ message }) => message.source);
  expect(sources).toEqual(slug === undefined ? [] : [`workspaces/main/sources/${slug}`]);
});

test('ING-1: a key in the query does', async () => {
  const { post, store } = await startIngestion();
  for (const path of ['/v1/track', '/v1/t']) {
    expect(await post(`${path}?writeKey=${WRITE_KEY}`, CALL, {})).toMatchObject({ status: 200 });
  }
  expect(await post(`/v1/batch?writeKey=${WRITE_KEY}`, { batch: [CALL] }, {})).toMatchObject({ status: 200 });
  expect(store.events).toHaveLength(3);
});

test('ING-1: a key that the calls of a batch carry does', async () => {
  const { post, store } = await startIngestion();
  const batch = [CALL, { ...CALL, writeKey: WRITE_KEY }, { ...CALL, writeKey: WRITE_KEY }, 'no call'];
  expect(await post('/v1/b', { batch }, {})).toMatchObject({ status: 200 });
  expect(store.events).toHaveLength(3);
});

test('ING-1: a batch of calls with different keys is refused', async () => {
  const { post, store } = await startIngestion();
  const batch = [
    { ...CALL, writeKey: WRITE_KEY },
    { ...CALL, writeKey: 'x'.repeat(32) },
  ];
  expect(await post('/v1/b', { batch }, {})).toMatchObject({ status: 400, body: { code: 3 } });
  expect(store.calls).toEqual([]);
  expect(await post('/v1/b', { batch, writeKey: WRITE_KEY }, {})).toMatchObject({ status: 200 });
});

const REFUSED: readonly Way[] = [
  ['no key at all', {}, {}],
  ['an unknown key in Basic', basic('x'.repeat(32)), {}],
  ['an unknown key in the body', {}, { writeKey: 'x'.repeat(32) }],
  ['an empty key', basic(''), { writeKey: '' }],
  ['Bearer alone', { authorization: `Bearer ${WRITE_KEY}` }, {}],
  ['Basic that is no base64', { authorization: 'Basic %%%' }, {}],
  ['the name of a property of objects', basic('__proto__'), { writeKey: 'constructor' }],
];

test.each(REFUSED)('ING-1, D-41: %s is answered 401 and stores nothing', async (_way, headers, inBody) => {
  const { post, store } = await startIngestion();
  for (const answer of [
    await post('/v1/batch', { ...inBody, batch: [CALL] }, headers),
    await post('/v1/track', { ...inBody, ...CALL }, headers),
  ]) {
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ code: 16, error: expect.stringContaining('write key') });
  }
  expect(store.calls).toEqual([]);
});

test('D-41: the answer and the log never show the key', async () => {
  const { post, log } = await startIngestion();
  const answer = await post('/v1/batch', { batch: [CALL] }, basic('a-mistyped-key'));
  expect(JSON.stringify([answer, log.lines])).not.toContain('a-mistyped-key');
});

test('ING-1: addresses outside of /v1/ are passed on', async () => {
  const { post } = await startIngestion();
  for (const path of ['/v1beta/workspaces', '/v1', '/v10/batch', '/healthz']) {
    expect(await post(path, {})).toMatchObject({ status: 200, body: { passed: 'on' } });
  }
});

test('ING-1: an unknown address below /v1/ is a JSON 404', async () => {
  const { post, url } = await startIngestion();
  const failure = { error: expect.any(String), code: 5, message: expect.any(String) };
  expect(await post('/v1/nothing', { batch: [CALL] })).toMatchObject({ status: 404, body: failure });
  const wrongMethod = await fetch(`${url}/v1/batch`);
  expect([wrongMethod.status, await wrongMethod.json()]).toMatchObject([404, failure]);
});

test('CFG-20: while the router stops, events are refused with a 503, which pages can read, and the connection ends', async () => {
  const stopping = { aborted: false };
  const { url, store } = await startIngestion(undefined, undefined, undefined, undefined, stopping);
  const send = (): Promise<Response> =>
    fetch(`${url}/v1/track`, {
      method: 'POST',
      headers: { ...basic(WRITE_KEY), origin: 'https://shop.example' },
      body: JSON.stringify(CALL),
    });
  expect((await send()).status).toBe(200);
  stopping.aborted = true;
  const refused = await send();
  expect(refused.status).toBe(503);
  expect(refused.headers.get('connection')).toBe('close');
  expect(refused.headers.get('access-control-allow-origin')).toBe('https://shop.example');
  expect(await refused.json()).toMatchObject({ error: 'the router is stopping; try again', code: 14 });
  expect(store.events).toHaveLength(1);
});

test('ING-1: an address is served as well when a proxy names it whole', async () => {
  const { url, store } = await startIngestion();
  const { hostname, port } = new URL(url);
  const headers = { ...basic(WRITE_KEY), 'content-type': 'application/json' };
  const sending = request({ hostname, port, method: 'POST', path: `${url}/v1/track?x=1#y`, headers });
  sending.end(JSON.stringify(CALL));
  const [answer]: IncomingMessage[] = await once(sending, 'response');
  answer?.resume();
  expect(answer?.statusCode).toBe(200);
  expect(store.events).toHaveLength(1);
});

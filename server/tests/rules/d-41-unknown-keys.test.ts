import { expect, test } from 'vitest';
import { createUnknownKeys, KEPT_KEYS, type UnknownKeys } from '../../losses/unknown-keys.ts';
import { startConfigApi } from '../support/config-api.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { basic, NOW, startIngestion, WRITE_KEY } from '../support/ingestion-server.ts';

const CALL = { type: 'track', userId: 'u1', event: 'Signed Up' };
const STALE = 'stale-key-of-an-old-fleet';

/** A router that accepts unknown keys, and what it counted. */
async function startAccepting() {
  const unknownKeys = createUnknownKeys({ clock: { now: () => NOW }, log: new RecordingLog() });
  return { ...(await startIngestion(undefined, undefined, unknownKeys)), unknownKeys };
}

function countsOf(unknownKeys: UnknownKeys): [prefix: string, events: number][] {
  return unknownKeys.list().map(({ prefix, events }) => [prefix, events]);
}

test.each<[where: string, path: string, body: object, headers: Record<string, string>, events: number]>([
  ['the header', '/v1/batch', { batch: [CALL, CALL] }, basic(STALE), 2],
  ['the body', '/v1/batch', { batch: [CALL], writeKey: STALE }, {}, 1],
  ['the calls', '/v1/b', { batch: [{ ...CALL, writeKey: STALE }] }, {}, 1],
  ['the query', `/v1/track?writeKey=${STALE}`, CALL, {}, 1],
  ['a single call', '/v1/t', { ...CALL, writeKey: STALE }, {}, 1],
])(
  'D-41: with accept, an unknown key in %s is answered 200 and counted',
  async (_where, path, body, headers, events) => {
    const { post, store, unknownKeys } = await startAccepting();
    expect(await post(path, body, headers)).toMatchObject({ status: 200, body: { success: true } });
    expect(store.calls).toEqual([]);
    expect(countsOf(unknownKeys)).toEqual([['stal', events]]);
    expect(unknownKeys.total()).toBe(events);
  },
);

test('D-41: with accept, a pixel with an unknown key is counted', async () => {
  const { url, unknownKeys } = await startAccepting();
  expect(await fetch(`${url}/v1/pixel/track?userId=u1&event=Opened&writeKey=${STALE}`)).toMatchObject({ status: 200 });
  expect(countsOf(unknownKeys)).toEqual([['stal', 1]]);
});

test('D-41: with accept, known keys work, and everything else is refused as before', async () => {
  const { post, url, store, unknownKeys } = await startAccepting();
  expect(await post('/v1/batch', { batch: [CALL] }, basic(WRITE_KEY))).toMatchObject({ status: 200 });
  expect(store.events).toHaveLength(1);
  expect(await post('/v1/batch', { batch: [CALL] }, {})).toMatchObject({ status: 401 });
  expect(await post('/v1/batch', '{"batch":', basic(STALE))).toMatchObject({ status: 400 });
  expect(await post('/v1/batch', { batch: ['x'.repeat(600_000)] }, basic(STALE))).toMatchObject({ status: 413 });
  expect((await fetch(`${url}/v1/projects/${STALE}/settings`)).status).toBe(401);
  expect(unknownKeys.total()).toBe(0);
});

test('D-41: by default an unknown key is refused', async () => {
  const { post } = await startIngestion();
  expect(await post('/v1/batch', { batch: [CALL] }, basic(STALE))).toMatchObject({ status: 401 });
});

test('unknown keys are kept by their beginning, bounded, the last seen first', () => {
  let now = 0;
  const log = new RecordingLog();
  const unknownKeys = createUnknownKeys({ clock: { now: () => ++now }, log });
  for (const key of ['abcdefgh1', 'x', 'ab', 'abcdefgh2', 'é'.repeat(20)]) unknownKeys.add(key, 2);
  expect(unknownKeys.list()).toEqual([
    { prefix: '????', events: 2, firstAt: 5, lastAt: 5 },
    { prefix: 'abcd', events: 4, firstAt: 1, lastAt: 4 },
    { prefix: 'a', events: 2, firstAt: 3, lastAt: 3 },
    { prefix: '', events: 2, firstAt: 2, lastAt: 2 },
  ]);
  expect(log.lines).toHaveLength(4);
  for (let number = 0; number < 3 * KEPT_KEYS; number += 1)
    unknownKeys.add(`${String(number).padStart(4, '0')}-key`, 1);
  expect(unknownKeys.list()).toHaveLength(KEPT_KEYS);
  expect(unknownKeys.list()[0]).toMatchObject({ prefix: '2999' });
  expect(unknownKeys.total()).toBe(10 + 3 * KEPT_KEYS);
});

test('D-41: the list of unknown keys is for tokens that see all workspaces, and shows no whole key', async () => {
  const api = await startConfigApi();
  api.unknownKeys.add(STALE, 3);
  const answer = await api.ok('GET', '/unknown-keys');
  expect(answer).toMatchObject({ event_count: 3, unknown_keys: [{ prefix: 'stal', event_count: 3 }] });
  expect(answer).toMatchObject({ since: expect.stringMatching(/Z$/) });
  const access_token = { description: 'bound', scopes: 'workspace:read', workspace_names: ['workspaces/main'] };
  const { token } = await api.ok('POST', '/access-tokens', { access_token });
  expect(await api.call('GET', '/unknown-keys', undefined, { token: String(token) })).toMatchObject({ status: 403 });
});

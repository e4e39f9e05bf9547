import { HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createConfigClient } from '../../../client/config/config-client.ts';
import { configApiHandlers } from '../../msw/index.ts';
import { serve } from '../support/served.ts';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const MAIN = 'workspaces/main';
const WEB = `${MAIN}/sources/web`;
const WEBHOOKS = `${WEB}/destinations/webhooks`;

function started(options: Parameters<typeof configApiHandlers>[0] = {}) {
  const api = configApiHandlers(options);
  server.use(...api.handlers);
  return { api, client: createConfigClient({ baseUrl: api.baseUrl, token: api.token, retry: { maxRetries: 0 } }) };
}

test('the config client manages all five resources against the handlers', async () => {
  const { api, client } = started();
  await client.workspaces.create({ name: 'workspaces/shop', display_name: 'Shop' });
  const source = await client.sources.create({ name: WEB });
  expect(source).toMatchObject({ name: WEB, display_name: 'web', parent: MAIN });
  expect(source.write_keys).toHaveLength(1);
  const hooks = { name: 'hooks', value: [{ hook: 'https://customer.example/hook' }] };
  await client.destinations.create({ name: WEBHOOKS, enabled: true, config: [hooks] });
  await client.destinations.update(WEBHOOKS, { enabled: false });
  const plan = await client.trackingPlans.create(MAIN, { display_name: 'Plan', rules: {} });
  const token = await client.accessTokens.create({ description: 'for CI', scopes: 'workspace:read' });
  expect(token.token).toMatch(/^[\w-]{43}\.[\w-]{43}$/);

  expect(api.get(WEBHOOKS)).toMatchObject({ enabled: false, display_name: 'Webhooks' });
  expect(api.list(`${MAIN}/tracking-plans`)).toMatchObject([{ name: plan.name }]);
  await client.sources.delete(WEB);
  expect(api.get(WEBHOOKS)).toBeUndefined();
  expect(api.calls.map(({ operation }) => operation)).toEqual([
    'createWorkspace',
    'createSource',
    'createDestination',
    'updateDestination',
    'createTrackingPlan',
    'createAccessToken',
    'deleteSource',
  ]);
});

test('CFG-5: the client pages through what was seeded', async () => {
  const { api, client } = started();
  for (let number = 1; number <= 25; number += 1) api.add('workspaces', { name: `workspaces/w${number}` });
  const names: string[] = [];
  for await (const { name } of client.workspaces.list()) names.push(name);
  expect(names).toEqual([MAIN, ...Array.from({ length: 25 }, (_, index) => `workspaces/w${index + 1}`)]);
  expect(api.calls).toHaveLength(3);
});

test.each([
  [
    'a name that is taken',
    async (client: Client) => client.sources.create({ name: WEB }),
    409,
    'source already exists',
  ],
  ['what is not there', async (client: Client) => client.sources.get(`${MAIN}/sources/no`), 404, 'does not exist'],
  ['a bad name', async (client: Client) => client.sources.create({ name: `${MAIN}/sources/-` }), 400, 'source.name'],
] as const)('the client meets %s as an error of the contract', async (_what, call, status, words) => {
  const { api, client } = started();
  api.add(`${MAIN}/sources`, { name: WEB });
  await expect(call(client)).rejects.toMatchObject({ status, message: expect.stringContaining(words) });
});

type Client = ReturnType<typeof createConfigClient>;

test('a seed that the API would refuse is refused in its words', () => {
  const { api } = started();
  api.add(`${MAIN}/sources`, { name: WEB });
  expect(() => api.add(`${MAIN}/sources`, { name: WEB })).toThrow(`source already exists: ${WEB}`);
  expect(() => api.add(`${MAIN}/nonsense`, { name: WEB })).toThrow('names none of the five resources');
});

test('what the model leaves out answers 501, and says how to answer it', async () => {
  const { api } = started();
  const url = `${api.baseUrl}/v1beta/catalog/sources`;
  const authorization = `Bearer ${api.token}`;
  const answer = await fetch(url, { headers: { authorization } });
  expect([answer.status, await answer.json()]).toEqual([
    501,
    { error: 'this method is not implemented: give the testbed an answer for listCatalogSources', code: 12 },
  ]);
  expect((await fetch(url)).status).toBe(401);
});

test('answers of one’s own come before the model, typed from the contract', async () => {
  const { client, api } = started({
    answers: {
      listCatalogSources: { body: { sources: [], next_page_token: '' } },
      listSources: () => HttpResponse.json({ error: 'overloaded', code: 14 }, { status: 503 }),
      // @ts-expect-error a body that the contract does not have
      getSource: { body: { color: 'red' } },
    },
  });
  await expect(Array.fromAsync(client.sources.list(MAIN))).rejects.toMatchObject({ status: 503 });
  const answer = await fetch(`${api.baseUrl}/v1beta/catalog/sources`);
  expect(await answer.json()).toEqual({ sources: [], next_page_token: '' });
});

test('the same seed gives the same ids, and what is not of the API is left alone', async () => {
  const made = [1, 1, 2].map((seed) => configApiHandlers({ seed }).add(`${MAIN}/sources`, { name: WEB })['write_keys']);
  expect(made[0]).toEqual(made[1]);
  expect(made[0]).not.toEqual(made[2]);
  await using ingestion = await serve((_request, response) => response.end('left alone'));
  const { api } = started({ baseUrl: ingestion.url });
  expect(await (await fetch(`${api.baseUrl}/v1/batch`, { method: 'POST' })).text()).toBe('left alone');
  expect(api.calls).toEqual([]);
});

test('HOOK-23: a secret is rotated, cancelled, finished and ended by the clock as the router does it', async () => {
  let now = Date.UTC(2026, 10, 20);
  const { api, client } = started({ clock: { now: () => now } });
  api.add(`${MAIN}/sources`, { name: WEB });
  const config = [
    { name: 'hooks', value: [{ hook: 'https://customer.example/hook' }] },
    { name: 'sharedSecret', value: 'old' },
    { name: 'signature', value: 'standard-webhooks' },
  ];
  api.add(`${WEB}/destinations`, { name: WEBHOOKS, enabled: true, config });
  const { secret, destination } = await client.destinations.rotateSecret(WEBHOOKS, { algorithm: 'ed25519' });
  expect(secret).toMatch(/^whsk_/);
  expect(destination).toMatchObject({
    rotation: { start_time: '2026-11-20T00:00:00.000Z', end_time: '2026-11-21T00:00:00.000Z' },
    public_keys: [expect.stringMatching(/^whpk_/)],
  });
  expect(JSON.stringify(destination)).not.toContain('"old"');
  const another = client.destinations.rotateSecret(WEBHOOKS, { secret: 'third' });
  await expect(another).rejects.toMatchObject({ kind: 'InvalidArgument' });
  const patched = client.destinations.update(WEBHOOKS, { config: [{ name: 'sharedSecret', value: 'third' }] });
  await expect(patched).rejects.toMatchObject({ kind: 'InvalidArgument' });
  const back = await client.destinations.cancelRotation(WEBHOOKS);
  expect(JSON.stringify(back)).toContain('"old"');
  expect(back).not.toHaveProperty('public_keys');

  await client.destinations.rotateSecret(WEBHOOKS, { secret: 'new', overlap_seconds: 60 });
  expect(await client.destinations.finishRotation(WEBHOOKS)).not.toHaveProperty('rotation');
  await client.destinations.rotateSecret(WEBHOOKS, { secret: 'newer', overlap_seconds: 60 });
  now += 60_000;
  expect(api.get(WEBHOOKS)).not.toHaveProperty('rotation');
  expect(JSON.stringify(await client.destinations.cancelRotation(WEBHOOKS))).toContain('"newer"');
});

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
const BOUGHT = 'event = "Order Completed"';

function started(options: Parameters<typeof configApiHandlers>[0] = {}) {
  const api = configApiHandlers(options);
  server.use(...api.handlers);
  return { api, client: createConfigClient({ baseUrl: api.baseUrl, token: api.token, retry: { maxRetries: 0 } }) };
}

test('the config client manages resources against the handlers', async () => {
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

  expect(await api.get(WEBHOOKS)).toMatchObject({ enabled: false, display_name: 'Webhooks' });
  expect(await api.list(`${MAIN}/tracking-plans`)).toMatchObject([{ name: plan.name }]);
  await client.sources.delete(WEB);
  expect(await api.get(WEBHOOKS)).toBeUndefined();
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
  for (let number = 1; number <= 25; number += 1) await api.add('workspaces', { name: `workspaces/w${number}` });
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
  await api.add(`${MAIN}/sources`, { name: WEB });
  await expect(call(client)).rejects.toMatchObject({ status, message: expect.stringContaining(words) });
});

type Client = ReturnType<typeof createConfigClient>;

test('a seed that the API would refuse is refused in its words', async () => {
  const { api } = started();
  await api.add(`${MAIN}/sources`, { name: WEB });
  await expect(api.add(`${MAIN}/sources`, { name: WEB })).rejects.toThrow(`source already exists: ${WEB}`);
  await expect(api.add(`${MAIN}/nonsense`, { name: WEB })).rejects.toThrow('is not a method of this API');
});

test('an audience is previewed, synced and explained from the users that a test gives', async () => {
  const { api, client } = started({ clock: { now: () => Date.UTC(2026, 10, 20, 12) } });
  await api.add(`${MAIN}/sources`, { name: WEB });
  const hooks = { name: 'hooks', value: [{ hook: 'https://customer.example/hook' }] };
  await api.add(`${WEB}/destinations`, { name: WEBHOOKS, enabled: true, config: [hooks] });
  await api.addUser(MAIN, 'u1', { plan: 'pro' });
  await api.addUser(MAIN, 'u2', { plan: 'free' });

  const definition = {
    any: [{ trait: 'plan', is: { eq: 'pro' } }, { events: { where: BOUGHT, count: { gte: 2 } } }],
  };
  const { name } = await client.audiences.create(MAIN, {
    display_name: 'Buyers',
    definition,
    destinations: [WEBHOOKS],
  });
  for (const user of ['u2', 'u2', 'u3']) await api.send(WEB, { type: 'track', userId: user, event: 'Order Completed' });

  await client.audiences.sync(name);
  await api.work();
  const members = await Array.fromAsync(client.audiences.members(name));
  expect(members.map(({ user_id }) => user_id)).toEqual(['u1', 'u2']);
  expect(await client.audiences.preview(MAIN, definition)).toMatchObject({
    size: 2,
    evaluated: 3,
    sample: ['u1', 'u2'],
  });
  expect(await client.audiences.explain(name, 'u3')).toMatchObject({ is_member: false });
  expect(await client.profiles.get(MAIN, 'u2')).toMatchObject({ traits: { plan: 'free' }, audiences: [{ name }] });
  const told = await Array.fromAsync(client.deliveries.list(WEBHOOKS, { type: 'identify' }));
  expect(told.map(({ user_id }) => user_id).toSorted()).toEqual(['u1', 'u2']);

  const orders = { counter: { where: BOUGHT } };
  const trait = await client.computedTraits.create(MAIN, { display_name: 'Orders', definition: orders });
  await client.computedTraits.sync(trait.name);
  await api.work();
  const values = await Array.fromAsync(client.computedTraits.values(trait.name));
  expect(values).toEqual([
    { user_id: 'u2', value: 2, since_sync: 1 },
    { user_id: 'u3', value: 1, since_sync: 1 },
  ]);

  await client.profiles.delete(MAIN, 'u2');
  await expect(client.profiles.get(MAIN, 'u2')).rejects.toMatchObject({ status: 404 });
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

async function keysOf(seed: number): Promise<unknown> {
  return (await configApiHandlers({ seed }).add(`${MAIN}/sources`, { name: WEB }))['write_keys'];
}

test('the same seed gives the same ids, and what is not of the API is left alone', async () => {
  const made = await Promise.all([1, 1, 2].map(keysOf));
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
  await api.add(`${MAIN}/sources`, { name: WEB });
  const config = [
    { name: 'hooks', value: [{ hook: 'https://customer.example/hook' }] },
    { name: 'sharedSecret', value: 'old' },
    { name: 'signature', value: 'standard-webhooks' },
  ];
  await api.add(`${WEB}/destinations`, { name: WEBHOOKS, enabled: true, config });
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
  expect(await api.get(WEBHOOKS)).not.toHaveProperty('rotation');
  expect(JSON.stringify(await client.destinations.cancelRotation(WEBHOOKS))).toContain('"newer"');
});

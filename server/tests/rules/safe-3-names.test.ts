import { expect, test } from 'vitest';
import { createAddressGuard } from '../../delivery/address-guard.ts';
import { bytesOf, requestTo, webhookBody } from '../../delivery/webhook-request.ts';
import { createUndiciTransport } from '../../delivery/undici-transport.ts';
import { isWanted } from '../../events/route.ts';
import { type ConfigApiServer, startConfigApi, withSource } from '../support/config-api.ts';
import { hooks, startDeliveryWorld } from '../support/delivery-world.ts';
import { eventOf } from '../support/engine.ts';
import { startRawReceiver } from '../support/raw-receiver.ts';

/** Names that every object has, and one that is no field but its prototype. */
const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'] as const;

const EVIL = `{${NAMES.map((name) => `"${name}":{"polluted":"${name}"}`).join(',')}}`;

function expectClean(): void {
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(Reflect.get([], 'polluted')).toBeUndefined();
}

/** JSON as text: an object literal would take `__proto__` for the prototype. */
async function sent(api: ConfigApiServer, method: string, path: string, json: string): Promise<string> {
  const { status, body } = await api.call(method, path, json);
  expect(status, JSON.stringify(body)).toBe(200);
  expectClean();
  return JSON.stringify(body);
}

test('CFG-3: names of collections name resources like any other', async () => {
  const api = await startConfigApi();
  for (const slug of ['destinations', 'filters']) {
    const source = `workspaces/${slug}/sources/${slug}`;
    const destination = `${source}/destinations/${slug}`;
    await api.ok('POST', '/workspaces', { workspace: { name: `workspaces/${slug}` } });
    await api.ok('POST', `/workspaces/${slug}/sources`, { source: { name: source } });
    await api.ok('POST', `/${source}/destinations`, { destination: { name: destination } });
    for (const name of [source, destination])
      await api.ok('POST', '/access-tokens', {
        access_token: { description: 'x', scopes: 'workspace', resource_names: [name] },
      });
    const filter = { if: 'event = "Test"', actions: [{ type: 'drop_event' }] };
    const { name } = await api.ok('POST', `/${destination}/filters`, { filter: { ...filter, title: 'x' } });
    expect(name).toMatch(new RegExp(`^${destination}/config/[a-f0-9]{24}/filters/df_[A-Za-z0-9]+$`));
    expect(await api.ok('GET', `/${String(name)}`)).toMatchObject({ name });
  }
});

test('SAFE-3: settings, labels and rules keep any name as plain data', async () => {
  const api = await startConfigApi();
  const parent = await withSource(api);
  for (const name of NAMES) {
    const config = `[{"name":"${name}","value":${EVIL}},{"name":"map","type":"map","value":${EVIL}}]`;
    const destination = `{"destination":{"name":"${parent}/destinations/d-${name.replaceAll('_', '')}","config":${config}}}`;
    const made = await sent(api, 'POST', `/${parent}/destinations`, destination);
    expect(made).toContain(`/config/${name}","display_name":"${name}","type":"map","value":${EVIL}`);
  }
  const labels = `{${NAMES.map((name) => `"${name}":"x"`).join(',')}}`;
  const change = `{"source":{"labels":${labels}},"update_mask":{"paths":["source.labels"]}}`;
  expect(await sent(api, 'PATCH', `/${parent}`, change)).toContain(`"labels":${labels}`);
  const plan = `{"tracking_plan":{"display_name":"x","rules":{"events":[],"global":{"properties":${EVIL}}}}}`;
  await sent(api, 'POST', '/workspaces/main/tracking-plans', plan);
});

test('SAFE-3: slugs that objects have by themselves name resources like any other', async () => {
  const api = await startConfigApi();
  for (const slug of ['constructor', 'toString']) {
    await api.ok('POST', '/workspaces', { workspace: { name: `workspaces/${slug}` } });
    const parent = `workspaces/${slug}/sources/${slug}`;
    await api.ok('POST', `/workspaces/${slug}/sources`, {
      source: { name: parent, catalog_name: `catalog/sources/${slug}` },
    });
    const name = `${parent}/destinations/${slug}`;
    await api.ok('POST', `/${parent}/destinations`, { destination: { name, enabled: true } });
    expect(await api.ok('GET', `/${name}`)).toMatchObject({ name, display_name: slug, config: [] });
  }
  expect((await api.call('POST', '/workspaces', { workspace: { name: 'workspaces/__proto__' } })).status).toBe(400);
  for (const path of ['/workspaces/__proto__', '/catalog/sources/constructor', '/catalog/destinations/toString'])
    expect((await api.call('GET', path)).status, path).toBe(404);
});

test('SAFE-3: filters leave out and keep fields of any name', async () => {
  const bodies: string[] = [];
  const world = await startDeliveryWorld(({ request }) => {
    bodies.push(Buffer.from(request.body).toString('utf8'));
    return { result: { kind: 'answered', status: 200, excerpt: '' } };
  }, hooks());
  const fields = { properties: { fields: ['__proto__.polluted', 'constructor'] } };
  const filter = {
    if: 'properties.constructor != null',
    actions: [{ type: 'whitelist_fields', fields }],
    enabled: true,
  };
  await world.post('/filters', { filter });
  await world.send({ properties: JSON.parse(EVIL) });
  await world.until('delivered');
  const [body] = bodies;
  const kept = '{"__proto__":{"polluted":"__proto__"},"constructor":{"polluted":"constructor"}}';
  expect(body).toContain(`"properties":${kept}`);
  expectClean();
});

test('SAFE-3: what an event says of destinations that are called as fields of objects are', () => {
  const integrations = JSON.parse('{"__proto__":{"Webhooks":false,"all":false},"constructor":false}');
  expect(isWanted(['Webhooks'], integrations)).toBe(true);
});

test('SAFE-3: headers that are called as fields of objects are sent', async () => {
  await using receiver = await startRawReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
  const transport = createUndiciTransport(createAddressGuard(['127.0.0.0/8']), 5_000);
  const headers = { constructor: 'a', toString: 'b', hasOwnProperty: 'c' };
  const target = { sharedSecret: '', webhooks: [{ url: receiver.url, headers }] };
  const body = bytesOf(webhookBody(eventOf(Date.now())));
  const request = requestTo({ url: receiver.url, headers }, target, { messageId: 'm1', at: 0, body }, 5_000);
  const answer = await transport.post({ ...request, workspace: 'workspaces/main' }, new AbortController().signal);
  await transport.close();
  expect(answer).toMatchObject({ kind: 'answered', status: 200 });
  for (const [key, value] of Object.entries(headers)) expect(receiver.received).toContain(`${key}: ${value}\r\n`);
});

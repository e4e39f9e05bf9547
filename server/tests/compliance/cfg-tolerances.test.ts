import { expect, test } from 'vitest';
import { type ConfigApiServer, startConfigApi, TOKEN, withSource } from '../support/config-api.ts';

const AUTH = { authorization: `Bearer ${TOKEN}` };
const JS = 'workspaces/main/sources/js';

async function status(api: ConfigApiServer, method: string, path: string, init: RequestInit = {}): Promise<number> {
  const response = await fetch(api.url + path, { method, headers: AUTH, ...init });
  await response.json();
  return response.status;
}

test.each([
  `/v1beta/${JS}/`,
  `/v1beta//workspaces/main//sources/js`,
  `//v1beta/${JS}`,
  `/v1beta/${JS}///`,
  `/v1beta/${JS}?&`,
  `/v1beta/${JS}/?&a=b`,
  `/v1beta/workspaces/main/sources/%6as`,
])('D-6: the address %s is served', async (path) => {
  const api = await startConfigApi();
  await withSource(api);
  expect(await status(api, 'GET', path)).toBe(200);
});

test.each(['application/x-www-form-urlencoded', 'text/plain', 'application/xml', ''])(
  'D-6: a body of type %j is read as JSON',
  async (type) => {
    const api = await startConfigApi();
    const body = new TextEncoder().encode(JSON.stringify({ source: { name: JS } }));
    const headers = { ...AUTH, ...(type === '' ? {} : { 'content-type': type }) };
    expect(await status(api, 'POST', '/v1beta/workspaces/main/sources', { body, headers })).toBe(200);
  },
);

test('D-6: a DELETE may carry a body, or the promise of one', async () => {
  const api = await startConfigApi();
  for (const init of [
    { body: '{}' },
    { headers: { ...AUTH, 'content-type': 'application/json' } },
    { body: '{not json' },
  ]) {
    await withSource(api);
    expect(await status(api, 'DELETE', `/v1beta/${JS}`, { headers: AUTH, ...init })).toBe(200);
  }
});

test('D-6: unknown and output-only fields are ignored', async () => {
  const api = await startConfigApi();
  const source = {
    name: JS,
    parent: 'nonsense',
    id: 5,
    create_time: '0001-01-01T00:00:00Z',
    update_time: '0001-01-01T00:00:00Z',
    library_config: { unknown: 1 },
    unknown: { deeply: [null] },
  };
  const created = await api.ok('POST', '/workspaces/main/sources', { source, update_mask: { paths: ['if'] } });
  expect(created).toMatchObject({ parent: 'workspaces/main', create_time: '2026-11-20T12:00:00.123Z' });
  expect(JSON.stringify(created)).not.toContain('unknown');
  const named = { source, update_mask: { paths: ['source.labels'] } };
  expect(await api.ok('PATCH', `/${JS}`, named)).toEqual(created);
});

test('a key named __proto__ is data like any other', async () => {
  const api = await startConfigApi();
  const plan = await fetch(`${api.url}/v1beta/workspaces/main/tracking-plans`, {
    method: 'POST',
    headers: AUTH,
    body: '{"tracking_plan":{"display_name":"x","rules":{"__proto__":{"a":1},"events":[]}}}',
  });
  expect(await plan.text()).toContain('"rules":{"__proto__":{"a":1},"events":[]}');
});

function hooks(destination: object): unknown {
  return Object(destination).config.find((entry: { name: string }) => entry.name.endsWith('/hooks')).value;
}

test('D-6: fields that a webhook does not have are neither stored nor answered', async () => {
  const api = await startConfigApi();
  const parent = await withSource(api);
  const name = `${parent}/destinations/webhooks`;
  const url = 'https://a.test/';
  const sent = [
    { id: 7, hook: url, headers: [{ key: 'X-Team', value: 'web', note: 'n' }], timeout: 5 },
    { headers: { note: 'kept: any name is a header' }, hook: url },
    { hook: url, headers: null },
  ];
  const kept = [{ hook: url, headers: [{ key: 'X-Team', value: 'web' }] }, sent[1], sent[2]];
  const destination = { name, config: [{ name: 'hooks', value: sent }] };
  expect(hooks(await api.ok('POST', `/${parent}/destinations`, { destination }))).toEqual(kept);
  expect(hooks((await api.store.get('destinations', name)) ?? {})).toEqual(kept);
  const update = { destination: { config: destination.config }, update_mask: { paths: ['destination.config'] } };
  expect(hooks(await api.ok('PATCH', `/${name}`, update))).toEqual(kept);
});

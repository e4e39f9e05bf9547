import { expect, test } from 'vitest';
import { type ConfigApiServer, startConfigApi, withSource, withWebhooks } from '../support/config-api.ts';

const JS = 'workspaces/main/sources/js';
const WEBHOOKS = `${JS}/destinations/webhooks`;
const UNKNOWN = `${JS}/destinations/acme-crm`;

type Entry = { readonly name: string; readonly type: string; readonly value: unknown };

async function create(api: ConfigApiServer, config: unknown): Promise<Record<string, unknown>> {
  await withSource(api);
  return api.ok('POST', `/${JS}/destinations`, { destination: { name: UNKNOWN, config } });
}

function brief({ config }: Record<string, unknown>): unknown[] {
  return Array.isArray(config)
    ? config.map(({ name, type, value }: Entry) => [name.split('/config/')[1], type, value])
    : [];
}

test('D-11: a webhooks destination shows all three settings', async () => {
  const api = await startConfigApi();
  await withWebhooks(api);
  expect(await api.ok('GET', `/${WEBHOOKS}`)).toEqual({
    name: WEBHOOKS,
    parent: JS,
    deliverable: true,
    display_name: 'Webhooks',
    enabled: false,
    connection_mode: 'UNSPECIFIED',
    config: [
      { name: `${WEBHOOKS}/config/sharedSecret`, display_name: 'Shared Secret', type: 'string', value: '' },
      { name: `${WEBHOOKS}/config/globalHook`, display_name: 'Webhook URL', type: 'string', value: '' },
      { name: `${WEBHOOKS}/config/hooks`, display_name: 'Webhooks (max 5)', type: 'mixed', value: [] },
    ],
    create_time: '2026-11-20T12:00:00.123Z',
    update_time: '2026-11-20T12:00:00.123Z',
  });
});

test('D-11: entries merge by bare or full name', async () => {
  const api = await startConfigApi();
  const value = [{ hook: 'https://example.com' }];
  await withWebhooks(api, { config: [{ name: `${WEBHOOKS}/config/hooks`, type: 'mixed', value }] });
  const change = {
    destination: { config: [{ name: 'sharedSecret', value: 's' }] },
    update_mask: { paths: ['config'] },
  };
  expect(brief(await api.ok('PATCH', `/${WEBHOOKS}`, change))).toEqual([
    ['sharedSecret', 'string', 's'],
    ['globalHook', 'string', ''],
    ['hooks', 'mixed', value],
  ]);
});

test.each([
  ['nothing', {}],
  ['an empty list', { config: [] }],
])('D-11: config listed with %s is reset', async (_what, body) => {
  const api = await startConfigApi();
  await withWebhooks(api, {
    config: [
      { name: 'sharedSecret', value: 's' },
      { name: 'globalHook', value: 'https://example.com' },
    ],
  });
  const reset = await api.ok('PATCH', `/${WEBHOOKS}`, {
    destination: body,
    update_mask: { paths: ['destination.config'] },
  });
  expect(brief(reset)).toEqual([
    ['sharedSecret', 'string', ''],
    ['globalHook', 'string', ''],
    ['hooks', 'mixed', []],
  ]);
});

test('CFG-9: an empty config that is not listed wipes nothing', async () => {
  const api = await startConfigApi();
  await withWebhooks(api, { config: [{ name: 'sharedSecret', value: 's' }] });
  const change = {
    destination: { config: [], display_name: 'new' },
    update_mask: { paths: ['destination.display_name'] },
  };
  expect(brief(await api.ok('PATCH', `/${WEBHOOKS}`, change))).toContainEqual(['sharedSecret', 'string', 's']);
});

test('D-11: other slugs keep what was sent, with types inferred', async () => {
  const api = await startConfigApi();
  const created = await create(api, [
    { name: 'text', value: 'a' },
    { name: 'on', value: false },
    { name: 'rate', value: 0.5 },
    { name: 'names', value: ['a', 'b'] },
    { name: 'rows', value: [{ a: 1 }] },
    { name: 'pairs', value: { a: 'b' } },
    { name: 'chosen', type: 'select', value: 'x' },
    { name: 'typed', type: 'boolean', value: 'true' },
    { name: 'empty', type: 'map' },
    { name: 'bare' },
  ]);
  expect(brief(created)).toEqual([
    ['text', 'string', 'a'],
    ['on', 'boolean', false],
    ['rate', 'number', 0.5],
    ['names', 'list', ['a', 'b']],
    ['rows', 'mixed', [{ a: 1 }]],
    ['pairs', 'map', { a: 'b' }],
    ['chosen', 'select', 'x'],
    ['typed', 'boolean', 'true'],
    ['empty', 'map', {}],
    ['bare', 'string', ''],
  ]);
  expect(created).toMatchObject({ display_name: 'acme-crm' });
});

test.each([
  ['another destination', `${WEBHOOKS}/config/a`],
  ['half a path', 'config/a'],
  ['nothing', ''],
  ['a space', 'a b'],
])('CFG-14: a config name with %s is refused', async (_what, name) => {
  const api = await startConfigApi();
  await withSource(api);
  const body = { destination: { name: UNKNOWN, config: [{ name: 'ok' }, { name, value: 1 }] } };
  const answer = await api.call('POST', `/${JS}/destinations`, body);
  expect(answer).toMatchObject({ status: 400, body: { code: 3 } });
  expect(answer.body['error']).toContain(`destination.config[1].name must be ${UNKNOWN}/config/<key>`);
});

test.each([
  ['a config that is no list', { config: {} }, 'destination.config must be array'],
  ['an entry without a name', { config: [{ value: 1 }] }, "destination.config[0] must have required property 'name'"],
  ['an unknown type', { config: [{ name: 'a', type: 'text' }] }, 'destination.config[0].type must be one of string,'],
  [
    'one key twice',
    { config: [{ name: 'hooks' }, { name: `${WEBHOOKS}/config/hooks` }] },
    'destination.config[1].name: hooks is in the list twice',
  ],
  [
    'a misspelt setting',
    { config: [{ name: 'sharedSecert', value: 'x' }] },
    'destination.config[0].name "sharedSecert" is no setting of webhooks: did you mean sharedSecret?',
  ],
  ['a setting in another case', { config: [{ name: 'globalhook', value: '' }] }, 'did you mean globalHook?'],
  [
    'a setting that objects have by themselves',
    { config: [{ name: 'constructor', value: 'x' }] },
    '"constructor" is no setting of webhooks: it has hooks, globalHook, sharedSecret',
  ],
  [
    'a setting named __proto__',
    { config: [{ name: '__proto__', value: 'x' }] },
    '"__proto__" is no setting of webhooks',
  ],
  [
    'a secret that is no text',
    { config: [{ name: 'sharedSecret', value: 12345 }] },
    'destination.config[0].value must be a string',
  ],
  ['hooks that are no list', { config: [{ name: 'hooks', value: {} }] }, 'destination.config[0].value must be a list'],
  ['enabled as text', { enabled: 'on' }, 'destination.enabled must be boolean, got "on"'],
  [
    'an unknown mode',
    { connection_mode: 'PIGEON' },
    'destination.connection_mode must be one of UNSPECIFIED, CLOUD, DEVICE, got "PIGEON"',
  ],
])('CFG-14: a destination with %s is refused', async (_what, fields, text) => {
  const api = await startConfigApi();
  await withSource(api);
  const answer = await api.call('POST', `/${JS}/destinations`, { destination: { name: WEBHOOKS, ...fields } });
  expect(answer).toMatchObject({ status: 400, body: { code: 3, error: expect.stringContaining(text) } });
  expect(answer.body['error']).not.toContain('12345');
});

test.each([
  [150, 'destination.config[0].value is nested deeper than 100 levels'],
  [50_000, 'the body is nested deeper than 200 levels'],
])('CFG-14: a value that is nested %i times is refused', async (depth, error) => {
  const api = await startConfigApi();
  await withSource(api);
  const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const body = `{"destination":{"name":"${UNKNOWN}","config":[{"name":"a","value":${deep}}]}}`;
  expect(await api.call('POST', `/${JS}/destinations`, body)).toMatchObject({ status: 400, body: { error } });
});

import { expect, test } from 'vitest';
import { createRedaction } from '../../resources/redaction.ts';
import { loadDocument, operationsOf } from '../../http/document.ts';
import { type Answer, type ConfigApiServer, startConfigApi, withSource, withWebhooks } from '../support/config-api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery-world.ts';

/** One for each place in which a secret may stand; each is found in any text that it is part of. */
const CANARY = /c4nary/;
const WRITE_KEY = 'c4naryWriteKey';

const CONFIG = [
  {
    name: 'hooks',
    value: [
      {
        hook: 'https://a.test/c4naryPath?k=c4naryQuery',
        headers: [{ key: 'Authorization', value: 'Bearer c4naryHeader' }],
      },
      { hook: 'https://b.test/', headers: { 'X-Team': 'c4naryTeam' } },
    ],
  },
  { name: 'sharedSecret', value: 'c4narySharedSecret' },
  { name: 'globalHook', value: 'https://c.test/?c4naryGlobal' },
];

const OTHER = [
  { name: 'apiKey', value: 'c4naryApiKey' },
  { name: 'endpoint', value: 'https://other.test/c4nary' },
  { name: 'credentials', value: { user: 'u', password: ['c4nary'] } },
  { name: 'anything', type: 'password', value: 'c4nary' },
  { name: 'stream', value: 'orders' },
];

/** What stands in the paths of operations, in a world in which all of it exists. */
type Names = Readonly<Record<string, string>>;

function last(name: unknown): string {
  return String(name).split('/').at(-1) ?? '';
}

async function filledWorld(): Promise<{ world: DeliveryWorld; names: Names }> {
  const echo = { kind: 'answered', status: 400, excerpt: 'c4naryPath c4narySharedSecret Bearer c4naryHeader' } as const;
  const world = await startDeliveryWorld(() => ({ afterMs: 1, result: echo }), CONFIG);
  const { api } = world;
  const source = { name: 'workspaces/main/sources/ios', write_keys: [WRITE_KEY] };
  await api.ok('POST', '/workspaces/main/sources', { source });
  const other = { name: 'workspaces/main/sources/js/destinations/amazon-kinesis', config: OTHER };
  await api.ok('POST', '/workspaces/main/sources/js/destinations', { destination: other });
  await world.send({});
  await world.advance(10);
  await world.until('failed');
  const { name: replay } = await world.post('/replays', {});
  const tracking_plan = { display_name: 'shop' };
  const { name: plan } = await api.ok('POST', '/workspaces/main/tracking-plans', { tracking_plan });
  const filter = { if: 'all', actions: [{ type: 'drop_event' }], enabled: false };
  const made = await world.post('/filters', { filter });
  const regulation = { regulation_type: 'Suppress', attributes: { name: 'userId', values: ['u1'] } };
  const { regulate_id } = await api.ok('POST', '/workspaces/main/sources/js/regulations', regulation);
  const audience = { display_name: 'Pro', definition: { trait: 'plan', is: { eq: 'pro' } } };
  const { name: members } = await api.ok('POST', '/workspaces/main/audiences', { audience });
  const computed_trait = { display_name: 'Orders', definition: { counter: { where: 'all' } } };
  const { name: trait } = await api.ok('POST', '/workspaces/main/computed-traits', { computed_trait });
  const { name: token } = await api.ok('POST', '/access-tokens', {
    access_token: { description: 'x', scopes: 'workspace' },
  });
  return {
    world,
    names: {
      workspace: 'main',
      source_workspace: 'main',
      source: 'js',
      destination: 'webhooks',
      delivery: '1',
      replay: last(replay),
      metric: 'failures',
      tracking_plan: last(plan),
      filter: last(made['name']),
      config: String(made['name']).split('/').at(-3) ?? '',
      regulation: String(regulate_id),
      audience: last(members),
      computed_trait: last(trait),
      user: 'user-1',
      access_token: last(token),
    },
  };
}

function pathOf(template: string, names: Names): string {
  const slug = template.includes('catalog/sources') ? 'javascript' : 'webhooks';
  return template.replace('/v1beta', '').replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = { ...names, slug }[name];
    if (value === undefined)
      throw new Error(`this test has no ${name}: make one, so that ${template} is looked at too`);
    return value;
  });
}

async function readerOf(api: ConfigApiServer): Promise<string> {
  const access_token = { description: 'reads', scopes: 'workspace:read' };
  return String((await api.ok('POST', '/access-tokens', { access_token }))['token']);
}

/** Every operation that only reads, with the sources and destinations that hold secrets, asked with this token. */
async function readEverything(): Promise<Map<string, Answer>> {
  const { world, names } = await filledWorld();
  const reader = await readerOf(world.api);
  const answers = new Map<string, Answer>();
  for (const { id, method, template, scopes } of operationsOf(loadDocument('config-api'))) {
    // What never ends shows events alone, and no resource.
    if (method !== 'get' || scopes.includes('write') || template.endsWith(':stream')) continue;
    for (const source of ['js', 'ios']) {
      const isThere = source === 'js' || !/destinations|\{regulation\}/.test(template);
      const destinations = template.endsWith('{destination}') ? ['webhooks', 'amazon-kinesis'] : ['webhooks'];
      for (const destination of isThere ? destinations : []) {
        const path = pathOf(template, { ...names, source, destination });
        const answer = await world.api.call('GET', path, undefined, { token: reader });
        expect(answer.status, path).toBe(200);
        answers.set(`${id} ${path}`, answer);
      }
    }
  }
  return answers;
}

function namesOf(answers: ReadonlyMap<string, Answer>): string[] {
  return [...answers].filter(([, { body }]) => CANARY.test(JSON.stringify(body))).map(([name]) => name);
}

test('SAFE-3: no answer to a read-only token holds a secret, whatever it asks for', async () => {
  const answers = await readEverything();
  expect(answers.size).toBeGreaterThan(30);
  expect(namesOf(answers)).toEqual([]);
});

test('the secrets are there, for whoever may read them', async () => {
  const { world } = await filledWorld();
  const paths = [
    '/workspaces/main/sources/ios',
    `/${world.destination}`,
    `/${world.destination.replace('webhooks', 'amazon-kinesis')}`,
  ];
  for (const path of paths) expect(JSON.stringify(await world.api.ok('GET', path)), path).toMatch(CANARY);
});

test('a secret that nothing marks is found', () => {
  const redacted = createRedaction({ paths: {}, components: {} });
  const operation = { answerSchema: { type: 'object', properties: { write_keys: { type: 'array' } } } };
  const shown = redacted({ write_keys: [WRITE_KEY] }, operation);
  expect(JSON.stringify(shown)).toMatch(CANARY);
});

test('D-15: a read-only token sees what is no secret, and that there is one', async () => {
  const answers = await readEverything();
  const destination = answers.get('getDestination /workspaces/main/sources/js/destinations/webhooks')?.body;
  const config = new Map(
    Object(destination)['config'].map(({ name, value }: { name: string; value: unknown }) => [
      name.split('/').at(-1),
      value,
    ]),
  );
  expect(Object.fromEntries(config)).toEqual({
    hooks: [
      { hook: 'https://a.test/[redacted]', headers: [{ key: 'Authorization', value: '[redacted]' }] },
      { hook: 'https://b.test/', headers: { 'X-Team': '[redacted]' } },
    ],
    sharedSecret: '[redacted]',
    globalHook: 'https://c.test/[redacted]',
  });
  const kinesis = answers.get('getDestination /workspaces/main/sources/js/destinations/amazon-kinesis')?.body;
  const settings = JSON.stringify(Object(kinesis)['config']);
  expect(settings).toContain('"value":"orders"');
  expect(settings).toContain('"value":{"user":"[redacted]","password":["[redacted]"]}');
  expect(answers.get('getSource /workspaces/main/sources/ios')?.body['write_keys']).toEqual(['[redacted]']);
});

test('D-15: an answer with something redacted has no entity tag, any other has that of the whole', async () => {
  const api = await startConfigApi();
  const name = await withWebhooks(api, { config: CONFIG });
  const token = await readerOf(api);
  const tagOf = async (path: string, options = {}): Promise<string | null> =>
    (await api.call('GET', path, undefined, options)).headers.get('etag');
  expect(await tagOf(`/${name}`, { token })).toBeNull();
  expect(await tagOf(`/${name}`)).not.toBeNull();
  expect(await tagOf('/workspaces/main', { token })).toBe(await tagOf('/workspaces/main'));
});

const PATCHES: readonly [what: string, entry: object][] = [
  ['the shared secret', { name: 'sharedSecret', value: '[redacted]' }],
  ['a URL', { name: 'hooks', value: [{ hook: 'https://a.test/[redacted]' }] }],
  ['a header', { name: 'hooks', value: [{ hook: 'https://a.test/', headers: { 'X-Team': '[redacted]' } }] }],
  ['the global webhook', { name: 'globalHook', value: 'https://c.test/[redacted]' }],
];

test.each(PATCHES)('D-15: %s that was redacted cannot be sent back', async (_what, entry) => {
  const api = await startConfigApi();
  const name = await withWebhooks(api, { config: CONFIG });
  const before = await api.ok('GET', `/${name}`);
  const change = { destination: { display_name: 'x', config: [entry] } };
  const both = { paths: ['destination.config', 'destination.display_name'] };
  const refused = await api.call('PATCH', `/${name}`, { ...change, update_mask: both });
  expect(refused.status).toBe(400);
  expect(refused.body['error']).toMatch(/^destination\.config\[0\]\.value holds \[redacted\].*omit the entry/);
  expect(await api.ok('GET', `/${name}`)).toEqual(before);
  const named = { paths: ['destination.display_name'] };
  const after = await api.ok('PATCH', `/${name}`, { ...change, update_mask: named });
  expect(after).toMatchObject({ display_name: 'x', config: before['config'] });
});

test('D-15: a write key that was redacted cannot be sent back', async () => {
  const api = await startConfigApi();
  const name = await withSource(api);
  const sent = { source: { write_keys: ['[redacted]'] }, update_mask: { paths: ['source.write_keys'] } };
  expect(await api.call('PATCH', `/${name}`, sent)).toMatchObject({ status: 400 });
});

test('SAFE-3: an error does not repeat a key that it refuses', async () => {
  const api = await startConfigApi();
  const source = { name: 'workspaces/main/sources/js', write_keys: ['c4nary with spaces'] };
  const { status, body } = await api.call('POST', '/workspaces/main/sources', { source });
  expect(status).toBe(400);
  expect(body['error']).toContain('source.write_keys[0] must be 1 to 128 visible ASCII characters');
  expect(body['error']).not.toMatch(CANARY);
});

test('SAFE-3: no cache keeps an answer of the Config API', async () => {
  const api = await startConfigApi();
  for (const path of ['/workspaces', '/workspaces/main', '/workspaces/none']) {
    const { headers } = await api.call('GET', path);
    expect(headers.get('cache-control')).toBe('no-store');
  }
});

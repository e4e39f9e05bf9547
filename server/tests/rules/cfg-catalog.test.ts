import { expect, test } from 'vitest';
import { CATALOG } from '../../destinations/catalog.ts';
import { catalogDestination, emptyValue } from '../../destinations/catalog.ts';
import { loadDocument } from '../../http/document.ts';
import { createValidation } from '../../http/validation.ts';
import { startConfigApi, withSource } from '../support/config-api.ts';

const validation = createValidation(loadDocument('config-api'));

test.each(['sources', 'destinations'] as const)('the catalog of %s is as the document says', (kind) => {
  const schema = { sources: 'CatalogSource', destinations: 'CatalogDestination' }[kind];
  const check = validation.body({ $ref: `#/components/schemas/${schema}` });
  for (const entry of CATALOG[kind]) expect([entry.name, check(entry), check.errors]).toEqual([entry.name, true, null]);
});

test('the catalog lists the settings of webhooks that the document has', () => {
  const listed = catalogDestination('webhooks')?.settings ?? [];
  const check = validation.body({ $ref: '#/components/schemas/WebhooksSettings' });
  const settings = Object.fromEntries(listed.map(({ key, type }) => [key, emptyValue(type)]));
  expect([settings, check(settings), check.errors]).toEqual([
    {
      sharedSecret: '',
      globalHook: '',
      hooks: [],
      signature: '',
      maxPerSecond: 0,
      maxInFlight: 0,
      shape: [],
      ordering: '',
      traceContext: false,
    },
    true,
    null,
  ]);
});

test.each(['sources', 'destinations'] as const)('a catalog of %s is walked in pages of any size', async (kind) => {
  const api = await startConfigApi();
  const whole = await api.ok('GET', `/catalog/${kind}`);
  expect(whole).toEqual({ [kind]: CATALOG[kind], next_page_token: '' });
  const walked: unknown[] = [];
  let token = '';
  do {
    const page = await api.ok('GET', `/catalog/${kind}?page_size=2&page_token=${token}`);
    walked.push(...Object.values(page).flatMap((value) => (Array.isArray(value) ? value : [])));
    token = String(page['next_page_token']);
  } while (token !== '');
  expect(walked).toEqual(CATALOG[kind]);
});

test.each([
  'javascript',
  'ios',
  'android',
  'go',
  'python',
  'ruby',
  'java',
  'php',
  'clojure',
  'node.js',
  '.net',
  'net',
  'http-api',
  'react-native',
  'xamarin',
])('the source %s is known', async (slug) => {
  const api = await startConfigApi();
  expect(await api.ok('GET', `/catalog/sources/${slug}/`)).toMatchObject({ name: `catalog/sources/${slug}` });
});

test('CFG-15: what the catalog does not know is a 404', async () => {
  const api = await startConfigApi();
  for (const path of ['/catalog/sources/none', '/catalog/destinations/none', '/catalog/none', '/catalog']) {
    expect(await api.call('GET', path)).toMatchObject({ status: 404, body: { code: 5 } });
  }
});

test('CFG-14: a page token of one catalog is refused by the other', async () => {
  const api = await startConfigApi();
  const { next_page_token: token } = await api.ok('GET', '/catalog/sources?page_size=1');
  const answer = await api.call('GET', `/catalog/destinations?page_token=${String(token)}`);
  expect(answer).toMatchObject({ status: 400, body: { code: 3 } });
});

test('the webhooks destination is described as it behaves', async () => {
  const api = await startConfigApi();
  const entry = await api.ok('GET', '/catalog/destinations/webhooks');
  expect(entry).toMatchObject({ display_name: 'Webhooks', components: [{ type: 'CLOUD' }] });
  expect(entry['settings']).toMatchObject([
    { name: 'sharedSecret', type: 'STRING', required: false },
    { name: 'globalHook', type: 'STRING', required: false },
    {
      name: 'hooks',
      type: 'MIXED',
      required: false,
      settings: [{ name: 'headers' }, { name: 'hook', required: true }],
    },
    { name: 'signature', type: 'SELECT', required: false },
    { name: 'maxPerSecond', type: 'NUMBER', required: false },
    { name: 'maxInFlight', type: 'NUMBER', required: false },
    { name: 'shape', type: 'MIXED', required: false },
    { name: 'ordering', type: 'SELECT', required: false },
    { name: 'traceContext', type: 'BOOLEAN', required: false },
  ]);
});

test.each([
  ['google-analytics', 'Google Analytics'],
  ['amazon-kinesis', 'Amazon Kinesis'],
  ['clearbrain', 'ClearBrain'],
])(
  'D-11: a %s destination shows no setting that was never sent, in Create, Get and List',
  async (slug, display_name) => {
    const api = await startConfigApi();
    const parent = await withSource(api);
    const name = `${parent}/destinations/${slug}`;
    const created = await api.ok('POST', `/${parent}/destinations`, { destination: { name } });
    expect(created).toMatchObject({ display_name, config: [] });
    expect(await api.ok('GET', `/${name}`)).toEqual(created);
    expect(await api.ok('GET', `/${parent}/destinations`)).toMatchObject({ destinations: [created] });
  },
);

test('D-11: what was sent is shown with the type of the catalog, also where it is the default', async () => {
  const api = await startConfigApi();
  const parent = await withSource(api);
  const name = `${parent}/destinations/google-analytics`;
  const entry = (key: string, type: string, value: unknown): object =>
    expect.objectContaining({ name: `${name}/config/${key}`, type, value });
  const config = [{ name: 'trackingId', value: 'UA-1' }, { name: 'classic', value: false }, { name: 'dimensions' }];
  const created = await api.ok('POST', `/${parent}/destinations`, { destination: { name, config } });
  const sent = [
    entry('trackingId', 'string', 'UA-1'),
    entry('classic', 'boolean', false),
    entry('dimensions', 'map', {}),
  ];
  expect(created['config']).toEqual(sent);
  const change = (entries: readonly object[]) =>
    api.ok('PATCH', `/${name}`, { destination: { config: entries }, update_mask: { paths: ['destination.config'] } });
  // A setting that is named without a value was sent: it takes its empty value, and stays.
  const emptied = await change([{ name: 'trackingId' }, { name: 'sampleRate', value: 0 }]);
  expect(emptied['config']).toEqual([
    entry('trackingId', 'string', ''),
    ...sent.slice(1),
    entry('sampleRate', 'number', 0),
  ]);
  // A whole config without a value is as it was before anything was sent.
  expect(await change([])).toMatchObject({ config: [] });
});

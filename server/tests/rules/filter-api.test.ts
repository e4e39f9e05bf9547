import { expect, test } from 'vitest';
import { type ConfigApiServer, startConfigApi, withWebhooks } from '../support/config-api.ts';

interface Filters {
  readonly api: ConfigApiServer;
  /** Path of the collection. */
  readonly path: string;
}

async function startFilters(): Promise<Filters> {
  const api = await startConfigApi();
  return { api, path: `/${await withWebhooks(api)}/filters` };
}

const WANTED = {
  name: '',
  title: 'No tests',
  description: '',
  if: 'event = "Test"',
  actions: [{ type: 'drop_event' }],
  enabled: true,
};

/** What clients send: a mask on create is a habit of theirs. */
function creating(fields: object = {}): object {
  return {
    filter: { ...WANTED, ...fields },
    update_mask: { paths: ['if', 'actions', 'title', 'description', 'enabled'] },
  };
}

test('a filter is made, read, listed, changed and deleted', async () => {
  const { api, path } = await startFilters();
  const made = await api.ok('POST', path, creating());
  const destination = path.slice(1, -'/filters'.length);
  const name = new RegExp(`^${destination}/config/[a-f0-9]{24}/filters/df_[A-Za-z0-9]+$`);
  expect(made).toEqual({ ...WANTED, name: expect.stringMatching(name) });
  expect(await api.ok('GET', path)).toEqual({ filters: [made], next_page_token: '' });
  const body = { filter: { title: 'new' }, update_mask: { paths: ['title'] } };
  expect(await api.ok('PATCH', `/${String(made['name'])}`, body)).toEqual({ ...made, title: 'new' });
  expect(await api.ok('DELETE', `/${String(made['name'])}`)).toEqual({});
  expect(await api.ok('GET', path)).toMatchObject({ filters: [] });
});

test.each(['short', 'long'])('the %s form of a name leads to the filter', async (form) => {
  const { api, path } = await startFilters();
  const made = await api.ok('POST', path, creating());
  const long = `/${String(made['name'])}`;
  const own = form === 'long' ? long : `${path}/${long.slice(long.lastIndexOf('/') + 1)}`;
  expect(await api.ok('GET', own)).toEqual(made);
  const off = { filter: {}, update_mask: { paths: ['filter.enabled'] } };
  expect(await api.ok('PATCH', own, off)).toEqual({ ...made, enabled: false });
  expect(await api.ok('DELETE', own)).toEqual({});
  const gone = await api.call('GET', own);
  expect(gone).toMatchObject({
    status: 404,
    body: { error: expect.stringContaining('filter does not exist'), code: 5 },
  });
});

test('CFG-15: a name with the level of another destination leads nowhere', async () => {
  const { api, path } = await startFilters();
  const made = await api.ok('POST', path, creating());
  const wrong = `/${String(made['name']).replace(/config\/[a-f0-9]+/, 'config/0000')}`;
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const answer = await api.call(method, wrong, method === 'PATCH' ? {} : undefined);
    expect(answer).toMatchObject({ status: 404, body: { error: expect.stringContaining('filter does not exist') } });
  }
});

test.each([
  ['title', 'new', ''],
  ['description', 'new', ''],
  ['if', 'all', ''],
  ['actions', [{ type: 'sample_event', percent: 0.5, path: '' }], []],
  ['enabled', true, false],
])('CFG-8, CFG-9, CFG-10: filter.%s follows the mask alone', async (field, value, empty) => {
  const { api, path } = await startFilters();
  const made = await api.ok('POST', path, creating());
  const patch = (filter: object, ...paths: string[]): Promise<object> =>
    api.ok('PATCH', `/${String(made['name'])}`, { filter, update_mask: { paths } });
  expect(await patch({ [field]: value })).toEqual(made);
  expect(await patch({ [field]: value }, `filter.${field}`)).toEqual({ ...made, [field]: value });
  expect(await patch({ title: 'no', [field]: undefined }, field)).toEqual({ ...made, [field]: empty });
});

test.each([
  [
    { type: 'sample_event', percent: 0.1 },
    { type: 'sample_event', percent: 0.1, path: '' },
  ],
  [
    { type: 'SAMPLE_EVENT', percent: 1, path: 'userId', fields: {} },
    { type: 'sample_event', percent: 1, path: 'userId' },
  ],
  [{ type: 'drop_event', percent: 0.1 }, { type: 'drop_event' }],
  [
    { type: 'whitelist_fields', fields: { properties: { fields: ['b', 'a'] } } },
    { type: 'whitelist_fields', fields: { properties: { fields: ['b', 'a'] } } },
  ],
  [
    { type: 'blocklist_fields', fields: { context: { fields: ['ip'] }, traits: null } },
    { type: 'blocklist_fields', fields: { context: { fields: ['ip'] } } },
  ],
])('an action %j is kept as %j', async (sent, kept) => {
  const { api, path } = await startFilters();
  expect(await api.ok('POST', path, creating({ actions: [sent] }))).toMatchObject({ actions: [kept] });
});

test.each([
  [{ if: 'type == "track"' }, 'filter.if: column 7: expected a value, got "="'],
  [{ if: 'type = "track' }, 'filter.if: column 8: the text that begins here has no closing "'],
  [{ if: undefined }, "filter must have required property 'if'"],
  [{ if: 5 }, 'filter.if must be string, got 5'],
  [{ actions: [{ type: 'sample_event' }] }, 'filter.actions[0] must have percent'],
  [{ actions: [{ type: 'sample_event', percent: 2 }] }, 'filter.actions[0].percent must be <= 1'],
  [{ actions: [{ type: 'drop_event' }, { type: 'blacklist_fields' }] }, 'filter.actions[1] must have fields'],
  [{ actions: [{ type: 'shout' }] }, 'filter.actions[0].type must be one of drop_event'],
  [
    { actions: [{ type: 'blacklist_fields', fields: { userId: { fields: ['a'] } } }] },
    'filter.actions[0].fields has no field "userId": it has context, properties, traits',
  ],
  [{ enabled: 'yes' }, 'filter.enabled must be boolean'],
])('CFG-14: a filter with %j is refused', async (fields, text) => {
  const { api, path } = await startFilters();
  const answer = await api.call('POST', path, creating(fields));
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(text), code: 3 } });
  expect(await api.ok('GET', path)).toMatchObject({ filters: [] });
});

test('CFG-14: a condition that cannot be read is refused on update too', async () => {
  const { api, path } = await startFilters();
  const made = await api.ok('POST', path, creating());
  const body = { filter: { if: 'event = ' }, update_mask: { paths: ['if'] } };
  const answer = await api.call('PATCH', `/${String(made['name'])}`, body);
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('filter.if: column 9') } });
  expect(await api.ok('GET', `/${String(made['name'])}`)).toEqual(made);
});

test('a destination has at most ten filters, also when they come at once', async () => {
  const { api, path } = await startFilters();
  const answers = await Promise.all(Array.from({ length: 12 }, () => api.call('POST', path, creating())));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(({ status, body }) => [status, body['code']])).toEqual([
    [400, 3],
    [400, 3],
  ]);
  expect(refused[0]?.body['error']).toContain('already has the maximum number of filters (10)');
  const { filters } = await api.ok('GET', path);
  expect(filters).toHaveLength(10);
});

test('filters go with their destination', async () => {
  const { api, path } = await startFilters();
  await api.ok('POST', path, creating());
  const destination = path.slice(0, -'/filters'.length);
  await api.ok('DELETE', destination);
  expect(await api.call('GET', path)).toMatchObject({ status: 404 });
  const name = destination.slice(1);
  await api.ok('POST', destination.slice(0, destination.lastIndexOf('/')), { destination: { name } });
  expect(await api.ok('GET', path)).toMatchObject({ filters: [] });
  expect(await api.call('POST', path.replace('webhooks', 'none'), creating())).toMatchObject({ status: 404 });
});

test('a filter that has changed since is a 409', async () => {
  const { api, path } = await startFilters();
  const { body: made, headers } = await api.call('POST', path, creating());
  const options = { headers: { 'if-match': String(headers.get('etag')) } };
  const patch = { filter: {}, update_mask: { paths: ['enabled'] } };
  expect(await api.call('PATCH', `/${String(made['name'])}`, patch, options)).toMatchObject({ status: 200 });
  expect(await api.call('DELETE', `/${String(made['name'])}`, undefined, options)).toMatchObject({ status: 409 });
});

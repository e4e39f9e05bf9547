import { expect, test } from 'vitest';
import { startConfigApi, TOKEN, withSource } from '../support/config-api.ts';
import { sourceOfKey } from '../support/source-of-key.ts';

const MAIN = 'workspaces/main';

/** Each of the five resources, with how one is made and changed. */
const RESOURCES = [
  {
    list: 'access_tokens',
    path: '/access-tokens',
    create: { access_token: { description: 'CI', scopes: 'workspace:read' } },
    change: { access_token: { description: 'new' }, update_mask: { paths: ['access_token.description'] } },
    changed: { description: 'new' },
  },
  {
    list: 'workspaces',
    path: '/workspaces',
    create: { workspace: { name: 'workspaces/second' } },
    change: { workspace: { display_name: 'new' }, update_mask: { paths: ['workspace.display_name'] } },
    changed: { display_name: 'new' },
  },
  {
    list: 'sources',
    path: `/${MAIN}/sources`,
    create: { source: { name: `${MAIN}/sources/ios` } },
    change: { source: { labels: { team: 'a' } }, update_mask: { paths: ['source.labels'] } },
    changed: { labels: { team: 'a' } },
  },
  {
    list: 'destinations',
    path: `/${MAIN}/sources/js/destinations`,
    create: { destination: { name: `${MAIN}/sources/js/destinations/amplitude` } },
    change: { destination: { enabled: true }, update_mask: { paths: ['destination.enabled'] } },
    changed: { enabled: true },
  },
  {
    list: 'tracking_plans',
    path: `/${MAIN}/tracking-plans`,
    create: { tracking_plan: { display_name: 'shop' } },
    change: { tracking_plan: { display_name: 'new' }, update_mask: { paths: ['tracking_plan.display_name'] } },
    changed: { display_name: 'new' },
  },
] as const;

test.each(RESOURCES)('CFG-1: $list are created, read, listed, changed and deleted', async (resource) => {
  const api = await startConfigApi();
  await withSource(api);
  const created = await api.ok('POST', resource.path, resource.create);
  const { token: _plaintext, ...shown } = created;
  const path = `/${String(created['name'])}`;
  expect(await api.ok('GET', path)).toEqual(shown);
  expect((await api.ok('GET', resource.path))[resource.list]).toContainEqual(shown);
  const changed = await api.ok('PATCH', path, resource.change);
  expect(changed).toMatchObject({ name: created['name'], ...resource.changed });
  expect(await api.ok('GET', path)).toEqual(changed);
  expect(await api.ok('DELETE', path)).toEqual({});
  expect(await api.call('GET', path)).toMatchObject({ status: 404 });
});

test('CFG-2: paths outside /v1beta are passed on untouched', async () => {
  const api = await startConfigApi();
  for (const path of ['/v1/batch', '/v1betas', '/docs//x', '/']) {
    const response = await fetch(api.url + path);
    expect(await response.json()).toEqual({ passed: 'on', path });
  }
});

test('CFG-2: every answer is JSON, errors too', async () => {
  const api = await startConfigApi();
  const answers = [await api.call('GET', '/workspaces'), await api.call('GET', '/nothing')];
  const types = answers.map(({ headers }) => headers.get('content-type'));
  expect(types).toEqual(['application/json; charset=utf-8', 'application/json; charset=utf-8']);
});

test('CFG-3: a source shows all its fields with their defaults', async () => {
  const api = await startConfigApi();
  const source = await api.ok('POST', `/${MAIN}/sources`, {
    source: { name: `${MAIN}/sources/js`, library_config: {} },
  });
  expect(source).toEqual({
    name: `${MAIN}/sources/js`,
    parent: MAIN,
    id: expect.stringMatching(/^[0-9a-f]{10}$/),
    display_name: 'js',
    catalog_name: '',
    write_keys: [expect.stringMatching(/^[A-Za-z0-9]{32}$/)],
    library_config: { metrics_enabled: false, retry_queue: false, cross_domain_id_enabled: false, api_host: '' },
    labels: {},
    create_time: '2026-11-20T12:00:00.123Z',
  });
});

test('CFG-3: a workspace shows all its fields with their defaults', async () => {
  const api = await startConfigApi();
  expect(await api.ok('POST', '/workspaces', { workspace: { name: 'workspaces/second' } })).toEqual({
    name: 'workspaces/second',
    display_name: 'second',
    id: expect.stringMatching(/^[0-9a-f]{10}$/),
    create_time: '2026-11-20T12:00:00.123Z',
  });
});

test.each([
  ['another workspace', 'workspaces/other/sources/js'],
  ['another workspace, whose name is as long', 'workspaces/niam/sources/js'],
  ['the slug alone', 'js'],
  ['a URL', `https://x/${MAIN}/sources/js`],
  ['a slash in the slug', `${MAIN}/sources/a/b`],
  ['a dot in front', `${MAIN}/sources/..`],
  ['nothing', ''],
  ['a slug of 101 characters', `${MAIN}/sources/${'a'.repeat(101)}`],
])('CFG-3: a source name with %s is refused', async (_what, name) => {
  const api = await startConfigApi();
  const answer = await api.call('POST', `/${MAIN}/sources`, { source: { name } });
  expect(answer).toMatchObject({ status: 400, body: { code: 3 } });
  expect(answer.body['error']).toContain(`source.name must be ${MAIN}/sources/<slug>`);
});

test('D-10: a source may bring its own write key', async () => {
  const api = await startConfigApi();
  const key = 'K'.repeat(32);
  const source = { name: `${MAIN}/sources/js`, write_keys: [key] };
  expect(await api.ok('POST', `/${MAIN}/sources`, { source })).toMatchObject({ write_keys: [key] });
  expect(await sourceOfKey(api.store, key)).toMatchObject({ name: source.name });
  const second = { source: { ...source, name: `${MAIN}/sources/ios` } };
  const refused = await api.call('POST', `/${MAIN}/sources`, second);
  expect(refused).toMatchObject({
    status: 409,
    body: {
      error:
        'a source with this write key already exists, or did in another workspace: remove it there first, and use a token that sees both',
      code: 6,
    },
  });
  const twice = { source: { name: `${MAIN}/sources/a`, write_keys: ['L'.repeat(32), 'L'.repeat(32)] } };
  expect(await api.call('POST', `/${MAIN}/sources`, twice)).toMatchObject({ status: 400 });
});

test('a workspace with sources is deleted only when asked with force', async () => {
  const api = await startConfigApi();
  await withSource(api);
  const refused = await api.call('DELETE', `/${MAIN}`);
  expect(refused).toMatchObject({ status: 400, body: { code: 3 } });
  expect(refused.body['error']).toContain('?force=true');
  expect(await api.call('DELETE', `/${MAIN}?force=false`)).toMatchObject({ status: 400 });
  expect(await api.call('DELETE', `/${MAIN}?force=maybe`)).toMatchObject({ status: 400 });
  expect(await api.ok('DELETE', `/${MAIN}?force=true`)).toEqual({});
  expect(await api.call('GET', `/${MAIN}/sources/js`, undefined, { token: TOKEN })).toMatchObject({ status: 404 });
});

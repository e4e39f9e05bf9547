import { expect, test } from 'vitest';
import { type ConfigApiServer, startConfigApi, withSource } from '../support/config-api.ts';

const MAIN = 'workspaces/main';

interface Kind {
  readonly key: string;
  readonly path: string;
  readonly create: object;
  /** Two fields that an update can change. */
  readonly field: string;
}

const SOURCE: Kind = {
  key: 'source',
  path: `/${MAIN}/sources`,
  create: { name: `${MAIN}/sources/ios` },
  field: 'display_name',
};

const KINDS: readonly Kind[] = [
  {
    key: 'access_token',
    path: '/access-tokens',
    create: { description: 'CI', scopes: 'workspace' },
    field: 'description',
  },
  { key: 'workspace', path: '/workspaces', create: { name: 'workspaces/second' }, field: 'display_name' },
  SOURCE,
  {
    key: 'destination',
    path: `/${MAIN}/sources/js/destinations`,
    create: { name: `${MAIN}/sources/js/destinations/webhooks` },
    field: 'display_name',
  },
  { key: 'tracking_plan', path: `/${MAIN}/tracking-plans`, create: { display_name: 'shop' }, field: 'display_name' },
];

interface Tagged {
  readonly path: string;
  readonly tag: string;
}

async function created(api: ConfigApiServer, { key, path, create }: Kind): Promise<Tagged> {
  await withSource(api);
  const { body, headers } = await api.call('POST', path, { [key]: create });
  return { path: `/${String(body['name'])}`, tag: String(headers.get('etag')) };
}

function renaming({ key, field }: Kind, to: string): object {
  return { [key]: { [field]: to }, update_mask: { paths: [`${key}.${field}`] } };
}

test.each(KINDS)('a $key has the same entity tag until it is changed', async (kind) => {
  const api = await startConfigApi();
  const { path, tag } = await created(api, kind);
  expect(tag).toMatch(/^"[\w-]{27}"$/);
  api.time.now += 120_000;
  expect((await api.call('GET', path)).headers.get('etag')).toBe(tag);
  const changed = await api.call('PATCH', path, renaming(kind, 'new'));
  expect(changed.headers.get('etag')).not.toBe(tag);
  expect((await api.call('GET', path)).headers.get('etag')).toBe(changed.headers.get('etag'));
});

test.each(KINDS)('a $key that has changed since is a 409, and stays', async (kind) => {
  const api = await startConfigApi();
  const { path, tag } = await created(api, kind);
  const stale = { headers: { 'if-match': tag } };
  expect(await api.call('PATCH', path, renaming(kind, 'first'), stale)).toMatchObject({ status: 200 });
  for (const [method, body] of [
    ['PATCH', renaming(kind, 'second')],
    ['DELETE', undefined],
  ] as const) {
    const refused = await api.call(method, path, body, stale);
    expect(refused).toMatchObject({ status: 409, body: { code: 6, error: expect.stringContaining('If-Match') } });
  }
  const { headers, body } = await api.call('GET', path);
  expect(body).toMatchObject({ [kind.field]: 'first' });
  const fresh = { headers: { 'if-match': String(headers.get('etag')) } };
  expect(await api.call('DELETE', path, undefined, fresh)).toMatchObject({ status: 200 });
});

test.each(['*', 'W/TAG', '"other", TAG'])('If-Match: %s is met by the present state', async (pattern) => {
  const api = await startConfigApi();
  const { path, tag } = await created(api, SOURCE);
  const headers = { 'if-match': pattern.replace('TAG', tag) };
  expect(await api.call('DELETE', path, undefined, { headers })).toMatchObject({ status: 200 });
});

test('D-5: a missing resource is a 404 before its tag is a 409', async () => {
  const api = await startConfigApi();
  const headers = { 'if-match': '"other"' };
  expect(await api.call('DELETE', `/${MAIN}/sources/none`, undefined, { headers })).toMatchObject({ status: 404 });
});

test('of two updates on one tag one is a 200, one a 409', async () => {
  const api = await startConfigApi();
  const { path, tag } = await created(api, SOURCE);
  const headers = { 'if-match': tag };
  const answers = await Promise.all(['a', 'b'].map((to) => api.call('PATCH', path, renaming(SOURCE, to), { headers })));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

test('a page has no entity tag', async () => {
  const api = await startConfigApi();
  expect((await api.call('GET', '/workspaces')).headers.get('etag')).toBeNull();
});

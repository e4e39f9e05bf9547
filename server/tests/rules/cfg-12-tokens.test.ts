import { expect, test } from 'vitest';
import { isMaster } from '../../resources/callers.ts';
import { type ConfigApiServer, startConfigApi, TOKEN, withSource } from '../support/config-api.ts';

interface Wanted {
  readonly scopes?: string;
  readonly workspace_names?: readonly string[];
}

/** Issues a token; answers its name and its plaintext. */
async function issue(
  api: ConfigApiServer,
  wanted: Wanted = {},
  token = TOKEN,
): Promise<{ name: string; token: string }> {
  const body = { access_token: { description: 'a test', scopes: 'workspace', ...wanted } };
  const issued = await api.ok('POST', '/access-tokens', body, { token });
  return { name: String(issued['name']), token: String(issued['token']) };
}

async function namesOf(api: ConfigApiServer, path: string, list: string, token: string): Promise<unknown[]> {
  const { [list]: items } = await api.ok('GET', path, undefined, { token });
  return Array.isArray(items) ? items.map((item: { name: string }) => item.name) : [];
}

test.each([
  ['no header', {}, 'no access token'],
  ['a wrong token', { authorization: 'Bearer wrong' }, 'not valid'],
  ['an empty token', { authorization: 'Bearer ' }, 'neither'],
  ['two words', { authorization: `Bearer ${TOKEN} ${TOKEN}` }, 'neither'],
  ['the token alone', { authorization: TOKEN }, 'neither'],
  ['another scheme', { authorization: `Token ${TOKEN}` }, 'neither'],
  ['its hash', { authorization: 'Bearer 43d0d1bd2e3c1b1a8d1f86b4f8f4e6fdc5b2c6f6' }, 'not valid'],
  ['Basic without a colon', { authorization: `Basic ${btoa(TOKEN)}` }, 'neither'],
  ['Basic with the token as user', { authorization: `Basic ${btoa(`${TOKEN}:`)}` }, 'not valid'],
])('CFG-12: %s is a 401 with code 16', async (_what, headers, text) => {
  const api = await startConfigApi();
  for (const path of ['/v1beta/workspaces', '/v1beta/no-such-path', '/v1beta']) {
    const response = await fetch(api.url + path, { headers: { ...headers } });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await response.json()).toEqual({ error: expect.stringContaining(text), code: 16 });
  }
});

test.each([
  `Bearer ${TOKEN}`,
  `bearer  ${TOKEN}`,
  `Basic ${btoa(`me@example.com:${TOKEN}`)}`,
  `basic ${btoa(`:${TOKEN}`)}`,
])('CFG-12, D-8: the header %j is taken', async (authorization) => {
  const api = await startConfigApi();
  const response = await fetch(`${api.url}/v1beta/workspaces`, { headers: { authorization } });
  expect(response.status).toBe(200);
});

test('CFG-13: a token that only reads cannot write', async () => {
  const api = await startConfigApi();
  const source = await withSource(api);
  const { token } = await issue(api, { scopes: 'workspace:read' });
  expect(await api.call('GET', `/${source}`, undefined, { token })).toMatchObject({ status: 200 });
  const writes: [string, string][] = [
    ['POST', '/workspaces'],
    ['PATCH', `/${source}`],
    ['DELETE', `/${source}`],
    ['POST', '/access-tokens'],
    ['PUT', `/workspaces/main/tracking-plans/rs_${'a'.repeat(27)}`],
  ];
  for (const [method, path] of writes) {
    const answer = await api.call(method, path, '{not json', { token });
    expect(answer).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('insufficient scope'), code: 7 },
    });
  }
});

test('D-8: the plaintext of a token is shown once, and never stored', async () => {
  const api = await startConfigApi();
  const { name, token } = await issue(api);
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}\.[A-Za-z0-9_-]{43}$/);
  const shown = await api.ok('GET', `/${name}`, undefined, { token });
  expect(shown).toEqual({
    name: expect.stringMatching(/^access-tokens\/\d{14}$/),
    description: 'a test',
    scopes: 'workspace',
    workspace_names: [],
    create_time: '2026-11-20T12:00:00Z',
  });
  const [listed, stored] = [await api.ok('GET', '/access-tokens'), await api.disk.read('/config/root.json')];
  expect(JSON.stringify(listed)).not.toContain(token);
  expect(stored).toContain(name);
  expect(stored).not.toContain(token);
});

test('D-8: `self` is the token that a request comes with', async () => {
  const api = await startConfigApi();
  const { name, token } = await issue(api, { scopes: 'workspace:read' });
  expect(await api.ok('GET', '/access-tokens/self', undefined, { token })).toMatchObject({
    name,
    scopes: 'workspace:read',
  });
  const own = await api.ok('GET', '/access-tokens/self');
  expect(own).toMatchObject({ scopes: 'workspace' });
  expect(own).not.toHaveProperty('hash');
});

test('D-8: a deleted token is worth nothing at once', async () => {
  const api = await startConfigApi();
  const { name, token } = await issue(api);
  await api.ok('DELETE', `/${name}`);
  expect(await api.call('GET', '/workspaces', undefined, { token })).toMatchObject({ status: 401 });
});

test('D-8: a bound token sees its own workspaces and no others', async () => {
  const api = await startConfigApi();
  await withSource(api);
  for (const slug of ['a', 'b', 'c'])
    await api.ok('POST', '/workspaces', { workspace: { name: `workspaces/${slug}` } });
  const { token } = await issue(api, { workspace_names: ['workspaces/a', 'workspaces/c'] });
  expect(await namesOf(api, '/workspaces?page_size=1', 'workspaces', token)).toEqual(['workspaces/a']);
  expect(await namesOf(api, '/workspaces', 'workspaces', token)).toEqual(['workspaces/a', 'workspaces/c']);
  const hidden: [string, string, unknown?][] = [
    ['GET', '/workspaces/main'],
    ['PATCH', '/workspaces/main', {}],
    ['DELETE', '/workspaces/main'],
    ['GET', '/workspaces/main/sources'],
    ['GET', '/workspaces/main/sources/js'],
    ['POST', '/workspaces/main/sources', { source: { name: 'workspaces/main/sources/new' } }],
    ['GET', '/workspaces/main/sources/js/destinations'],
    ['POST', '/workspaces/main/tracking-plans', { tracking_plan: { display_name: 'x' } }],
    ['DELETE', '/workspaces/main/sources/js'],
  ];
  for (const [method, path, body] of hidden) {
    expect(await api.call(method, path, body, { token })).toMatchObject({ status: 404, body: { code: 5 } });
  }
  expect(await api.ok('GET', '/workspaces/main/sources/js')).toBeDefined();
});

function newToken(names?: string[]): object {
  return { access_token: { description: 'x', scopes: 'workspace', ...(names && { workspace_names: names }) } };
}

test('D-8: a bound token hands out no more than it has', async () => {
  const api = await startConfigApi();
  await api.ok('POST', '/workspaces', { workspace: { name: 'workspaces/a' } });
  const bound = await issue(api, { workspace_names: ['workspaces/a'] });
  const options = { token: bound.token };
  expect(await api.call('POST', '/access-tokens', newToken(), options)).toMatchObject({
    status: 403,
    body: { code: 7 },
  });
  const foreign = await api.call('POST', '/access-tokens', newToken(['workspaces/main']), options);
  expect(foreign).toMatchObject({ status: 400, body: { error: expect.stringContaining('workspace_names[0]') } });
  const workspace = { workspace: { name: 'workspaces/new' } };
  expect(await api.call('POST', '/workspaces', workspace, options)).toMatchObject({ status: 403 });
  const child = await issue(api, { workspace_names: ['workspaces/a'] }, bound.token);
  expect(await namesOf(api, '/access-tokens', 'access_tokens', bound.token)).toEqual([bound.name, child.name]);
});

test('D-8: a bound token sees no token that reaches further', async () => {
  const api = await startConfigApi();
  const first = (await namesOf(api, '/access-tokens', 'access_tokens', TOKEN))[0];
  const { token } = await issue(api, { workspace_names: ['workspaces/main'] });
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const answer = await api.call(method, `/${String(first)}`, method === 'PATCH' ? {} : undefined, { token });
    expect(answer).toMatchObject({ status: 404 });
  }
});

test('CFG-12, D-8: a token of a removed workspace is worth nothing, also once there is one of its name again', async () => {
  const api = await startConfigApi();
  const workspace = { workspace: { name: 'workspaces/a' } };
  await api.ok('POST', '/workspaces', workspace);
  const own = await issue(api, { workspace_names: ['workspaces/a'] });
  const both = await issue(api, { workspace_names: ['workspaces/a', 'workspaces/main'] });
  await api.ok('DELETE', '/workspaces/a', undefined, { token: own.token });
  api.time.now += 10 * 86_400_000;
  await api.ok('POST', '/workspaces', workspace);
  expect(await api.call('GET', '/workspaces/a', undefined, { token: own.token })).toMatchObject({ status: 401 });
  expect(await api.call('GET', '/workspaces/a', undefined, { token: both.token })).toMatchObject({ status: 404 });
  expect(await namesOf(api, '/workspaces', 'workspaces', both.token)).toEqual(['workspaces/main']);
});

test('the last token with write scope on everything stays', async () => {
  const api = await startConfigApi();
  const [first] = await namesOf(api, '/access-tokens', 'access_tokens', TOKEN);
  await issue(api, { scopes: 'workspace:read' });
  await issue(api, { workspace_names: ['workspaces/main'] });
  const refused = await api.call('DELETE', `/${String(first)}`);
  expect(refused).toMatchObject({
    status: 400,
    body: { code: 3, error: expect.stringContaining('is the last of its kind') },
  });
  const second = await issue(api);
  await Promise.all([api.call('DELETE', `/${String(first)}`), api.call('DELETE', `/${second.name}`)]);
  const left = await api.store.list('access-tokens', '', { after: 0, limit: 9 });
  expect(left.filter(({ resource }) => isMaster(resource))).toHaveLength(1);
});

test.each([
  ['no description', { scopes: 'workspace' }, "access_token must have required property 'description'"],
  ['an empty description', { description: '', scopes: 'workspace' }, 'access_token.description'],
  ['an unknown scope', { description: 'x', scopes: 'all' }, 'must be one of workspace, workspace:read, got "all"'],
  ['scopes as a list', { description: 'x', scopes: ['workspace'] }, 'access_token.scopes'],
  [
    'a missing workspace',
    { description: 'x', scopes: 'workspace', workspace_names: ['workspaces/none'] },
    'workspace_names[0]: workspaces/none does not exist',
  ],
  ['a bare workspace', { description: 'x', scopes: 'workspace', workspace_names: ['main'] }, 'workspace_names[0]'],
])('CFG-14: a token with %s is refused', async (_what, access_token, text) => {
  const api = await startConfigApi();
  const answer = await api.call('POST', '/access-tokens', { access_token });
  expect(answer).toMatchObject({ status: 400, body: { code: 3, error: expect.stringContaining(text) } });
});

test('CFG-12: the description of a token is as long as a name, and a workspace that is named twice counts once', async () => {
  const api = await startConfigApi();
  const long = 'x'.repeat(1_001);
  const wanted = { description: long, scopes: 'workspace' };
  expect((await api.call('POST', '/access-tokens', { access_token: wanted })).status).toBe(400);
  const workspace_names = ['workspaces/main', 'workspaces/main'];
  const issued = await api.ok('POST', '/access-tokens', {
    access_token: { ...wanted, description: 'CI', workspace_names },
  });
  expect(issued['workspace_names']).toEqual(['workspaces/main']);
  const update = { access_token: { description: long }, update_mask: { paths: ['description'] } };
  expect((await api.call('PATCH', `/${String(issued['name'])}`, update)).status).toBe(400);
});

test('SAFE-2: tokens of one workspace leave room for those of others', async () => {
  const api = await startConfigApi();
  await api.ok('POST', '/workspaces', { workspace: { name: 'workspaces/other' } });
  const [main, other] = [{ workspace_names: ['workspaces/main'] }, { workspace_names: ['workspaces/other'] }];
  const [own, others] = [await issue(api, main), await issue(api, other)];
  const row = await api.store.get('access-tokens', own.name);
  if (row === undefined) throw new Error('the token is gone');
  const large = { ...row, name: 'access-tokens/large', hash: 'other', description: 'x'.repeat(8_000_000) };
  await api.store.create('access-tokens', large);
  const post = (wanted: Wanted, token: string) =>
    api.call(
      'POST',
      '/access-tokens',
      { access_token: { description: 'CI', scopes: 'workspace', ...wanted } },
      { token },
    );
  const { status, body } = await post(main, own.token);
  expect([status, body['error']]).toEqual([
    400,
    'workspaces/main has as many access tokens as it may: delete one first',
  ]);
  expect((await post(other, others.token)).status).toBe(200);
  expect((await post(main, TOKEN)).status).toBe(200);
});

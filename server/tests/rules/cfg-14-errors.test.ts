import { expect, test } from 'vitest';
import { type ConfigStore, StoreUnavailable } from '../../storage/config-store.ts';
import { OutcomeUnknown } from '../../storage/errors.ts';
import { type ConfigApiServer, startConfigApi, TOKEN, withSource } from '../support/config-api.ts';

const SOURCES = '/workspaces/main/sources';

test.each([
  ['cut short', '{"source":', 'the body is not valid JSON'],
  ['single quotes', "{'source':{}}", 'the body is not valid JSON'],
  ['text after it', '{} x', 'the body is not valid JSON'],
  ['a list', '[]', 'the body must be object, got a list'],
  ['a list of lists as name', '{"source":{"name":[[]]}}', 'source.name must be string, got a list'],
  ['a text', '"source"', 'the body must be object'],
  ['null', 'null', 'the body must be object'],
  ['an empty body', '', "the body must have required property 'source'"],
  ['no name', '{"source":{}}', "source must have required property 'name'"],
  ['the source as text', '{"source":"js"}', 'source must be object, got "js"'],
  ['a number as name', '{"source":{"name":7}}', 'source.name must be string, got 7'],
  ['labels of numbers', '{"source":{"name":"x","labels":{"a":1}}}', 'source.labels.a must be string, got 1'],
  [
    'a bad write key',
    '{"source":{"name":"x","write_keys":["with space"]}}',
    'source.write_keys[0] must be 1 to 128 visible ASCII characters, the first of them no colon',
  ],
  [
    'a boolean as text',
    '{"source":{"name":"x","library_config":{"retry_queue":"yes"}}}',
    'source.library_config.retry_queue must be boolean, got "yes"',
  ],
  ['paths that are no list', '{"source":{"name":"x","write_keys":"k"}}', 'source.write_keys must be array, got "k"'],
])('CFG-14: a body with %s is a 400 that says where', async (_what, body, text) => {
  const api = await startConfigApi();
  const answer = await api.call('POST', SOURCES, body);
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(text), code: 3 } });
});

test('CFG-14: a huge body is a 400, and the connection lives on', async () => {
  const api = await startConfigApi();
  const huge = JSON.stringify({ source: { name: 'x'.repeat(5_000_000) } });
  const answer = await api.call('POST', SOURCES, huge);
  expect(answer).toMatchObject({ status: 400, body: { error: 'the body is larger than 4194304 bytes', code: 3 } });
  expect(await api.call('GET', SOURCES)).toMatchObject({ status: 200 });
});

test.each([
  ['GET', '/nothing'],
  ['GET', ''],
  ['GET', '/Workspaces'],
  ['GET', '/workspaces/main/sources/js/settings'],
  ['POST', '/workspaces/main'],
  ['PUT', '/workspaces'],
  ['PUT', '/workspaces/main/sources/js'],
  ['GET', '/workspaces/none'],
  ['GET', '/workspaces/none/sources'],
  ['GET', '/workspaces/main/sources/none'],
  ['GET', '/workspaces/main/sources/none/destinations'],
  ['GET', '/workspaces/main/sources/js/destinations/none'],
  ['GET', '/workspaces/none/tracking-plans'],
  ['GET', '/workspaces/main/tracking-plans/shop'],
  ['GET', `/workspaces/main/tracking-plans/rs_${'a'.repeat(27)}`],
  ['GET', '/access-tokens/1'],
  ['DELETE', '/workspaces/none'],
  ['DELETE', '/workspaces/main/sources/none'],
  ['PATCH', '/workspaces/main/sources/none'],
  ['GET', '/workspaces/..%2fmain'],
  ['GET', '/workspaces/%ff'],
  ['GET', '/workspaces/constructor'],
])('CFG-15: %s %s is a 404 with code 5', async (method, path) => {
  const api = await startConfigApi();
  await withSource(api);
  const answer = await api.call(method, path, method === 'PATCH' ? {} : undefined);
  expect(answer).toMatchObject({ status: 404, body: { error: expect.any(String), code: 5 } });
});

test('CFG-15: a resource of another workspace is not found', async () => {
  const api = await startConfigApi();
  await withSource(api);
  await api.ok('POST', '/workspaces', { workspace: { name: 'workspaces/other' } });
  expect(await api.call('GET', '/workspaces/other/sources/js')).toMatchObject({ status: 404 });
});

test.each([
  ['workspace already exists: workspaces/main', '/workspaces', { workspace: { name: 'workspaces/main' } }],
  ['source already exists: workspaces/main/sources/js', SOURCES, { source: { name: 'workspaces/main/sources/js' } }],
  [
    'destination already exists: workspaces/main/sources/js/destinations/webhooks',
    `${SOURCES}/js/destinations`,
    { destination: { name: 'workspaces/main/sources/js/destinations/webhooks' } },
  ],
])('CFG-16: "%s" is a 409 with code 6', async (error, path, body) => {
  const api = await startConfigApi();
  await withSource(api);
  await api.call('POST', path, body);
  expect(await api.call('POST', path, body)).toMatchObject({ status: 409, body: { error, code: 6 } });
});

test('CFG-16: of two creates at once one is a 200, one a 409', async () => {
  const api = await startConfigApi();
  const create = (): Promise<{ status: number }> =>
    api.call('POST', SOURCES, { source: { name: 'workspaces/main/sources/js' } });
  const statuses = (await Promise.all([create(), create()])).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409]);
});

/** One request with everything wrong, mended step by step: what is seen is the first thing that is wrong (D-5). */
test('D-5: checks run from token to path, scope, body, resource, conflict', async () => {
  const api = await startConfigApi();
  await withSource(api);
  const read = await issueReader(api);
  const good = { source: { name: 'workspaces/main/sources/js' } };
  const steps: [number, string, unknown, string][] = [
    [401, '/workspaces/none/sourced', '{', 'wrong'],
    [404, '/workspaces/none/sourced', '{', read],
    [403, '/workspaces/none/sources', '{', read],
    [400, '/workspaces/none/sources', '{', TOKEN],
    [400, '/workspaces/none/sources', good, TOKEN],
    [404, '/workspaces/none/sources', { source: { name: 'workspaces/none/sources/js' } }, TOKEN],
    [409, SOURCES, good, TOKEN],
    [200, SOURCES, { source: { name: 'workspaces/main/sources/new' } }, TOKEN],
  ];
  for (const [status, path, body, token] of steps) {
    expect(await api.call('POST', path, body, { token })).toMatchObject({ status });
  }
});

async function issueReader(api: ConfigApiServer): Promise<string> {
  const body = { access_token: { description: 'reads', scopes: 'workspace:read' } };
  return String((await api.ok('POST', '/access-tokens', body))['token']);
}

test('CFG-18: an unforeseen error is a 500 without inner detail', async () => {
  const broken = new Error('the inner detail');
  const api = await startConfigApi((store) => ({ ...refusing(store), get: () => Promise.reject(broken) }));
  const answer = await api.call('GET', '/workspaces/main');
  expect(answer).toMatchObject({ status: 500, body: { error: 'error while processing the request', code: 13 } });
  expect(JSON.stringify(api.log.lines)).toContain('the inner detail');
});

test('CFG-20: a store that cannot write is a 503, and reads go on', async () => {
  const api = await startConfigApi();
  api.disk.refusal = new Error('ENOSPC: no space left on device');
  const body = { source: { name: 'workspaces/main/sources/js' } };
  expect(await api.call('POST', SOURCES, body)).toMatchObject({ status: 503, body: { code: 14 } });
  expect(await api.ok('GET', SOURCES)).toEqual({ sources: [], next_page_token: '' });
  api.disk.refusal = undefined;
  expect(await api.call('POST', SOURCES, body)).toMatchObject({ status: 200 });
});

test('CFG-20: a change of which nobody knows whether it was made is a 503 that says so', async () => {
  const unknown = new OutcomeUnknown('the connection was lost');
  const api = await startConfigApi((store) => {
    const get: ConfigStore['get'] = (kind, name) => store.get(kind, name);
    return { ...refusing(store), get, create: () => Promise.reject(unknown) };
  });
  const answer = await api.call('POST', SOURCES, { source: { name: 'workspaces/main/sources/js' } });
  expect(answer).toMatchObject({
    status: 503,
    body: { code: 14, error: expect.stringContaining('may have been changed') },
  });
});

function fail(): Promise<never> {
  return Promise.reject(new StoreUnavailable('not now'));
}

/** A store that answers for tokens, and fails for the rest. */
function refusing(store: ConfigApiServer['store']): ConfigApiServer['store'] {
  return {
    get: fail,
    list: fail,
    create: fail,
    update: fail,
    remove: fail,
    watch: fail,
    refresh: fail,
    tokenByHash: (hash) => store.tokenByHash(hash),
    close: fail,
  };
}

test.each([
  [
    '/access-tokens',
    { access_token: { description: 'd', scopes: 'workspace', workspace_names: ['main'] } },
    'access_token.workspace_names[0] must be workspaces/<workspace>, got "main"',
  ],
  [
    '/access-tokens',
    { access_token: { description: 'd', scopes: 'workspace', resource_names: ['js'] } },
    'access_token.resource_names[0] must be workspaces/<workspace>/sources/<source>, or the full name of a destination, got "js"',
  ],
])('CFG-14: what a name has to look like is said in words: %s %j', async (path, body, text) => {
  const api = await startConfigApi();
  const answer = await api.call('POST', path, JSON.stringify(body));
  expect(answer).toMatchObject({ status: 400, body: { error: text, code: 3 } });
});

import { expect, test } from 'vitest';
import { type ConfigApiServer, startConfigApi } from '../support/config-api.ts';

const PATH = '/workspaces/main/regulations';

function wanted(regulation_type = 'Delete', values: unknown = ['u1']): object {
  return { regulation_type, attributes: { name: 'userId', values } };
}

test('D-12: a regulation is made, read, listed and cancelled', async () => {
  const api = await startConfigApi();
  const made = await api.ok('POST', PATH, wanted());
  expect(made).toEqual({
    name: `workspaces/main/regulations/${String(made['regulate_id'])}`,
    regulate_id: expect.stringMatching(/^rg_[A-Za-z0-9]{27}$/),
    parent: 'workspaces/main',
    regulation_type: 'Delete',
    overall_status: 'INITIALIZED',
    source_status: [],
    create_time: '2026-11-20T12:00:00.123Z',
  });
  const path = `/${String(made['name'])}`;
  expect(await api.ok('GET', path)).toEqual(made);
  expect(await api.ok('GET', PATH)).toEqual({ regulations: [made], next_page_token: '' });
  expect(await api.ok('DELETE', path)).toEqual({});
  expect(await api.call('GET', path)).toMatchObject({ status: 404, body: { code: 5 } });
});

test.each([
  ['SUPPRESS_WITH_DELETE', 'Suppress_With_Delete'],
  ['suppress_with_delete', 'Suppress_With_Delete'],
  ['delete', 'Delete'],
  ['UNSUPPRESS', 'Unsuppress'],
  ['Delete_internal', 'Delete_Internal'],
])('D-12: the type %s is taken as %s', async (given, type) => {
  const api = await startConfigApi();
  expect(await api.ok('POST', PATH, wanted(given))).toMatchObject({ regulation_type: type });
});

test('D-12: 5000 ids are taken, and one more is refused', async () => {
  const api = await startConfigApi();
  const ids = Array.from({ length: 5_001 }, (_, index) => `user-${index}`);
  expect(await api.call('POST', PATH, wanted('Delete', ids.slice(1)))).toMatchObject({ status: 200 });
  const answer = await api.call('POST', PATH, wanted('Delete', ids));
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('5000'), code: 3 } });
});

test.each([
  ['no type', { attributes: { name: 'userId', values: ['u'] } }, 'regulation_type'],
  ['an unknown type', wanted('Forget'), 'regulation_type must be one of'],
  ['no ids', wanted('Delete', []), 'attributes.values'],
  ['ids that are no list', wanted('Delete', 'u1'), 'attributes.values must be array'],
  ['an id that is no text', wanted('Delete', [1]), 'attributes.values[0] must be string, got 1'],
  ['an empty id', wanted('Delete', ['']), 'attributes.values[0]'],
  ['another attribute', { regulation_type: 'Delete', attributes: { name: 'objectId', values: ['o'] } }, 'userId'],
])('CFG-14: a regulation with %s is refused', async (_what, body, text) => {
  const api = await startConfigApi();
  const answer = await api.call('POST', PATH, body);
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(text), code: 3 } });
});

async function withStatus(api: ConfigApiServer, overall_status: 'RUNNING' | 'FINISHED'): Promise<string> {
  const name = String((await api.ok('POST', PATH, wanted('Suppress')))['name']);
  await api.store.update('regulations', name, (current) => ({ ...current, overall_status }));
  return name;
}

test.each(['RUNNING', 'FINISHED'] as const)('D-12: a regulation that is %s cannot be cancelled', async (status) => {
  const api = await startConfigApi();
  const path = `/${await withStatus(api, status)}`;
  const answer = await api.call('DELETE', path);
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(status), code: 3 } });
  expect(await api.ok('GET', path)).toMatchObject({ overall_status: status });
});

test('D-12: lists are narrowed by status and type', async () => {
  const api = await startConfigApi();
  await api.ok('POST', PATH, wanted('Delete'));
  await withStatus(api, 'FINISHED');
  const types = async (query: string): Promise<unknown> => {
    const { regulations } = await api.ok('GET', `${PATH}?${query}`);
    return Array.isArray(regulations) && regulations.map((one: { regulation_type: string }) => one.regulation_type);
  };
  expect(await types('status=finished')).toEqual(['Suppress']);
  expect(await types('status=INITIALIZED,finished')).toEqual(['Delete', 'Suppress']);
  expect(await types('regulation_types=delete')).toEqual(['Delete']);
  expect(await types('regulation_types=Delete,Suppress&status=RUNNING')).toEqual([]);
  expect(await api.call('GET', `${PATH}?status=open`)).toMatchObject({ status: 400, body: { code: 3 } });
});

test('D-13: a suppression is seen at once, and goes when it is cancelled', async () => {
  const api = await startConfigApi();
  const users = async (): Promise<unknown> => api.ok('GET', '/workspaces/main/suppressed-users');
  const { name } = await api.ok('POST', PATH, wanted('Suppress', ['u1', 'u2', 'u1']));
  const suppress_time = '2026-11-20T12:00:00.123Z';
  expect(await users()).toEqual({
    suppressed_users: ['u1', 'u2'].map((user_id) => ({ user_id, suppress_time })),
    next_page_token: '',
  });
  await api.ok('DELETE', `/${String(name)}`);
  expect(await users()).toEqual({ suppressed_users: [], next_page_token: '' });
});

test('CFG-5, CFG-6: suppressed users come in pages, each once', async () => {
  const api = await startConfigApi();
  await api.ok('POST', PATH, wanted('Suppress', ['u1', 'u2', 'u3']));
  await api.ok('POST', PATH, wanted('Suppress', ['u4', 'u5']));
  const path = '/workspaces/main/suppressed-users';
  const first = await api.ok('GET', `${path}?page_size=2`);
  await api.ok('POST', PATH, wanted('Unsuppress', ['u2', 'u4']));
  const second = await api.ok('GET', `${path}?page_token=${String(first['next_page_token'])}`);
  const ids = [first, second].map(({ suppressed_users: users }) =>
    Array.isArray(users) ? users.map((user: { user_id: string }) => user.user_id) : [],
  );
  expect([ids, second['next_page_token']]).toEqual([
    [
      ['u1', 'u2'],
      ['u3', 'u5'],
    ],
    '',
  ]);
});

test('CFG-13, CFG-15: regulations need write scope, and a workspace', async () => {
  const api = await startConfigApi();
  const reader = { access_token: { description: 'r', scopes: 'workspace:read' } };
  const token = String((await api.ok('POST', '/access-tokens', reader))['token']);
  expect(await api.call('POST', PATH, wanted(), { token })).toMatchObject({ status: 403 });
  expect(await api.call('GET', PATH, undefined, { token })).toMatchObject({ status: 200 });
  expect(await api.call('POST', '/workspaces/none/regulations', wanted())).toMatchObject({ status: 404 });
  expect(await api.call('GET', '/workspaces/none/suppressed-users')).toMatchObject({ status: 404 });
});

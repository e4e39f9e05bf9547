import { expect, test } from 'vitest';
import { type ConfigApiServer, startConfigApi, withSource } from '../support/config-api.ts';

const W = '/workspaces/main';
const JS = `${W}/sources/js`;
const PATH = `${JS}/regulations`;

function wanted(regulation_type = 'Suppress', values: readonly string[] = ['u1']): object {
  return { regulation_type, attributes: { name: 'userId', values } };
}

/** With the sources `js` and `ios`. */
async function startApi(): Promise<ConfigApiServer> {
  const api = await startConfigApi();
  await withSource(api);
  await api.ok('POST', `${W}/sources`, { source: { name: 'workspaces/main/sources/ios' } });
  return api;
}

async function suppressedIn(api: ConfigApiServer, scope: string): Promise<string[]> {
  const { suppressed_users: users } = await api.ok('GET', `${scope}/suppressed-users`);
  return Array.isArray(users) ? users.map(({ user_id }: { user_id: string }) => user_id) : [];
}

async function listedIn(api: ConfigApiServer, scope: string, query = ''): Promise<string[]> {
  const { regulations } = await api.ok('GET', `${scope}/regulations${query}`);
  return Array.isArray(regulations) ? regulations.map(({ name }: { name: string }) => name) : [];
}

test('CFG-25: a regulation of a source is made, read, listed and cancelled below the source', async () => {
  const api = await startApi();
  const made = await api.ok('POST', PATH, wanted('SUPPRESS_WITH_DELETE'));
  const id = String(made['regulate_id']);
  expect(made).toEqual({
    name: `workspaces/main/regulations/${id}`,
    regulate_id: expect.stringMatching(/^rg_[A-Za-z0-9]{27}$/),
    parent: 'workspaces/main',
    source_name: 'workspaces/main/sources/js',
    regulation_type: 'Suppress_With_Delete',
    overall_status: 'INITIALIZED',
    source_status: [],
    create_time: '2026-11-20T12:00:00.123Z',
  });
  expect(await api.ok('GET', `${PATH}/${id}`)).toEqual(made);
  expect(await api.ok('GET', PATH)).toEqual({ regulations: [made], next_page_token: '' });
  expect(await api.ok('DELETE', `${PATH}/${id}`)).toEqual({});
  expect(await api.call('GET', `${PATH}/${id}`)).toMatchObject({ status: 404 });
  expect(await suppressedIn(api, JS)).toEqual([]);
});

test('CFG-25: a source lists its own regulations, and the workspace all of them', async () => {
  const api = await startApi();
  const name = async (path: string, type?: string): Promise<string> =>
    String((await api.ok('POST', path, wanted(type)))['name']);
  const ofWorkspace = await name(`${W}/regulations`);
  const [first, second] = [await name(PATH, 'Delete'), await name(PATH)];
  const ofOther = await name(`${W}/sources/ios/regulations`);
  expect(await listedIn(api, JS)).toEqual([first, second]);
  expect(await listedIn(api, JS, '?regulation_types=Suppress&status=initialized')).toEqual([second]);
  expect(await listedIn(api, `${W}/sources/ios`)).toEqual([ofOther]);
  expect(await listedIn(api, W)).toEqual([ofWorkspace, first, second, ofOther]);
  const page = await api.ok('GET', `${PATH}?page_size=1`);
  const token = String(page['next_page_token']);
  expect(await listedIn(api, JS, `?page_token=${token}`)).toEqual([second]);
  expect(await api.call('GET', `${W}/regulations?page_token=${token}`)).toMatchObject({ status: 400 });
});

test('CFG-15: a regulation is not found below a source that it is not limited to', async () => {
  const api = await startApi();
  const { regulate_id: ofWorkspace } = await api.ok('POST', `${W}/regulations`, wanted());
  const { regulate_id: ofIos } = await api.ok('POST', `${W}/sources/ios/regulations`, wanted());
  for (const [method, id] of [
    ['GET', ofWorkspace],
    ['GET', ofIos],
    ['DELETE', ofWorkspace],
    ['DELETE', ofIos],
  ] as const) {
    const answer = await api.call(method, `${PATH}/${String(id)}`);
    const error = `workspaces/main/sources/js/regulations/${String(id)} does not exist`;
    expect(answer).toMatchObject({ status: 404, body: { error, code: 5 } });
  }
  expect(await listedIn(api, W)).toHaveLength(2);
  expect(await api.ok('GET', `${W}/regulations/${String(ofIos)}`)).toMatchObject({ regulate_id: ofIos });
});

test('CFG-15: a regulation needs its source, and names what is not there', async () => {
  const api = await startApi();
  const none = await api.call('POST', `${W}/sources/none/regulations`, wanted());
  expect(none).toMatchObject({ status: 404, body: { error: 'workspaces/main/sources/none does not exist' } });
  const nowhere = await api.call('POST', '/workspaces/none/sources/js/regulations', wanted());
  expect(nowhere).toMatchObject({ status: 404, body: { error: 'workspaces/none does not exist' } });
  for (const [method, path] of [
    ['GET', 'regulations'],
    ['DELETE', 'regulations'],
    ['GET', 'suppressed-users'],
  ] as const)
    expect(await api.call(method, `${W}/sources/none/${path}`)).toMatchObject({ status: 404 });
});

test('D-13: the suppressed users of a source are listed apart from those of the workspace', async () => {
  const api = await startApi();
  await api.ok('POST', PATH, wanted('Suppress', ['u1', 'u2']));
  await api.ok('POST', `${W}/regulations`, wanted('Suppress', ['u3']));
  await api.ok('POST', PATH, wanted('Unsuppress', ['u2']));
  expect(await suppressedIn(api, JS)).toEqual(['u1']);
  expect(await suppressedIn(api, `${W}/sources/ios`)).toEqual([]);
  expect(await suppressedIn(api, W)).toEqual(['u3']);
});

test('D-12: whoever is suppressed in the workspace is not unsuppressed in a source', async () => {
  const api = await startApi();
  await api.ok('POST', `${W}/regulations`, wanted('Suppress', ['u1']));
  await api.ok('POST', PATH, wanted('Suppress', ['u2']));
  const refused = await api.call('POST', PATH, wanted('Unsuppress', ['u1', 'u2']));
  const error =
    'attributes.values: 1 of 2 users are suppressed in the whole workspace; unsuppress them with POST /v1beta/workspaces/main/regulations';
  expect(refused).toMatchObject({ status: 400, body: { error, code: 3 } });
  expect(await suppressedIn(api, JS)).toEqual(['u2']);
});

test('D-12: DELETE of the regulations of a source cancels those that have not begun, and no others', async () => {
  const api = await startApi();
  const ofWorkspace = String((await api.ok('POST', `${W}/regulations`, wanted()))['name']);
  const begun = String((await api.ok('POST', PATH, wanted('Delete')))['name']);
  await api.store.update('regulations', begun, (one) => ({ ...one, overall_status: 'RUNNING' }));
  await api.ok('POST', PATH, wanted('Suppress', ['u2']));
  await api.ok('POST', PATH, wanted('Suppress_With_Delete', ['u3']));
  const ofOther = String((await api.ok('POST', `${W}/sources/ios/regulations`, wanted()))['name']);
  expect(await suppressedIn(api, JS)).toEqual(['u2', 'u3']);
  expect(await api.ok('DELETE', PATH)).toEqual({});
  expect(await listedIn(api, JS)).toEqual([begun]);
  expect(await listedIn(api, W)).toEqual([ofWorkspace, begun, ofOther]);
  expect(await suppressedIn(api, JS)).toEqual([]);
  expect(await api.ok('DELETE', PATH)).toEqual({});
});

test('D-12: a regulation of a source that runs cannot be cancelled', async () => {
  const api = await startApi();
  const { name, regulate_id: id } = await api.ok('POST', PATH, wanted('Delete'));
  await api.store.update('regulations', String(name), (one) => ({ ...one, overall_status: 'RUNNING' }));
  const answer = await api.call('DELETE', `${PATH}/${String(id)}`);
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('RUNNING'), code: 3 } });
});

test('CFG-14: only users can be regulated, in a source too', async () => {
  const api = await startApi();
  const attributes = { name: 'objectId', values: ['o1'] };
  const answer = await api.call('POST', PATH, { regulation_type: 'Delete', collection: 'orders', attributes });
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('userId'), code: 3 } });
});

test('D-8, CFG-13: a token regulates the sources of its workspaces, with write scope', async () => {
  const api = await startApi();
  const tokenOf = async (access_token: object): Promise<string> =>
    String((await api.ok('POST', '/access-tokens', { access_token }))['token']);
  const { regulate_id: id } = await api.ok('POST', PATH, wanted());
  const reader = await tokenOf({ description: 'r', scopes: 'workspace:read' });
  expect(await api.call('POST', PATH, wanted(), { token: reader })).toMatchObject({ status: 403 });
  expect(await api.call('DELETE', PATH, undefined, { token: reader })).toMatchObject({ status: 403 });
  expect(await api.call('GET', PATH, undefined, { token: reader })).toMatchObject({ status: 200 });
  await api.ok('POST', '/workspaces', { workspace: { name: 'workspaces/other' } });
  const bound = { description: 'b', scopes: 'workspace', workspace_names: ['workspaces/other'] };
  const stranger = await tokenOf(bound);
  for (const [method, path, body] of [
    ['POST', PATH, wanted()],
    ['GET', PATH, undefined],
    ['DELETE', PATH, undefined],
    ['GET', `${PATH}/${String(id)}`, undefined],
    ['DELETE', `${PATH}/${String(id)}`, undefined],
    ['GET', `${JS}/suppressed-users`, undefined],
  ] as const)
    expect(await api.call(method, path, body, { token: stranger }), `${method} ${path}`).toMatchObject({ status: 404 });
  expect(await listedIn(api, JS)).toHaveLength(1);
});

test('D-12: a regulation outlives its source, and can still be read', async () => {
  const api = await startApi();
  const made = await api.ok('POST', PATH, wanted('Delete'));
  await api.ok('DELETE', JS);
  expect(await api.ok('GET', `${PATH}/${String(made['regulate_id'])}`)).toEqual(made);
  expect(await listedIn(api, W)).toEqual([made['name']]);
  expect(await api.call('GET', PATH)).toMatchObject({ status: 404 });
});

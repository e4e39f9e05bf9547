import { expect, test } from 'vitest';
import { type ConfigApiServer, startConfigApi } from '../support/config-api.ts';

const MAIN = 'workspaces/main';

interface Plans {
  readonly api: ConfigApiServer;
  /** Path of the first plan's connections. */
  readonly path: string;
  readonly id: string;
  /** Path of the second plan's connections. */
  readonly other: string;
}

/** Two plans, and the sources a, b and c. */
async function withPlans(): Promise<Plans> {
  const api = await startConfigApi();
  for (const slug of ['a', 'b', 'c']) {
    await api.ok('POST', `/${MAIN}/sources`, { source: { name: `${MAIN}/sources/${slug}` } });
  }
  const plan = async (): Promise<string> =>
    String((await api.ok('POST', `/${MAIN}/tracking-plans`, { tracking_plan: { display_name: 'x' } }))['name']);
  const [first, second] = [await plan(), await plan()];
  const path = `/${first}/source-connections`;
  return { api, path, id: first.slice(first.indexOf('rs_')), other: `/${second}/source-connections` };
}

function names({ connections }: Record<string, unknown>): unknown[] {
  return Array.isArray(connections) ? connections.map((one: { source_name: string }) => one.source_name) : [];
}

test.each(['a', `${MAIN}/sources/a`])('a source named %s is connected to a plan', async (source_name) => {
  const { api, path, id } = await withPlans();
  const connection = { source_name: `${MAIN}/sources/a`, tracking_plan_id: id };
  expect(await api.ok('POST', path, { source_name })).toEqual(connection);
  expect(await api.ok('GET', path)).toEqual({ connections: [connection], next_page_token: '' });
});

test('several sources are connected in one request, by a verb after a colon', async () => {
  const { api, path, id } = await withPlans();
  const batch = await api.ok('POST', `${path}:batchCreateConnections`, { source_names: ['c', `${MAIN}/sources/a`] });
  const one = (slug: string): object => ({ source_name: `${MAIN}/sources/${slug}`, tracking_plan_id: id });
  expect(batch).toEqual({ connections: [one('c'), one('a')] });
  expect(names(await api.ok('GET', path))).toEqual([`${MAIN}/sources/a`, `${MAIN}/sources/c`]);
});

test.each(['a', `${MAIN}/sources/a`])('DELETE …/source-connections/%s disconnects', async (name) => {
  const { api, path } = await withPlans();
  await api.ok('POST', path, { source_name: 'a' });
  expect(await api.ok('DELETE', `${path}/${name}`)).toEqual({});
  expect(names(await api.ok('GET', path))).toEqual([]);
  expect(await api.call('DELETE', `${path}/${name}`)).toMatchObject({ status: 404, body: { code: 5 } });
});

test('CFG-16: a source belongs to at most one plan', async () => {
  const { api, path, other } = await withPlans();
  await api.ok('POST', path, { source_name: 'a' });
  for (const again of [path, other]) {
    const answer = await api.call('POST', again, { source_name: 'a' });
    const error = expect.stringContaining('source connection already exists: workspaces/main/sources/a');
    expect(answer).toMatchObject({ status: 409, body: { code: 6, error } });
  }
});

test('CFG-16: of a batch with a source that is taken nothing is connected', async () => {
  const { api, path, other } = await withPlans();
  await api.ok('POST', path, { source_name: 'b' });
  const answer = await api.call('POST', `${other}:batchCreateConnections`, { source_names: ['a', 'b', 'c'] });
  expect(answer).toMatchObject({ status: 409 });
  expect(names(await api.ok('GET', other))).toEqual([]);
});

test('CFG-16: of two connections of one source at once one is a 409', async () => {
  const { api, path, other } = await withPlans();
  const answers = await Promise.all([path, other].map((one) => api.call('POST', one, { source_name: 'a' })));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

test.each([
  ['no name', 400, {}],
  ['an empty name', 400, { source_name: '' }],
  ['a source of another workspace', 400, { source_name: 'workspaces/other/sources/a' }],
  ['no source of the workspace', 404, { source_name: 'none' }],
])('CFG-14, CFG-15: a connection with %s is a %i', async (_what, status, body) => {
  const { api, path } = await withPlans();
  expect(await api.call('POST', path, body)).toMatchObject({ status });
});

test('CFG-14: a batch that names a source twice is refused', async () => {
  const { api, path } = await withPlans();
  const answer = await api.call('POST', `${path}:batchCreateConnections`, { source_names: ['a', `${MAIN}/sources/a`] });
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('twice') } });
});

test('D-14: the connections of a plan that never was, or is gone, are an empty list; the plan itself is 404', async () => {
  const { api, path } = await withPlans();
  await api.ok('POST', path, { source_name: 'a' });
  const empty = { connections: [], next_page_token: '' };
  const plan = path.replace('/source-connections', '');
  await api.ok('DELETE', plan);
  const never = `/${MAIN}/tracking-plans/rs_${'0'.repeat(27)}`;
  for (const gone of [plan, never]) {
    expect(await api.ok('GET', `${gone}/source-connections`)).toEqual(empty);
    expect(await api.ok('GET', `${gone}/source-connections?page_size=1`)).toEqual(empty);
    expect(await api.call('GET', gone)).toMatchObject({ status: 404, body: { code: 5 } });
  }
  const [malformed, elsewhere] = [`/${MAIN}/tracking-plans/rs_short`, never.replace('main', 'none')];
  for (const wrong of [malformed, elsewhere])
    expect(await api.call('GET', `${wrong}/source-connections`)).toMatchObject({ status: 404, body: { code: 5 } });
  expect(await api.call('GET', `${never}/source-connections?page_token=x`)).toMatchObject({ status: 400 });
});

test('CFG-15: a plan that does not exist takes no connections', async () => {
  const { api } = await withPlans();
  const path = `/${MAIN}/tracking-plans/rs_${'0'.repeat(27)}/source-connections`;
  expect(await api.call('POST', path, { source_name: 'a' })).toMatchObject({ status: 404 });
  expect(await api.call('DELETE', `${path}/a`)).toMatchObject({ status: 404 });
  const foreign = `${path.replace('main', 'none')}/workspaces/main/sources/a`;
  expect(await api.call('DELETE', foreign)).toMatchObject({ status: 404 });
});

test('a connection goes with its source, and with its plan', async () => {
  const { api, path, other } = await withPlans();
  await api.ok('POST', `${path}:batchCreateConnections`, { source_names: ['a', 'b'] });
  await api.ok('DELETE', `/${MAIN}/sources/a`);
  await api.ok('POST', `/${MAIN}/sources`, { source: { name: `${MAIN}/sources/a` } });
  expect(names(await api.ok('GET', path))).toEqual([`${MAIN}/sources/b`]);
  await api.ok('DELETE', path.replace('/source-connections', ''));
  expect(await api.ok('POST', other, { source_name: 'b' })).toMatchObject({ source_name: `${MAIN}/sources/b` });
});

test('CFG-5, CFG-6: connections come in pages, each once', async () => {
  const { api, path } = await withPlans();
  await api.ok('POST', `${path}:batchCreateConnections`, { source_names: ['a', 'c'] });
  const first = await api.ok('GET', `${path}?page_size=1`);
  const second = await api.ok('GET', `${path}?page_token=${String(first['next_page_token'])}`);
  expect([names(first), names(second)]).toEqual([[`${MAIN}/sources/a`], [`${MAIN}/sources/c`]]);
  expect(second['next_page_token']).toBe('');
  const foreign = `/${MAIN}/sources?page_token=${String(first['next_page_token'])}`;
  expect(await api.call('GET', foreign)).toMatchObject({ status: 400 });
});

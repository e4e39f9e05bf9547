import { expect, test } from 'vitest';
import { answerErrors } from '../../http/error-answers.ts';
import { ApiError } from '../../http/errors.ts';
import { startConfigApi, withSource } from '../support/config-api.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { requestOf } from '../support/koa-request.ts';

const MAIN = 'workspaces/main';

test.each(['page_size=', 'page_size=&page_token=', 'page_token='])(
  'D-6: a list with %s is the default page',
  async (query) => {
    const api = await startConfigApi();
    await withSource(api);
    expect(await api.ok('GET', `/${MAIN}/sources?${query}`)).toEqual(await api.ok('GET', `/${MAIN}/sources`));
  },
);

test.each([
  ['a source', 'sources', { source: { name: 'workspaces/other/sources/s' } }],
  ['a destination', 'sources/s/destinations', { destination: { name: 'workspaces/other/sources/s/destinations/d' } }],
  ['a tracking plan', 'tracking-plans', { tracking_plan: { display_name: 'Plan' } }],
  ['a filter', 'sources/s/destinations/d/filters', { filter: { if: 'all' } }],
  ['a regulation', 'regulations', { regulation_type: 'Delete', attributes: { name: 'userId', values: ['u'] } }],
])('D-8: a create of %s names the workspace that is missing or not for the token', async (_what, path, body) => {
  const api = await startConfigApi();
  const expected = { status: 404, body: { error: 'workspaces/other does not exist', code: 5 } };
  expect(await api.call('POST', `/workspaces/other/${path}`, body)).toMatchObject(expected);
  await api.ok('POST', '/workspaces', { workspace: { name: 'workspaces/other' } });
  const access_token = { description: 'bound', scopes: 'workspace', workspace_names: [MAIN] };
  const { token } = await api.ok('POST', '/access-tokens', { access_token });
  expect(await api.call('POST', `/workspaces/other/${path}`, body, { token: String(token) })).toMatchObject(expected);
});

test('CFG-14: a display_name has at most 1000 characters', async () => {
  const api = await startConfigApi();
  const source = await withSource(api);
  const rename = (display_name: string) =>
    api.call('PATCH', `/${source}`, { source: { display_name }, update_mask: { paths: ['display_name'] } });
  expect(await rename('é'.repeat(1_000))).toMatchObject({ status: 200 });
  expect(await rename('é'.repeat(1_001))).toMatchObject({ status: 400, body: { code: 3 } });
  const long = { name: `${MAIN}/sources/long`, display_name: 'x'.repeat(1_001) };
  expect(await api.call('POST', `/${MAIN}/sources`, { source: long })).toMatchObject({ status: 400 });
});

test('CFG-14: an api_host, which everybody may ask for, has at most 1000 characters', async () => {
  const api = await startConfigApi();
  const source = await withSource(api);
  const paths = ['source.library_config.api_host'];
  const lead = (api_host: string) =>
    api.call('PATCH', `/${source}`, { source: { library_config: { api_host } }, update_mask: { paths } });
  expect(await lead('h'.repeat(1_000))).toMatchObject({ status: 200 });
  expect(await lead('h'.repeat(1_001))).toMatchObject({ status: 400, body: { error: /api_host/, code: 3 } });
  const long = { name: `${MAIN}/sources/long`, library_config: { api_host: 'h'.repeat(1_001) } };
  expect(await api.call('POST', `/${MAIN}/sources`, { source: long })).toMatchObject({ status: 400 });
});

test.each<[failure: 'Unimplemented' | 'Internal' | 'Unavailable', lines: number]>([
  ['Unimplemented', 0],
  ['Internal', 1],
  ['Unavailable', 1],
])('CFG-19: an answer of %s is %d lines of errors in the log', async (failure, lines) => {
  const log = new RecordingLog();
  const answer = answerErrors(log, ({ message }) => ({ message }));
  await requestOf((ctx, _next) => answer(ctx, () => Promise.reject(new ApiError(failure, 'no'))), '/x');
  expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(lines);
});

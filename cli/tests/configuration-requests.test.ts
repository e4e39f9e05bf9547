import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Send } from '../../client/config/call.ts';
import { ConfigApiError } from '../../client/config/config-api-error.ts';
import { startConfigApi, TOKEN } from '../../server/tests/support/config-api.ts';
import { createRouterApi } from '../configuration/api.ts';
import { readWorkspace } from '../configuration/live.ts';
import type { SourceNode, WorkspaceNode } from '../configuration/model.ts';
import { sendTo } from '../connection.ts';
import { connectedTo } from './support/command-line.ts';

const SOURCES = 40;

/** A router with sources, each with two destinations, of which one has a filter; and the paths that were asked for. */
async function startRouter() {
  const { url } = await startConfigApi();
  const config = [{ name: 'hooks', value: [{ hook: 'https://example.com/hook' }] }];
  const filters = [{ title: 'No tests', if: 'event = "Test"', actions: [{ type: 'drop_event' }] }];
  const source = {
    schema_config: { allow_unplanned_track_events: false },
    destinations: { webhooks: { enabled: true, config, filters }, 'webhooks-b': {} },
  };
  const sources = Object.fromEntries(Array.from({ length: SOURCES }, (_, at) => [`s${at}`, source]));
  const stdin = stringify({ version: 1, workspaces: { main: { sources } } });
  const applied = await connectedTo(url, TOKEN, { stdin })('apply', '-f', '-', '--yes');
  expect(applied.status, applied.stderr).toBe(0);
  const asked: string[] = [];
  const send = sendTo({ url, token: TOKEN, workspace: 'main' });
  const counting: Send = (call) => {
    asked.push(call.path);
    return send(call);
  };
  return { asked, counting };
}

const WHOLE = /\{workspace\}\/(destinations|filters|schema-configs)$/;

/** As a router of an earlier version answers. */
function withoutWhole(send: Send): Send {
  return (call) => {
    if (!WHOLE.test(call.path)) return send(call);
    const request = { method: 'GET', url: call.path };
    throw new ConfigApiError({ kind: 'NotFound', message: 'no such path', request, status: 404, attempts: 1 });
  };
}

test('a workspace is read in a handful of requests, however many sources it has, and as source by source', async () => {
  const { asked, counting } = await startRouter();
  const whole = await readWorkspace(createRouterApi(counting), 'main');
  expect(asked.length).toBeLessThan(10);
  asked.length = 0;
  const one = await readWorkspace(createRouterApi(withoutWhole(counting)), 'main');
  expect(asked.length).toBeGreaterThan(4 * SOURCES);
  expect(whole).toEqual(one);
  expect(whole?.sources.get('s7')?.destinations?.get('webhooks')?.filters).toMatchObject([
    { fields: { title: 'No tests' } },
  ]);
});

test('of a large workspace a small file reads what it names alone', async () => {
  const { asked, counting } = await startRouter();
  const destinations: SourceNode['destinations'] = new Map([['webhooks', { fields: {}, filters: [] }]]);
  const source: SourceNode = { fields: {}, schemaConfig: { allow_unplanned_track_events: true }, destinations };
  const computed = { audiences: [], computedTraits: [] };
  const wanted: WorkspaceNode = { fields: {}, quota: {}, sources: new Map([['s7', source]]), plans: [], computed };
  const read = await readWorkspace(createRouterApi(counting), 'main', wanted);
  expect(asked.filter((path) => WHOLE.test(path))).toEqual([]);
  expect(asked.length).toBeLessThan(10);
  expect(read?.sources.get('s7')?.destinations?.size).toBe(2);
});

test.each([
  ['at once', (send: Send) => send],
  ['source by source', withoutWhole],
])('what is deleted while a workspace is read %s is no part of it, and all else is', async (_how, as) => {
  const { counting } = await startRouter();
  const { sources: before } = (await readWorkspace(createRouterApi(counting), 'main')) ?? { sources: new Map() };
  const api = createRouterApi(counting);
  const deletions = [
    () => api.remove('sources', `${SOURCE}7`),
    () => api.remove('destinations', `${SOURCE}8/destinations/webhooks`),
  ];
  const changing: Send = async (call) => {
    const answer = await counting(call);
    if (/\/(sources|destinations)$/.test(call.path)) await deletions.shift()?.();
    return answer;
  };
  const read = await readWorkspace(createRouterApi(as(changing)), 'main');
  expect(deletions).toEqual([]);
  expect([...(read?.sources.keys() ?? [])]).toEqual([...before.keys()].filter((slug) => slug !== 's7'));
  expect(read?.sources.get('s9')).toEqual(before.get('s9'));
});

const SOURCE = 'workspaces/main/sources/s';

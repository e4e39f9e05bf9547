import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Send } from '../../client/config/call.ts';
import { type ConfigApiServer, startConfigApi, TOKEN } from '../../server/tests/support/config-api.ts';
import { createRouterApi } from '../configuration/api.ts';
import { createTaker } from '../configuration/apply.ts';
import type { Step } from '../configuration/differences.ts';
import { sendTo } from '../connection.ts';
import { connectedTo } from './support/command-line.ts';

const trait = (eq: string) => ({ trait: 'plan', is: { eq } });

/** Of each kind one resource, as a file has them. */
const main = (text: string, flag: boolean, limit: number) => ({
  display_name: text,
  quota: { events_per_day: limit },
  sources: {
    web: {
      display_name: text,
      labels: { by: 'ci' },
      schema_config: { allow_unplanned_track_events: flag },
      destinations: {
        webhooks: {
          display_name: text,
          config: [{ name: 'hooks', value: [{ hook: `https://example.com/${text}` }] }],
          filters: [{ title: 'One', if: `event = "${text}"`, actions: [{ type: 'drop_event' }] }],
        },
      },
    },
  },
  tracking_plans: [{ display_name: 'Shop', rules: { events: [{ name: text, version: 1 }] } }],
  computed_traits: [
    { display_name: 'Trait', definition: { counter: { where: `event = "${text}"`, sources: ['web'] } }, enabled: flag },
  ],
  audiences: [{ display_name: 'Users', definition: trait(text), destinations: ['web/webhooks'] }],
});

/** A router, and somebody who applies to it, or asks first and has the answer wait for what others do. */
async function startRouter() {
  const api = await startConfigApi();
  const apply = async (wanted: object, meanwhile?: (api: ConfigApiServer) => Promise<unknown>) => {
    const answer = async (): Promise<boolean> => {
      await meanwhile?.(api);
      return true;
    };
    const stdin = stringify({ version: 1, workspaces: { main: wanted } });
    return connectedTo(api.url, TOKEN, { stdin, answer })('apply', '-f', '-', '--prune', 'by=ci');
  };
  return { api, apply };
}

const SOURCE = '/workspaces/main/sources/web';
const WEBHOOKS = `${SOURCE}/destinations/webhooks`;

async function onlyOne(api: ConfigApiServer, collection: string): Promise<string> {
  const listed = JSON.stringify(await api.ok('GET', `/workspaces/main/${collection}`));
  return `/${/"name":"([^"]+)"/.exec(listed)?.[1]}`;
}

test.each<[label: string, key: string, at: (api: ConfigApiServer) => Promise<string>, path: string, value: unknown]>([
  ['main', 'workspace', async () => '/workspaces/main', 'display_name', 'Theirs'],
  ['main/quota', 'quota', async () => '/workspaces/main/quota', 'events_per_day', 7],
  ['main/web', 'source', async () => SOURCE, 'display_name', 'Theirs'],
  [
    'main/web/schema-config',
    'schema_config',
    async () => `${SOURCE}/schema-config`,
    'common_track_event_on_violations',
    'BLOCK',
  ],
  ['main/web/webhooks', 'destination', async () => WEBHOOKS, 'config', [{ name: 'sharedSecret', value: 'theirs' }]],
  ['main/web/webhooks/filter "One"', 'filter', (api) => onlyOne(api, 'filters'), 'description', 'Theirs'],
  [
    'main/tracking plan "Shop"',
    'tracking_plan',
    (api) => onlyOne(api, 'tracking-plans'),
    'rules',
    { events: [{ name: 'theirs', version: 1 }] },
  ],
  ['main/computed trait "Trait"', 'computed_trait', (api) => onlyOne(api, 'computed-traits'), 'enabled', false],
  ['main/audience "Users"', 'audience', (api) => onlyOne(api, 'audiences'), 'definition', trait('theirs')],
])('what somebody changes of %s while apply asks is not undone, and named', async (label, key, at, path, value) => {
  const { api, apply } = await startRouter();
  expect(await apply(main('one', true, 5))).toMatchObject({ stderr: expect.stringContaining('applied') });
  let theirs: unknown;
  const applied = await apply(main('two', false, 6), async () => {
    const body = { [key]: { [path]: value }, update_mask: { paths: [`${key}.${path}`] } };
    theirs = await api.ok('PATCH', await at(api), body);
  });
  expect(applied).toMatchObject({ status: 1 });
  expect(applied.stderr).toContain(`waybill: ${label} was changed meanwhile`);
  expect(await api.ok('GET', await at(api))).toEqual(theirs);
  expect(await apply(main('two', false, 6))).toMatchObject({ status: 0 });
});

test('what others change elsewhere keeps nothing from being applied', async () => {
  const { api, apply } = await startRouter();
  await apply(main('one', true, 5));
  const applied = await apply(main('two', false, 6), async () => {
    await api.ok('POST', '/workspaces/main/sources', { source: { name: 'workspaces/main/sources/mine' } });
  });
  expect(applied).toMatchObject({ status: 0 });
});

test.each([
  [
    'main/web',
    { sources: {} },
    async (api: ConfigApiServer) => {
      const body = { source: { labels: {} }, update_mask: { paths: ['source.labels'] } };
      await api.ok('PATCH', SOURCE, body);
    },
  ],
  [
    'main/web/webhooks',
    { sources: { web: { destinations: {} } } },
    async (api: ConfigApiServer) => {
      await api.ok('PATCH', WEBHOOKS, {
        destination: { enabled: true },
        update_mask: { paths: ['destination.enabled'] },
      });
    },
  ],
  [
    'main/web/webhooks/filter "One"',
    { sources: { web: { destinations: { webhooks: { filters: [] } } } } },
    async (api: ConfigApiServer) => {
      const filter = await onlyOne(api, 'filters');
      await api.ok('PATCH', filter, { filter: { enabled: true }, update_mask: { paths: ['filter.enabled'] } });
    },
  ],
])('%s is not deleted once somebody has changed it', async (label, wanted, meanwhile) => {
  const { audiences: _a, computed_traits: _c, ...first } = main('one', true, 5);
  const { api, apply } = await startRouter();
  await apply(first);
  const applied = await apply(wanted, meanwhile);
  expect(applied).toMatchObject({ status: 1 });
  expect(applied.stderr).toContain(`waybill: ${label} was changed meanwhile`);
  expect((await api.call('GET', WEBHOOKS)).status).toBe(200);
});

test('a change that comes in the last moment is not undone, either', async () => {
  const { api, apply } = await startRouter();
  await apply(main('one', true, 5));
  const send = sendTo({ url: api.url, token: TOKEN, workspace: 'main' });
  const racing: Send = async (call) => {
    if (call.method === 'patch') await api.ok('PATCH', SOURCE, theirs);
    return send(call);
  };
  const theirs = { source: { display_name: 'Theirs' }, update_mask: { paths: ['source.display_name'] } };
  const before = { display_name: 'one', labels: { by: 'ci' } };
  const { write_keys, catalog_name, library_config } = await api.ok('GET', SOURCE);
  const step: Step = {
    action: 'update',
    kind: 'sources',
    label: 'main/web',
    name: SOURCE.slice(1),
    fields: { display_name: 'two' },
    before: { ...before, write_keys, catalog_name, library_config },
  };
  await expect(createTaker(createRouterApi(racing), new Map())(step)).rejects.toThrow('main/web was changed meanwhile');
  expect(await api.ok('GET', SOURCE)).toMatchObject({ display_name: 'Theirs' });
});

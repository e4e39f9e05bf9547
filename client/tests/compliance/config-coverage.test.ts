import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type ConfigClient, createConfigClient, isConfigApiError } from '../../config/index.ts';
import { allOperations, operationOf } from '../support/config-contract.ts';

const W = 'workspaces/main';
const S = `${W}/sources/js`;
const D = `${S}/destinations/webhooks`;
const P = `${W}/tracking-plans/rs_1`;
const A = `${W}/audiences/aud_1`;
const T = `${W}/computed-traits/tra_1`;

/** Other spellings of what another operation does, which the client has no need of. */
const OTHER_SPELLINGS = [
  'replaceTrackingPlan',
  'getFilter',
  'updateFilter',
  'deleteFilter',
  'deleteSourceConnection',
  'getSourceRegulation',
  'deleteSourceRegulation',
];

/** Every method of the client once. */
const CALLS: readonly ((client: ConfigClient) => Promise<unknown> | AsyncIterable<unknown>)[] = [
  ...(
    [
      ['accessTokens', 'access-tokens/1'],
      ['workspaces', W],
      ['sources', S],
      ['destinations', D],
      ['filters', `${D}/config/0a/filters/df_1`],
      ['trackingPlans', P],
      ['audiences', A],
      ['computedTraits', T],
    ] as const
  ).flatMap(([kind, name]) => [
    (client: ConfigClient) => client[kind].get(name),
    (client: ConfigClient) => client[kind].getTagged(name),
    (client: ConfigClient) => client[kind].update(name, {}),
    (client: ConfigClient) => client[kind].delete(name),
  ]),
  (client) => client.accessTokens.list(),
  (client) => client.workspaces.list(),
  (client) => client.sources.list(W),
  (client) => client.destinations.list(S),
  (client) => client.destinations.listAll(W),
  (client) => client.filters.list(D),
  (client) => client.filters.listAll(W),
  (client) => client.trackingPlans.list(W),
  (client) => client.accessTokens.create({ description: 'of CI', scopes: 'workspace' }),
  (client) => client.workspaces.create({ name: W }),
  (client) => client.sources.create({ name: S }),
  (client) => client.destinations.create({ name: D }),
  (client) => client.destinations.rotateSecret(D),
  (client) => client.destinations.cancelRotation(D),
  (client) => client.destinations.finishRotation(D),
  (client) => client.destinations.previewShape([{ op: 'drop', paths: ['context'] }], { event: 'Test' }),
  (client) => client.filters.create(D, { if: 'all' }),
  (client) => client.filters.preview({ if: 'all' }, { event: 'Test' }),
  (client) => client.trackingPlans.create(W, { display_name: 'Plan' }),
  (client) => client.audiences.list(W),
  (client) => client.audiences.create(W, { display_name: 'Buyers', definition: {} }),
  (client) => client.audiences.preview(W, {}),
  (client) => client.audiences.members(A),
  (client) => client.audiences.explain(A, 'user/1'),
  (client) => client.computedTraits.list(W),
  (client) => client.computedTraits.values(T),
  (client) => client.computedTraits.create(W, { display_name: 'Spent', definition: {} }),
  ...(
    [
      ['audiences', A],
      ['computedTraits', T],
    ] as const
  ).flatMap(([kind, name]) => [
    (client: ConfigClient) => client[kind].sync(name),
    (client: ConfigClient) => client[kind].syncs(name),
    (client: ConfigClient) => client[kind].cancelSync(`${name}/syncs/1`),
  ]),
  (client) => client.profiles.get(W, 'user/1'),
  (client) => client.profiles.delete(W, 'user/1'),
  (client) => client.quotas.get(`${W}/quota`),
  (client) => client.quotas.getTagged(`${W}/quota`),
  (client) => client.quotas.update(`${W}/quota`, {}),
  (client) => client.schemaConfigs.list(W),
  (client) => client.schemaConfigs.get(`${S}/schema-config`),
  (client) => client.schemaConfigs.getTagged(`${S}/schema-config`),
  (client) => client.schemaConfigs.update(`${S}/schema-config`, {}),
  (client) => client.sourceConnections.list(P),
  (client) => client.sourceConnections.create(P, S),
  (client) => client.sourceConnections.createAll(P, [S]),
  (client) => client.sourceConnections.delete(P, S),
  (client) => client.deliveries.list(D),
  (client) => client.deliveries.page(D),
  (client) => client.deliveries.get(`${D}/deliveries/1`),
  (client) => client.deliveries.replay(`${D}/deliveries/1`),
  (client) => client.replays.list(D),
  (client) => client.replays.get(`${D}/replays/1`),
  (client) => client.replays.create(D),
  (client) => client.replays.cancel(`${D}/replays/1`),
  (client) => client.metrics.list(D),
  (client) => client.metrics.get(`${D}/metrics/successes`),
  (client) => client.metrics.summary(D),
  (client) => client.metrics.getAll(D, [`${D}/metrics/successes`]),
  (client) => client.metrics.summaries(W, [D]),
  (client) => client.acceptedEvents.get(S),
  (client) => client.acceptedEvents.count(S),
  (client) => client.acceptedEvents.watch(S),
  (client) => client.droppedEvents.get(S),
  (client) => client.violations.get(S),
  (client) => client.unknownKeys.get(),
  (client) => client.nodes.list(),
  (client) => client.settings.get(),
  (client) => client.overviews.get(W),
  (client) => client.queues.get(D),
  (client) => client.backup.download(),
  (client) => client.auditEntries.list(W),
  (client) => client.auditEntries.listRoot(),
  (client) => client.regulations.list(W),
  (client) => client.regulations.get(`${W}/regulations/rg_1`),
  (client) =>
    client.regulations.create(W, { regulation_type: 'Delete', attributes: { name: 'userId', values: ['u'] } }),
  (client) => client.regulations.delete(`${W}/regulations/rg_1`),
  (client) => client.regulations.deleteAll(S),
  (client) => client.suppressedUsers.list(W),
  (client) => client.catalogSources.list(),
  (client) => client.catalogSources.get('catalog/sources/javascript'),
  (client) => client.catalogDestinations.list(),
  (client) => client.catalogDestinations.get('catalog/destinations/webhooks'),
];

/** Methods that ask for another operation when they are given a source in the place of a workspace. */
const CALLS_OF_SOURCES: typeof CALLS = [
  (client) => client.regulations.list(S),
  (client) =>
    client.regulations.create(S, { regulation_type: 'Delete', attributes: { name: 'userId', values: ['u'] } }),
  (client) => client.suppressedUsers.list(S),
];

/** The operations that calls ask for, of an API that has nothing; every call is told so. */
async function operationsOf(calls: typeof CALLS): Promise<Set<string>> {
  const asked = new Set<string>();
  const fetch = async ({ method, url }: Request): Promise<Response> => {
    asked.add(operationOf(method, new URL(url).pathname) ?? `${method} ${url}`);
    return Response.json({ error: 'nothing is here', code: 5 }, { status: 404 });
  };
  const client = createConfigClient({ baseUrl: 'http://127.0.0.1:1', token: 'token', fetch });
  for (const call of calls) {
    const result = call(client);
    const ended = Symbol.asyncIterator in result ? Array.fromAsync(result) : result;
    expect(
      await ended.then(
        () => 'answered',
        (error: unknown) => isConfigApiError(error, 'NotFound'),
      ),
    ).toBe(true);
  }
  return asked;
}

test('every operation of the contract has its method', async () => {
  const asked = await operationsOf([...CALLS, ...CALLS_OF_SOURCES]);
  const missing = allOperations().filter((operation) => !asked.has(operation));
  expect(missing.toSorted()).toEqual(OTHER_SPELLINGS.toSorted());
  expect([...asked].filter((operation) => !allOperations().includes(operation))).toEqual([]);
});

test('every method of the client is among these calls', () => {
  const client = createConfigClient({ baseUrl: 'http://127.0.0.1:1', token: 'token' });
  expect(CALLS).toHaveLength(Object.values(client).flatMap((methods) => Object.keys(methods)).length);
});

test('docs/client/config.md lists each property of the client, and each method beside the standard ones', () => {
  const page = readFileSync(new URL('../../../docs/client/config.md', import.meta.url), 'utf8');
  const client = createConfigClient({ baseUrl: 'http://router.test', token: 'token' });
  expect(Object.keys(client).filter((property) => !page.includes(`\`${property}\``))).toEqual([]);
  const { audiences, computedTraits, profiles } = client;
  const methods = [audiences, computedTraits, profiles].flatMap((each) => Object.keys(each));
  expect(methods.filter((method) => !new RegExp(`\\b${method}\\b`).test(page))).toEqual([]);
});

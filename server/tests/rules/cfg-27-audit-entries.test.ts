import { expect, test } from 'vitest';
import { changedFields, MAX_ENTRIES, outdatedEntries } from '../../storage/resources/audit.ts';
import { toEntry } from '../../storage/resources/stored-entry.ts';
import type { Commit } from '../../storage/config-store.ts';
import { type ContractOperation, loadContract } from '../contract/contract-document.ts';
import { exampleOf, Givens } from '../contract/givens.ts';
import { startWorld } from '../contract/world.ts';
import { startConfigApi, withWebhooks } from '../support/config-api.ts';

const contract = loadContract();

/** What they ask for changes no configuration. */
const CHANGES_NOTHING = [
  'downloadBackup',
  'previewFilter',
  'previewAudience',
  'replayDelivery',
  'createReplay',
  'cancelReplay',
  'syncAudience',
  'cancelAudienceSync',
  'syncComputedTrait',
  'cancelComputedTraitSync',
];

/** Without the example of another one, they find nothing to change. */
const AFTER: Readonly<Record<string, string>> = {
  cancelSecretRotation: 'rotateSecret',
  finishSecretRotation: 'rotateSecret',
  cancelSourceRegulations: 'createSourceRegulation',
};

/** Commits that the example of an operation made, each as the operations that its entries name, or none. */
async function commitsOf(operation: ContractOperation): Promise<string[][]> {
  const world = await startWorld({ keepsLog: true });
  const givens = new Givens(contract, world);
  for (const one of [contract.operations.find(({ id }) => id === AFTER[operation.id])])
    if (one !== undefined) await world.send(exampleOf(one, await givens.prepare(one)));
  const example = exampleOf(operation, await givens.prepare(operation));
  const commits: Commit[] = [];
  const stop = await world.gate.current.watch((commit) => void commits.push(commit));
  const standing = commits.length;
  const { status, body } = await world.send(example);
  expect({ status, body }).toMatchObject({ status: 200 });
  stop();
  return commits
    .slice(standing)
    .filter((commit) => !isLastUse(commit))
    .map(({ changes }) =>
      changes.flatMap((change) => {
        if (change.kind !== 'audit-entries' || change.row === undefined) return [];
        return [change.row.resource.operation];
      }),
    );
}

/** That a token was used is noted beside its requests. */
function isLastUse({ changes: [change, ...others] }: Commit): boolean {
  if (change?.kind !== 'access-tokens' || others.length > 0) return false;
  return change.row?.resource.last_used_time !== undefined;
}

const WRITING = contract.operations.filter(({ scopes }) => scopes.includes('write'));

test.each(WRITING)('CFG-27: $id leaves an entry in the very commits that it makes', async (operation) => {
  const commits = await commitsOf(operation);
  const isChange = !CHANGES_NOTHING.includes(operation.id);
  expect(commits.length > 0, 'a commit was made').toBe(isChange);
  expect(commits).toEqual(commits.map(() => [operation.id]));
});

test('CFG-27: entries tell who changed which fields and from where, newest first, and hold no secret', async () => {
  const api = await startConfigApi();
  const name = await withWebhooks(api, { enabled: false });
  const secret = 'a-secret-that-nobody-else-knows';
  const hooks = { name: 'hooks', value: [{ hook: 'https://example.com/hook' }] };
  const config = [hooks, { name: 'sharedSecret', value: secret }];
  const update = {
    destination: { enabled: true, config },
    update_mask: { paths: ['destination.enabled', 'destination.config'] },
  };
  await api.ok('PATCH', `/${name}`, update);
  const { audit_entries: entries } = await api.ok('GET', '/workspaces/main/audit-entries');
  expect(entries).toMatchObject([
    {
      operation: 'updateDestination',
      resource: name,
      fields: ['config.hooks', 'config.sharedSecret', 'enabled'],
      address: '127.0.0.1',
    },
    {
      operation: 'createDestination',
      resource: name,
      fields: [],
      token: expect.stringMatching(/^access-tokens\/\w+$/),
    },
    { operation: 'createSource', resource: 'workspaces/main/sources/js' },
  ]);
  expect(JSON.stringify(entries)).not.toContain(secret);
  const all = await api.ok('GET', '/audit-entries');
  expect(all).toEqual({ audit_entries: [], next_page_token: '' });
  await api.ok('POST', '/access-tokens', { access_token: { description: 'CI', scopes: 'workspace' } });
  const { audit_entries: tokens } = await api.ok('GET', '/audit-entries');
  expect(tokens).toMatchObject([{ operation: 'createAccessToken' }]);
});

test('CFG-27: entries are filtered by resource and time, and paged', async () => {
  const api = await startConfigApi();
  const name = await withWebhooks(api);
  const noon = new Date(api.time.now).toISOString();
  api.time.now += 3_600_000;
  for (const display_name of ['one', 'two', 'three'])
    await api.ok('PATCH', `/${name}`, {
      destination: { display_name },
      update_mask: { paths: ['destination.display_name'] },
    });
  const list = async (query: string) => {
    const page = await api.ok('GET', `/workspaces/main/audit-entries?${query}`);
    const entries: unknown[] = Array.from(Object(page['audit_entries']));
    const operations = entries.map((entry) => String(Object(entry).operation));
    return { operations, token: String(page['next_page_token']) };
  };
  const updates = ['updateDestination', 'updateDestination', 'updateDestination'];
  expect(await list(`from=${new Date(api.time.now).toISOString()}`)).toEqual({ operations: updates, token: '' });
  expect((await list(`to=${new Date(Date.parse(noon) + 1).toISOString()}`)).operations).toHaveLength(2);
  expect((await list('resource=workspaces/main/sources/js')).operations).toHaveLength(5);
  expect((await list(`resource=${name}`)).operations).toHaveLength(4);
  expect((await list('resource=workspaces/main/sources/j')).operations).toEqual([]);
  const first = await list('page_size=3');
  expect(first.operations).toEqual(updates);
  const second = await list(`page_token=${first.token}`);
  expect(second).toEqual({ operations: ['createDestination', 'createSource'], token: '' });
  const other = await api.call('GET', `/workspaces/main/audit-entries?resource=x&page_token=${first.token}`);
  expect(other.status).toBe(400);
});

test('CFG-27: of more entries than are kept, the oldest go', () => {
  const entry = { create_time: '2026-11-20T00:00:00Z', operation: '', resource: '', fields: [], token: '' };
  const rows = Array.from({ length: MAX_ENTRIES + 2 }, (_, index) => {
    const resource = { ...entry, name: `audit-entries/${index}`, token_description: '', address: '' };
    return toEntry(index, resource);
  });
  expect(outdatedEntries(rows.slice(2), entry.create_time)).toEqual([]);
  expect(outdatedEntries(rows, entry.create_time)).toEqual(['audit-entries/0', 'audit-entries/1']);
});

test('CFG-27: fields are named as deep as settings go, without their values', () => {
  const before = {
    a: 1,
    labels: { x: '1', y: '2' },
    config: [{ name: 'd/config/hooks', value: ['old'] }],
    keys: ['k'],
  };
  const after = { a: 1, labels: { x: '1', z: '3' }, config: [{ name: 'd/config/hooks', value: ['new'] }], keys: [] };
  expect(changedFields(before, after)).toEqual(['config.hooks', 'keys', 'labels.y', 'labels.z']);
});

test('CFG-27: an entry of more paths than people read names the fields alone, so that entries take little', () => {
  const labels = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`label-${index}`, 'x']));
  const after = { labels, display_name: 'b', [`long${'.name'.repeat(2_000)}`]: 1 };
  expect(changedFields({ labels: {}, display_name: 'a' }, after)).toEqual(['display_name', 'labels', 'long']);
});

test('CFG-27: the first entries go alone, whatever the clock said when they were made', () => {
  const rows = ['2027-01-01', '2026-01-01', '2026-11-01'].map((day, index) => {
    const resource = { create_time: `${day}T00:00:00Z`, operation: '', resource: '', fields: [], token: '' };
    return toEntry(index, { ...resource, name: String(index), token_description: '', address: '' });
  });
  expect(outdatedEntries(rows, '2026-11-20T00:00:00Z')).toEqual([]);
  expect(outdatedEntries(rows.slice(1), '2026-11-20T00:00:00Z')).toEqual(['1']);
});

test('CFG-27: a token that is bound to a workspace sees its entries, and not those of the router', async () => {
  const api = await startConfigApi();
  const access_token = { description: 'bound', scopes: 'workspace', workspace_names: ['workspaces/main'] };
  const { token } = await api.ok('POST', '/access-tokens', { access_token });
  const bound = { token: String(token) };
  expect(await api.call('GET', '/workspaces/main/audit-entries', undefined, bound)).toMatchObject({ status: 200 });
  expect(await api.call('GET', '/audit-entries', undefined, bound)).toMatchObject({ status: 403 });
});

test('CFG-27: a request that is refused, or finds nothing, leaves no entry', async () => {
  const api = await startConfigApi();
  const name = await withWebhooks(api);
  const before = await api.ok('GET', '/workspaces/main/audit-entries');
  const again = { destination: { name, config: [] } };
  expect(await api.call('POST', '/workspaces/main/sources/js/destinations', again)).toMatchObject({ status: 409 });
  expect(await api.call('DELETE', '/workspaces/main/sources/none')).toMatchObject({ status: 404 });
  expect(await api.ok('GET', '/workspaces/main/audit-entries')).toEqual(before);
});

import { expect, test } from 'vitest';
import { loadDocument } from '../../http/document.ts';
import { hashToken } from '../../resources/callers.ts';
import type { Kind, Resources } from '../../model/resources.ts';
import { ESSENTIAL } from '../../model/stored-rows.ts';
import { openConfigStore } from '../../storage/file/resources/config-store.ts';
import { type ConfigApiServer, startConfigApi, TOKEN } from '../support/config-api.ts';
import { memoryDisk } from '../support/config-disk.ts';
import * as stored from '../support/config-resources.ts';
import { RecordingLog } from '../support/ingestion-log.ts';

const [SOURCE, HOOKS] = ['workspaces/main/sources/js', 'workspaces/main/sources/js/destinations/webhooks'];
const MASTER = { ...stored.token('99', hashToken(TOKEN)), name: 'access-tokens/99' };

interface Case {
  readonly kind: Kind;
  readonly row: object;
  /** The schema of its answer. */
  readonly schema: string;
  readonly path: string;
  readonly key?: string;
}

const PLAN = `rs_${'a'.repeat(27)}`;
const CASES: readonly Case[] = [
  {
    kind: 'access-tokens',
    row: { ...stored.token('98'), name: 'access-tokens/98' },
    schema: 'AccessToken',
    path: '/access-tokens/98',
    key: 'access_token',
  },
  {
    kind: 'workspaces',
    row: stored.workspace('old', '00000000bb'),
    schema: 'Workspace',
    path: '/workspaces/old',
    key: 'workspace',
  },
  {
    kind: 'sources',
    row: stored.source('main', 'old'),
    schema: 'Source',
    path: '/workspaces/main/sources/old',
    key: 'source',
  },
  {
    kind: 'destinations',
    row: stored.destination(SOURCE, 'old'),
    schema: 'Destination',
    path: `/${SOURCE}/destinations/old`,
    key: 'destination',
  },
  {
    kind: 'tracking-plans',
    row: stored.trackingPlan('main', PLAN),
    schema: 'TrackingPlan',
    path: `/workspaces/main/tracking-plans/${PLAN}`,
    key: 'tracking_plan',
  },
  {
    kind: 'filters',
    row: stored.filter(HOOKS, `df_${'a'.repeat(27)}`),
    schema: 'Filter',
    path: `/${HOOKS}/filters/df_${'a'.repeat(27)}`,
    key: 'filter',
  },
  {
    kind: 'regulations',
    row: stored.regulation('main', `rg_${'a'.repeat(27)}`),
    schema: 'Regulation',
    path: `/workspaces/main/regulations/rg_${'a'.repeat(27)}`,
  },
];

const missing = CASES.flatMap((one) =>
  requiredOf(one.schema)
    .filter((field) => field in one.row && !ESSENTIAL[one.kind].some((essential) => essential === field))
    .map((field) => ({ ...one, field })),
);

test('D-6: fields that an earlier version stored with a webhook are not answered', async () => {
  const row = stored.destination('workspaces/main/sources/old');
  const value = [
    { hook: 'https://a.test/', note: 'secret', headers: [{ key: 'X-Team', value: 'web', more: 'secret' }] },
  ];
  const config = [{ name: `${row.name}/config/hooks`, display_name: '', type: 'mixed', value }];
  const api = await startWith('destinations', { ...row, config });
  const answer = JSON.stringify(await api.ok('GET', `/${row.name}`));
  expect(answer).not.toContain('secret');
  expect(answer).toContain('[{"hook":"https://a.test/","headers":[{"key":"X-Team","value":"web"}]}]');
});

test('CFG-23: a row that lacks nothing is answered with the entity tag that it had before a restart', async () => {
  const before = await startConfigApi();
  const [workspace] = [
    await before.call('POST', '/workspaces', { workspace: { name: 'workspaces/w', display_name: 'W' } }),
  ];
  const row = await before.store.get('workspaces', 'workspaces/w');
  const after = await startWith('workspaces', row ?? {});
  expect((await after.call('GET', '/workspaces/w')).headers.get('etag')).toBe(workspace.headers.get('etag'));
});

test.each(missing)('CFG-23: a stored row of $kind without $field is answered as the contract says', async (one) => {
  const { [one.field]: _left, ...row } = { ...one.row } as Record<string, unknown>;
  const api = await startWith(one.kind, row);
  expect((await api.ok('GET', one.path))[one.field]).toBeDefined();
  await api.ok('GET', collectionOf(one.path));
  await changes(api, one);
});

test.each(CASES)(
  'CFG-23: a stored row of $kind with what is essential alone is answered as the contract says',
  async (one) => {
    const essential: readonly string[] = ESSENTIAL[one.kind];
    const row = Object.fromEntries(Object.entries(one.row).filter(([field]) => essential.includes(field)));
    const api = await startWith(one.kind, row);
    expect(await api.ok('GET', one.path)).toMatchObject({ name: expect.any(String) });
    await api.ok('GET', collectionOf(one.path));
    await changes(api, one);
  },
);

test.each([
  ['a source whose library_config has one field', 'sources', { library_config: { retry_queue: true } }, ''],
  [
    'a source whose schema_config has one field',
    'sources',
    { schema_config: { allow_unplanned_track_events: false } },
    '/schema-config',
  ],
  [
    'a destination whose config entry has no type',
    'destinations',
    { config: [{ name: 'x/config/key', value: ['k'] }] },
    '',
  ],
  ['a regulation whose sources have no status', 'regulations', { source_status: [{ source_name: SOURCE }] }, ''],
] as const)('CFG-23: %s is answered as the contract says, with what it has', async (_what, kind, fields, below) => {
  const one = CASES.find((known) => known.kind === kind);
  const api = await startWith(kind, { ...one?.row, ...fields });
  const answer = await api.ok('GET', `${one?.path}${below}`);
  expect(answer).toMatchObject('schema_config' in fields ? fields.schema_config : fields);
});

test('a token without scopes is one that only reads', async () => {
  const { scopes: _scopes, ...row } = stored.token('98', hashToken('older'));
  const api = await startWith('access-tokens', row);
  const answer = await api.call('POST', '/workspaces', { workspace: { name: 'workspaces/x' } }, { token: 'older' });
  expect(answer.status).toBe(403);
});

async function changes(api: ConfigApiServer, { path, key }: Case): Promise<void> {
  if (key === undefined) return;
  const field = key === 'filter' ? 'title' : key === 'access_token' ? 'description' : 'display_name';
  const tag = (await api.call('GET', path)).headers.get('etag') ?? '';
  const body = { [key]: { [field]: 'new' }, update_mask: { paths: [`${key}.${field}`] } };
  const answer = await api.call('PATCH', path, body, { headers: { 'If-Match': tag } });
  expect(answer).toMatchObject({ status: 200, body: { [field]: 'new' } });
}

/** A router over a folder that holds the row as it is given, beside what it stands below. */
function startWith(kind: Kind, row: object): Promise<ConfigApiServer> {
  const isRoot = kind === 'access-tokens' || kind === 'workspaces';
  const root = [rowOf('access-tokens', MASTER), rowOf('workspaces', stored.workspace('main', '00000000aa'))];
  const home = [rowOf('sources', stored.source('main', 'js')), rowOf('destinations', stored.destination(SOURCE))];
  const files = new Map([
    ['/old/root.json', fileOf('', [...root, ...(isRoot ? [rowOf(kind, row)] : [])])],
    ['/old/00000000aa.json', fileOf('workspaces/main', [...home, ...(isRoot ? [] : [rowOf(kind, row)])])],
  ]);
  return startConfigApi(() => openConfigStore({ folder: '/old', disk: memoryDisk(files), log: new RecordingLog() }));
}

function rowOf(kind: Kind, resource: Partial<Resources[Kind]>): object {
  return { kind, resource };
}

function fileOf(home: string, rows: readonly object[]): string {
  const numbered = rows.map((row, index) => ({ ...row, sequence: index + 1 }));
  return JSON.stringify({
    waybill: 'config',
    format: 1,
    home,
    generation: 1,
    sequence: rows.length,
    removed: [],
    rows: numbered,
  });
}

function requiredOf(schema: string): string[] {
  const required: unknown = loadDocument('config-api').components.schemas?.[schema]?.['required'];
  return Array.isArray(required) ? required.map(String) : [];
}

function collectionOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ConfigApiServer, startConfigApi, TOKEN } from '../../server/tests/support/config-api.ts';
import { type CommandLine, connectedTo, objectsIn } from './support/command-line.ts';

const SECRET = 'a-secret-nobody-may-see';
const FILE = `
version: 1
workspaces:
  main:
    sources:
      web:
        write_keys: ["\${env:WEB_KEY}"]
        labels: { managed-by: ci }
        schema_config: { allow_unplanned_track_events: false }
        destinations:
          webhooks:
            enabled: true
            config:
              - name: hooks
                value: [{ hook: "https://hooks.example.com/a", headers: [{ key: X-A, value: "Bearer \${file:header}" }] }]
              - { name: sharedSecret, value: "\${env:SECRET}" }
            filters:
              - { title: No tests, if: 'event = "Test"', actions: [{ type: drop_event }], enabled: true }
    tracking_plans:
      - display_name: Shop
        sources: [web]
`;

const OF_NO_CHOICE =
  '{version: 1, workspaces: {a: {sources: {b: {schema_config: {common_track_event_on_violations: X}}}}}}';

let api: ConfigApiServer;
let folder: string;
let file: string;
beforeEach(async () => {
  api = await startConfigApi();
  folder = mkdtempSync(join(tmpdir(), 'waybill-configuration-'));
  file = join(folder, 'waybill.yaml');
  writeFileSync(join(folder, 'header'), 'header-value\n');
  writeFileSync(file, FILE);
});
afterEach(() => rmSync(folder, { recursive: true }));

function connected(answer = false): CommandLine {
  return connectedTo(api.url, TOKEN, { answer, env: { WEB_KEY: 'k'.repeat(32), SECRET } });
}

test('apply makes what the file says, once', async () => {
  const waybill = connected();
  const applied = await waybill('apply', '-f', file, '--yes');
  expect(applied).toMatchObject({ status: 0, stderr: 'applied\n' });
  expect(applied.stdout.split('\n')).toEqual([
    '+ main/web',
    '~ main/web/schema-config',
    '    allow_unplanned_track_events: false',
    '+ main/tracking plan "Shop"',
    '+ main/tracking plan "Shop" for web',
    '+ main/web/webhooks',
    '+ main/web/webhooks/filter "No tests"',
    '',
  ]);
  const source = await api.ok('GET', '/workspaces/main/sources/web');
  expect(source).toMatchObject({ write_keys: ['k'.repeat(32)] });
  const destination = await api.ok('GET', '/workspaces/main/sources/web/destinations/webhooks');
  expect(JSON.stringify(destination)).toContain('"Bearer header-value"');
  expect(await waybill('apply', '-f', file, '--yes')).toEqual({ status: 0, stdout: '', stderr: 'no difference\n' });
});

test('apply asks, and changes nothing without a yes', async () => {
  const refused = await connected(false)('apply', '-f', file);
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toContain('+ main/web/webhooks\n');
  expect(refused.stderr).toContain('nothing was changed; --yes applies without asking');
  expect((await api.call('GET', '/workspaces/main/sources/web')).status).toBe(404);
  expect((await connected(true)('apply', '-f', file)).status).toBe(0);
});

test('diff exits with 0, 1 or 2, and shows no secret', async () => {
  const waybill = connected();
  await waybill('apply', '-f', file, '--yes');
  expect((await waybill('diff', '-f', file)).status).toBe(0);
  writeFileSync(file, FILE.replace('enabled: true\n', 'enabled: false\n').replace('${env:SECRET}', SECRET + SECRET));
  const differs = await waybill('diff', '-f', file);
  expect(differs).toEqual({
    status: 1,
    stdout: '~ main/web/webhooks\n    enabled: true → false\n    config: sharedSecret\n',
    stderr: '0 to create, 1 to change, 0 to delete\n',
  });
  const [told] = objectsIn((await waybill('diff', '-f', file, '--json')).stdout);
  const fields = ['enabled', 'config'];
  expect(told).toEqual({ action: 'update', kind: 'destination', name: 'main/web/webhooks', fields });
  const lost = connectedTo('http://127.0.0.1:1', TOKEN, { env: { WEB_KEY: 'k', SECRET } });
  expect((await lost('diff', '-f', file)).status).toBe(2);
});

test.each([
  ['{version: 1, workspaces: {a: {sources: {b: {lables: {}}}}}}', 'b has no field "lables": did you mean labels?'],
  [
    '{version: 1, workspaces: {main: {sources: {web: {write_keys: ["a b"]}}}}}',
    'workspaces.main.sources.web.write_keys.0 must be 1 to 128 visible ASCII characters, the first of them no colon',
  ],
  ['{version: 2, workspaces: {}}', 'version must be 1'],
  [OF_NO_CHOICE, 'common_track_event_on_violations must be one of ALLOW, '],
  ['{version: 1}', "the file must have required property 'workspaces'"],
  [
    '{version: 1, workspaces: {main: {display_name: "${env:NONE}"}}}',
    'workspaces.main.display_name: the variable NONE',
  ],
  ['{version: 1, workspaces: {main: {display_name: "${file:none}"}}}', 'display_name: the file "none" cannot be read'],
  ['version: [', 'is neither JSON nor YAML'],
])('the file %s is refused before anything is asked', async (text, words) => {
  writeFileSync(file, text);
  const { status, stdout, stderr } = await connected()('diff', '-f', file);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(words);
});

test('what the file does not hold stays, and with --prune goes where the label says so', async () => {
  const waybill = connected();
  await waybill('apply', '-f', file, '--yes');
  await waybill('sources', 'create', 'mine');
  await waybill('sources', 'create', 'old', '--labels', '{managed-by: ci}');
  await waybill('destinations', 'create', 'web/webhooks-2');
  await waybill('filters', 'create', 'web/webhooks', '--title', 'Surplus', '--if', 'all');
  expect((await waybill('diff', '-f', file)).status).toBe(0);
  const pruned = await waybill('apply', '-f', file, '--prune', 'managed-by=ci', '--yes');
  expect(pruned.stdout.split('\n').toSorted()).toEqual([
    '',
    '- main/old',
    '- main/web/webhooks-2',
    '- main/web/webhooks/filter "Surplus"',
  ]);
  expect(objectsIn((await waybill('sources', 'list', '--json')).stdout)).toHaveLength(2);
  expect((await waybill('diff', '-f', file, '--prune', 'managed-by')).status).toBe(2);
});

test('ING-11: the quota of a workspace is what the file says, and limits that it does not name stay', async () => {
  const waybill = connected();
  const quota = async (limits: string): Promise<string[]> => {
    writeFileSync(file, `version: 1\nworkspaces: { main: ${limits} }`);
    const { status, stdout } = await waybill('apply', '-f', file, '--yes', '--prune', 'managed-by=ci');
    expect(status).toBe(0);
    const { events_per_second, events_per_day } = await api.ok('GET', '/workspaces/main/quota');
    expect(await waybill('diff', '-f', file)).toMatchObject({ status: 0 });
    return [...stdout.trim().split('\n'), `${String(events_per_second)} ${String(events_per_day)}`];
  };
  expect(await quota('{ quota: { events_per_second: 5 } }')).toEqual([
    '~ main/quota',
    '    events_per_second: 5',
    '5 0',
  ]);
  expect((await quota('{ quota: { events_per_day: 9 } }')).at(-1)).toBe('5 9');
  expect((await waybill('export')).stdout).toContain(
    '    quota:\n      events_per_second: 5\n      events_per_day: 9\n',
  );
  expect((await quota('{}')).at(-1)).toBe('5 9');
  expect(await quota('{ quota: { events_per_second: 0 } }')).toContain('    events_per_second: 5 → 0');
  writeFileSync(file, 'version: 1\nworkspaces: { main: { quota: { events_per_day: -1 } } }');
  const refused = await waybill('diff', '-f', file);
  expect(refused).toMatchObject({ status: 2 });
  expect(refused.stderr).toContain('workspaces.main.quota.events_per_day must be >= 0');
});

test('ING-11: a file with a quota is refused with the words of the router where the token is bound', async () => {
  const access_token = { description: 'bound', scopes: 'workspace', workspace_names: ['workspaces/main'] };
  const { token } = await api.ok('POST', '/access-tokens', { access_token });
  writeFileSync(file, 'version: 1\nworkspaces: { main: { quota: { events_per_second: 5 } } }');
  const refused = await connectedTo(api.url, String(token))('apply', '-f', file, '--yes');
  expect(refused.status).not.toBe(0);
  expect(refused.stderr).toContain('PermissionDenied');
});

test('an export has references in the place of secrets, and says which', async () => {
  const waybill = connected();
  await waybill('apply', '-f', file, '--yes');
  const { stdout, stderr } = await waybill('export');
  expect(stdout).toContain(`# yaml-language-server: $schema=${api.url}/docs/waybill.schema.json\n`);
  for (const secret of [SECRET, 'k'.repeat(32), 'header-value', 'example.com/a']) expect(stdout).not.toContain(secret);
  const variables = [...stdout.matchAll(/\$\{env:(\w+)\}/g)].map(([, name = '']) => name);
  expect(stderr).toBe(`Secrets to set before it is applied:\n  ${variables.join('\n  ')}\n`);
  // What was exported is what stands, once the variables are set.
  const env = {
    MAIN_WEB_WRITE_KEYS_0: 'k'.repeat(32),
    MAIN_WEB_WEBHOOKS_HOOKS_0_HOOK: 'https://hooks.example.com/a',
    MAIN_WEB_WEBHOOKS_HOOKS_0_HEADERS_0_VALUE: 'Bearer header-value',
    MAIN_WEB_WEBHOOKS_SHARED_SECRET: SECRET,
  };
  expect(variables.toSorted()).toEqual(Object.keys(env).toSorted());
  const other = connectedTo(api.url, TOKEN, { env, stdin: stdout });
  expect(await other('diff', '-f', '-')).toMatchObject({ stdout: '', stderr: 'no difference\n' });
});

const twoWorkspaces = (display: string): string => `
version: 1
workspaces:
  shop:
    display_name: Shop
    sources:
      web: { display_name: ${display}, write_keys: [${'s'.repeat(32)}] }
  blog:
    sources:
      web: { display_name: Blog, write_keys: [${'b'.repeat(32)}] }
    tracking_plans:
      - { display_name: Posts, sources: [web] }
`;

test('two workspaces in one file are applied, compared and exported, each with its own', async () => {
  const waybill = connected();
  writeFileSync(file, twoWorkspaces('Shop'));
  const applied = await waybill('apply', '-f', file, '--yes');
  expect(applied).toMatchObject({ status: 0, stderr: 'applied\n' });
  for (const place of ['shop/web', 'blog/web', 'blog/tracking plan "Posts"'])
    expect(applied.stdout).toContain(`+ ${place}\n`);
  expect(await waybill('diff', '-f', file)).toMatchObject({ status: 0 });

  const [shop, blog] = await Promise.all(
    ['shop', 'blog'].map(async (workspace) => (await waybill('export', '--workspace', workspace)).stdout),
  );
  expect(shop).toContain('  shop:\n');
  expect(shop).not.toMatch(/blog|Posts/i);
  expect(blog).toContain('  blog:\n');
  expect(blog).toContain('Posts');
  expect(blog).not.toMatch(/shop/i);

  writeFileSync(file, twoWorkspaces('Store'));
  const changed = await waybill('diff', '-f', file);
  expect(changed.status).toBe(1);
  expect(changed.stdout).toContain('~ shop/web\n');
  expect(changed.stdout).not.toContain('blog');
});

function withKeys(keys: Readonly<Record<string, readonly string[]>>): string {
  const sources = Object.entries(keys).map(([slug, own]) => [
    slug,
    { write_keys: own, labels: { 'managed-by': 'ci' } },
  ]);
  return JSON.stringify({ version: 1, workspaces: { main: { sources: Object.fromEntries(sources) } } });
}

test('a write key moves from one source to another, whichever comes first in the file', async () => {
  const waybill = connected();
  const [own, moving] = ['o'.repeat(32), 'm'.repeat(32)];
  for (const keys of [
    { one: [own, moving], other: ['p'.repeat(32)] },
    { other: ['p'.repeat(32), moving], one: [own] },
    { one: [own, moving], other: ['p'.repeat(32)] },
  ]) {
    writeFileSync(file, withKeys(keys));
    expect(await waybill('apply', '-f', file, '--yes')).toMatchObject({ status: 0, stderr: 'applied\n' });
  }
});

test.each([
  ['in a chain', { a: ['3'], b: ['1'], c: ['2'] }],
  ['in a ring', { a: ['2'], b: ['3'], c: ['1'] }],
  ['in a ring beside keys that stay', { a: ['1', '2'], b: ['3'], c: ['4'] }],
  ['to new sources', { a: ['7'], b: ['2'], c: ['8'], d: ['1'], e: ['3', '4'] }],
  ['from a source that is deleted', { a: ['1', '3'], b: ['2'] }],
  ['in a chain from a source that is deleted', { a: ['2'], b: ['3', '4'] }],
])('write keys move %s at once, and then nothing differs', async (_how, after) => {
  const waybill = connected();
  const live = async (): Promise<unknown> => {
    const listed = await waybill('sources', 'list', '--json');
    return objectsIn(listed.stdout).map(({ write_keys: keys }) => keys);
  };
  writeFileSync(file, withKeys(longer({ a: ['1'], b: ['2'], c: ['3', '4'] })));
  await waybill('apply', '-f', file, '--yes');
  writeFileSync(file, withKeys(longer(after)));
  const apply = ['apply', '-f', file, '--yes', '--prune', 'managed-by=ci'] as const;
  expect(await waybill(...apply)).toMatchObject({ status: 0, stderr: 'applied\n' });
  expect(await live()).toEqual(Object.values(longer(after)));
  expect(await waybill('diff', '-f', file, '--prune', 'managed-by=ci')).toMatchObject({ status: 0 });
});

test('a source whose write key moves is deleted when all else is done', async () => {
  const waybill = connected();
  writeFileSync(file, withKeys(longer({ a: ['1'], b: ['2'] })));
  await waybill('apply', '-f', file, '--yes');
  writeFileSync(file, withKeys(longer({ a: ['1', '2'] })));
  const { stdout } = await waybill('apply', '-f', file, '--yes', '--prune', 'managed-by=ci');
  expect(stdout.match(/^[-~+] .*/gm)).toEqual(['~ main/b', '~ main/a', '- main/b']);
});

function longer(keys: Readonly<Record<string, readonly string[]>>): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(keys).map(([slug, own]) => [slug, own.map((key) => key.repeat(32))]));
}

test('of all that is changed at once, an error says which it is of', async () => {
  await connected()('sources', 'create', 'taken', '--write-keys', `[${'t'.repeat(32)}]`);
  writeFileSync(file, withKeys({ one: ['o'.repeat(32)], other: ['t'.repeat(32)], last: ['l'.repeat(32)] }));
  const { status, stderr } = await connected()('apply', '-f', file, '--yes', '--json');
  expect([status, JSON.parse(stderr)]).toMatchObject([
    1,
    { code: 6, error: expect.stringMatching(/^main\/other: AlreadyExists: /) },
  ]);
});

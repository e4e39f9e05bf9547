import { once } from 'node:events';
import { createServer } from 'node:http';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { portOf } from '../../server/tests/support/raw-receiver.ts';
import { type ConfigApiServer, startConfigApi, TOKEN } from '../../server/tests/support/config-api.ts';
import { type CommandLine, connectedTo, objectsIn } from './support/command-line.ts';

let api: ConfigApiServer;
let waybill: CommandLine;
beforeEach(async () => {
  api = await startConfigApi();
  waybill = connectedTo(api.url, TOKEN);
});

test('a source is created, listed, read, changed and deleted', async () => {
  const made = await waybill('sources', 'create', 'web', '--labels', '{team: shop}', '--write-keys', 'a'.repeat(32));
  expect(made).toMatchObject({ status: 0, stderr: '' });
  expect(made.stdout).toContain('name: workspaces/main/sources/web\n');
  expect((await waybill('sources', 'list')).stdout).toMatch(/^NAME {2}DISPLAY NAME .*\nweb {3}web /);
  const changed = await waybill('sources', 'update', 'web', '--display-name', 'Shop', '--json');
  expect(objectsIn(changed.stdout)).toMatchObject([
    { display_name: 'Shop', labels: { team: 'shop' }, write_keys: ['a'.repeat(32)] },
  ]);
  expect(await waybill('sources', 'delete', 'web')).toEqual({
    status: 0,
    stdout: '',
    stderr: 'workspaces/main/sources/web: deleted\n',
  });
  expect(await waybill('sources', 'list', '--json')).toEqual({ status: 0, stdout: '', stderr: '' });
});

test('an update changes the fields that are given, one of a group included', async () => {
  await waybill('sources', 'create', 'web', '--library-config', '{"api_host":"a.example.com","retry_queue":true}');
  await waybill('sources', 'update', 'web', '--library-config', '{"api_host":"b.example.com"}');
  const [source] = objectsIn((await waybill('sources', 'get', 'web', '--json')).stdout);
  expect(source).toMatchObject({ library_config: { api_host: 'b.example.com', retry_queue: true } });
});

test('fields come from a file, or from standard input', async () => {
  await waybill('sources', 'create', 'web');
  const piped = connectedTo(api.url, TOKEN, {
    stdin: 'enabled: true\nconfig: [{name: hooks, value: [{hook: "https://a.example.com/h"}]}]\n',
  });
  const { stdout } = await piped('destinations', 'create', 'web/webhooks', '--file', '-', '--json');
  expect(objectsIn(stdout)).toMatchObject([{ enabled: true, deliverable: true }]);
  const mistaken = connectedTo(api.url, TOKEN, { stdin: '{"enabld": false}' });
  const refused = await mistaken('destinations', 'update', 'web/webhooks', '--file', '-');
  expect(refused).toMatchObject({ status: 2, stdout: '' });
  expect(refused.stderr).toContain('"enabld" does not change with an update; the fields are display_name, enabled');
});

test('a list goes over all pages, and those are as large as they can be', async () => {
  const { asked, listed } = await startLongList();
  expect(objectsIn((await listed()('workspaces', 'list', '--json')).stdout)).toHaveLength(1_001);
  const [head, ...rows] = (await listed()('workspaces', 'list')).stdout.trimEnd().split('\n');
  expect(head).toMatch(/^NAME {2,}DISPLAY NAME/);
  expect(rows).toHaveLength(1_001);
  expect(rows.filter((row) => row.startsWith('NAME'))).toEqual([]);
  expect(new Set(asked)).toEqual(new Set(['page_size=1000', 'page_size=1000&page_token=more']));
});

test.each([[['--json']], [[]]])(
  'a list that is read no further, as by head, ends with exit code 0 (%j)',
  async (flags) => {
    const { listed } = await startLongList();
    const printed: string[] = [];
    const { status } = await listed({ printed, readPrints: 1 })('workspaces', 'list', ...flags);
    expect({ status, prints: printed.length }).toEqual({ status: 0, prints: 1 });
  },
);

/** A list of 1,001 in two pages; `asked` holds what was asked of it. */
async function startLongList() {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url.slice(url.indexOf('?') + 1));
    const isLast = url.includes('page_token=more');
    const workspaces = Array.from({ length: isLast ? 1 : 1_000 }, (_, index) => ({
      name: `workspaces/w${index}`,
      display_name: '',
    }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ workspaces, next_page_token: isLast ? '' : 'more' }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${portOf(server)}`;
  return { asked, listed: (options?: Parameters<typeof connectedTo>[2]) => connectedTo(url, TOKEN, options) };
}

test('what the API refuses is told in its own words, with exit code 1', async () => {
  expect(await waybill('sources', 'get', 'none')).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^waybill: NotFound: GET http:\S+\/sources\/none .*\n$/),
  });
  const { status, stdout, stderr } = await waybill('sources', 'get', 'none', '--json');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(JSON.parse(stderr)).toEqual({ error: expect.stringContaining('NotFound'), code: 5 });
});

test('a router that does not answer is told with its address, and the token never is', async () => {
  const lost = connectedTo('http://127.0.0.1:1', 'secret-token-0123456789');
  const { status, stderr } = await lost('sources', 'list');
  expect(status).toBe(1);
  expect(stderr).toContain('http://127.0.0.1:1');
  expect(stderr).not.toContain('secret-token');
});

test.each([
  [['sources', 'get'], "missing required argument 'source'"],
  [['sources', 'get', 'a/b'], '"a/b" is not a name of the form <source> or workspaces/<workspace>/sources/<source>'],
  [['destinations', 'update', 'a/b', '--enabled', 'yes'], '--enabled "yes": give true or false'],
  [['sources', 'create', 'a', '--labels', '{'], '--labels is neither JSON nor YAML'],
  [['sources', 'list', '--prot'], "unknown option '--prot'"],
  [['sources', 'create', 'a', '--file', '/none'], '--file /none cannot be read: ENOENT'],
  [['diff', '--file', '/none'], '/none cannot be read: ENOENT'],
  [['send', 'a/b'], '"a/b" is not a name of the form <source> or workspaces/<workspace>/sources/<source>'],
  [['send', ''], '"" is not a name of the form <source>'],
  [['events', 'tail', 'a/b'], '"a/b" is not a name of the form <source>'],
  [
    ['export', '--workspace', 'workspaces/main'],
    '--workspace (WAYBILL_WORKSPACE) must be a slug such as main, got "work',
  ],
  [['sources', 'list', '--workspace', '..'], '--workspace (WAYBILL_WORKSPACE) must be a slug such as main, got ".."'],
  [['send', 'a', '--write-key', 'two keys'], '--write-key: writeKey holds a space'],
  [['events', 'tail', 'a', '--count', 'all'], '--count "all": give a whole number from 1'],
  [['destinations', 'create', 'a/b', '--connection-mode', 'X'], 'Allowed choices are UNSPECIFIED, CLOUD, DEVICE'],
  [['deliveries', 'list', 'a/b', '--state', 'x'], 'Allowed choices are pending'],
])('%j is refused with exit code 2', async (args, words) => {
  const { status, stdout, stderr } = await waybill(...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(words);
  const forPrograms = await waybill(...args, '--json');
  expect({ ...forPrograms, stderr: JSON.parse(forPrograms.stderr) }).toEqual({
    status: 2,
    stdout: '',
    stderr: { error: expect.stringContaining(words) },
  });
});

test('names that move the cursor are shown as text', async () => {
  await waybill('sources', 'create', 'web', '--display-name', 'a');
  await api.ok('PATCH', '/workspaces/main/sources/web', {
    source: { labels: { note: 'x\u001b[2Jy' } },
    update_mask: { paths: ['source.labels'] },
  });
  const shown = [await waybill('sources', 'get', 'web'), await waybill('sources', 'list')];
  for (const { stdout } of shown) expect(stdout).not.toContain('\u001b');
  expect(shown[0]?.stdout).toContain('[2Jy');
});

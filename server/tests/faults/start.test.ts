import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Flags, runRouterProcess, startRouterProcess } from '../../../scripts/router/router-process.ts';
import { portOf } from '../support/raw-receiver.ts';
import { bareEnvironment } from '../../../scripts/router/bare-environment.ts';
import { isPossible } from '../support/possible.ts';

const TOKEN = 'start-test-token-0123456789';
const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url));
const WAYBILL = fileURLToPath(new URL('../../../cli/waybill.ts', import.meta.url));
let folder: string;
let flags: Flags;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-start-'));
  flags = { port: '0', 'data-dir': folder, token: TOKEN };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a first start makes a token and shows it once, beside the log', async () => {
  const withoutToken = { port: '0', 'data-dir': folder };
  const first = await startRouterProcess(withoutToken);
  const [token = ''] = /[\w-]{43}\.[\w-]{43}/.exec(first.written.stderr) ?? [];
  const headers = { Authorization: `Bearer ${token}` };
  expect((await fetch(`${first.url}/v1beta/workspaces`, { headers })).status).toBe(200);
  await first.stop();
  expect(first.written.stdout).not.toContain(token);
  const second = await startRouterProcess(withoutToken);
  await second.stop();
  expect(second.written.stderr).toBe('');
});

test('a token without effect is named as ignored, on both outputs', async () => {
  await (await startRouterProcess(flags)).stop();
  const other = 'another-test-token-0123456789';
  const { token: _gone, ...rest } = flags;
  const router = await startRouterProcess(rest, { env: { WAYBILL_TOKEN: other } });
  await router.stop();
  const { stdout, stderr } = router.written;
  expect(stderr).toContain('The given token was ignored');
  expect(stderr).toContain(`npx waybill token create --data-dir ${folder}`);
  expect(stdout).toContain('the given token was ignored');
  expect(stdout + stderr).not.toContain(other);
});

test('a token that is valid already is not mentioned', async () => {
  await (await startRouterProcess(flags)).stop();
  const router = await startRouterProcess(flags);
  await router.stop();
  expect(router.written.stderr).toBe('');
  expect(router.written.stdout).not.toContain('token');
});

/** `script` gives its command a terminal; util-linux has it. */
const SCRIPT = '/usr/bin/script';

test.runIf(isPossible(process.platform === 'linux' && existsSync(SCRIPT), `Linux, and ${SCRIPT}`))(
  'a person at a terminal reads four lines, and no JSON',
  async () => {
    const given = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
    const child = spawn(SCRIPT, ['-qec', [process.execPath, MAIN, ...given].join(' '), '/dev/null'], {
      env: bareEnvironment(),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    onTestFinished(() => void child.kill());
    const ended = once(child, 'close');
    let shown = '';
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        shown += chunk.toString();
        if (/Next: .*\r\n/.test(shown)) resolve();
      });
    });
    const [first = '', ...rest] = shown.split('\r\n');
    expect(first).toMatch(/^Waybill listens on http:\/\/127\.0\.0\.1:\d+$/);
    const url = first.replace('Waybill listens on ', '');
    const next = `Next: open the console, create a source with POST ${url}/v1beta/workspaces/main/sources, or follow the walk in README.md`;
    expect(rest).toEqual([`Console: ${url}/console`, `API reference: ${url}/docs`, next, '']);
    child.stdin.write('\u0003');
    await ended;
    expect(shown).toMatch(/\d\d:\d\d:\d\d stopping \{"signal":"SIGINT"\}\r\n.*stopped\r\n/);
    expect(shown).not.toContain('{"level"');
  },
);

test.each([
  ['a port that is none', { port: '80800' }, '--port "80800": must be an integer from 0 to 65535'],
  ['a network that is none', { 'allow-networks': '10.0.0.0/8,local' }, '--allow-networks'],
  ['a duration without its unit', { 'retry-first-wait': '10' }, '--retry-first-wait "10"'],
  ['a first wait beyond the longest', { 'retry-first-wait': '1h' }, '--retry-first-wait "1h": must be at most 10m'],
  ['a log level that is none', { 'log-level': 'loud' }, 'one of trace, debug, info'],
  ['a slug with a slash', { workspace: 'a/b' }, '--workspace "a/b"'],
  ['a flag that is none', { prot: '1' }, '--prot is no flag; did you mean --port?'],
])('%s ends the start with its name and value', async (_title, wrong, words) => {
  const { code, stderr } = await runRouterProcess({ ...flags, ...wrong });
  expect(code).toBe(2);
  expect(stderr).toContain(words);
  expect(stderr).not.toContain('    at ');
});

test('a wrong variable is named as a variable', async () => {
  const { code, stderr } = await runRouterProcess({ 'data-dir': folder }, { WAYBILL_PORT: 'eighty' });
  expect(code).toBe(2);
  expect(stderr).toContain('WAYBILL_PORT "eighty": must be an integer');
});

test('what Kubernetes makes of a Service named waybill is refused with the way out', async () => {
  const { code, stderr } = await runRouterProcess({ 'data-dir': folder }, { WAYBILL_PORT: 'tcp://10.96.0.7:80' });
  expect(code).toBe(2);
  expect(stderr).toContain('set enableServiceLinks: false for the pod');
});

test('a wrong token is refused without being shown', async () => {
  const { code, stderr } = await runRouterProcess({ ...flags, token: 'secret too short' });
  expect(code).toBe(2);
  expect(stderr).toContain('--token: must be 20 to 200 printable characters');
  expect(stderr).not.toContain('secret too short');
});

test('a port in use is named, with the way out', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const port = portOf(other);
  const { code, stderr } = await runRouterProcess({ ...flags, port: String(port) });
  await new Promise((resolve) => other.close(resolve));
  expect(code).toBe(1);
  expect(stderr).toContain(`127.0.0.1:${port} is in use`);
  expect(stderr).toContain('--port');
});

test.each([
  ['on a port that is taken', (port: number) => ({ port: String(port) })],
  ['without its certificate', () => ({ 'tls-cert': '/none/tls.crt', 'tls-key': '/none/tls.key' })],
  ['with a first wait beyond the longest', () => ({ 'retry-first-wait': '1h' })],
])('a first start %s leaves no data, so that the next one shows the first token', async (_title, wrong) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { code } = await runRouterProcess({ port: '0', 'data-dir': folder, ...wrong(portOf(other)) });
  await new Promise((resolve) => other.close(resolve));
  expect(code).not.toBe(0);
  expect(readdirSync(folder)).toEqual([]);
});

test('a variable that is not a setting is named in the log, with the one that it may stand for, and not its value', async () => {
  const env = { WAYBILL_DATADIR: '/srv/waybill', WAYBILL_URL: 'http://127.0.0.1:8080' };
  const router = await startRouterProcess(flags, { env });
  await router.stop();
  expect(router.written.stdout).toMatch(
    /"variable":"WAYBILL_DATADIR","meant":"WAYBILL_DATA_DIR","msg":"this variable is not a setting, and is ignored"/,
  );
  expect(router.written.stdout).not.toMatch(/srv|WAYBILL_URL/);
});

test('a data folder in a place that holds a file is named', async () => {
  const file = join(folder, 'taken');
  writeFileSync(file, '');
  const { code, stderr } = await runRouterProcess({ ...flags, 'data-dir': join(file, 'data') });
  expect(code).toBe(1);
  expect(stderr).toContain(`the data folder ${join(file, 'data')} cannot be written`);
});

// Nobody, root included, may write there.
test
  .runIf(isPossible(process.platform === 'linux', 'Linux: folders that nobody can write'))
  .each(['/sys/waybill', '/proc/waybill', '/proc/way/bill'])(
  'a data folder that cannot be written is named: %s',
  async (place) => {
    const { code, stderr } = await runRouterProcess({ ...flags, 'data-dir': place });
    expect(code).toBe(1);
    expect(stderr).toContain(`the data folder ${place} cannot be written`);
  },
);

const IS_ROOT = isPossible(process.getuid?.() === 0, 'root: data of another user');

test.runIf(IS_ROOT).each(['serve', 'token', 'migrate'])(
  'root does not run waybill %s on data of another user, whom its files would lock out',
  async (command) => {
    await (await startRouterProcess(flags)).stop();
    const root = join(folder, 'config/root.json');
    for (const name of ['.', 'config', 'config/root.json', 'deliveries.sqlite'])
      chownSync(join(folder, name), 65_534, 0);
    const args = [WAYBILL, command, ...(command === 'token' ? ['create'] : []), '--data-dir', folder];
    const options = { encoding: 'utf8', env: bareEnvironment({ WAYBILL_PORT: '0' }), timeout: 30_000 } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(`the data in ${folder} belongs to the user 65534`);
    expect(statSync(root).uid).toBe(65_534);
  },
);

const closing: readonly [string, (place: string) => void][] = [
  ['config', (place) => chownSync(place, 0, 0)],
  ['deliveries.sqlite', (place) => chownSync(place, 0, 0)],
  ['deliveries.sqlite', (place) => chmodSync(place, 0o400)],
];

test.runIf(IS_ROOT).each(closing)(
  'a router that may not use %s of its folder is told so, and the way out',
  async (name, close) => {
    chmodSync(folder, 0o777);
    const through = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
    await (await startRouterProcess(flags, { through })).stop();
    close(join(folder, name));
    const { code, stderr } = await runRouterProcess(flags, {}, { through });
    expect(code).toBe(1);
    expect(stderr).toContain(`${join(folder, name)} cannot be read and written by this user: ch`);
  },
);

test('a second router on one data folder is refused', async () => {
  await using router = await startRouterProcess(flags);
  const { code, stderr } = await runRouterProcess(flags);
  expect(code).toBe(1);
  expect(stderr).toContain('another router uses');
  expect((await fetch(`${router.url}/readyz`)).status).toBe(200);
});

test.each([
  ['overwritten', (file: string) => writeFileSync(file, 'x'.repeat(9_000))],
  ['truncated', (file: string) => truncateSync(file, 5_000)],
])('a delivery store that is %s is refused by name, and left as it is', async (_title, damage) => {
  const file = join(folder, 'deliveries.sqlite');
  const router = await startRouterProcess(flags);
  await router.stop();
  damage(file);
  const before = readFileSync(file);
  const { code, stderr } = await runRouterProcess(flags);
  expect(code).toBe(1);
  expect(stderr).toContain(file);
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('a config store that is damaged is refused by name, and left as it is', async () => {
  const file = join(folder, 'config', 'root.json');
  const router = await startRouterProcess(flags);
  await router.stop();
  const damaged = readFileSync(file, 'utf8').slice(0, -20);
  writeFileSync(file, damaged);
  const { code, stderr } = await runRouterProcess(flags);
  expect(code).toBe(1);
  expect(stderr).toContain(file);
  expect(readFileSync(file, 'utf8')).toBe(damaged);
});

test('SIGTERM ends the router with code 0', async () => {
  const router = await startRouterProcess(flags);
  expect(await router.stop()).toBe(0);
});

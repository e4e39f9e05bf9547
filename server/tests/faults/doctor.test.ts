import { spawnSync } from 'node:child_process';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OLDEST_NODE } from '../../../scripts/build-waybill/manifest.ts';
import { startRouterProcess } from '../../../scripts/router/router-process.ts';
import { createIdentity } from '../../../testbed/tls/certificate.ts';
import { openFilesLimit } from '../../http/open-files.ts';
import { checkDiskSpace, checkNode, checkOpenFiles, SUPPORTED_NODE } from '../../cli/doctor/machine.ts';
import { fillWithSecrets, keyText, startSecretWorld } from '../support/secret-world.ts';
import { portOf } from '../support/raw-receiver.ts';
import { bareEnvironment } from '../../../scripts/router/bare-environment.ts';

const COMMAND = fileURLToPath(new URL('../../../cli/waybill.ts', import.meta.url));
const TOKEN = 'doctor-test-token-0123456789';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-doctor-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Told {
  readonly code: number | null;
  readonly stderr: string;
  /** By check; the last one where a check found several things. */
  readonly findings: Readonly<Record<string, { readonly status: string; readonly detail: string }>>;
}

function doctor(flags: Readonly<Record<string, string>> = {}, env: NodeJS.ProcessEnv = {}): Told {
  const given = Object.entries({ 'data-dir': folder, port: '0', ...flags }).map(
    ([name, value]) => `--${name}=${value}`,
  );
  const options = { encoding: 'utf8', env: bareEnvironment(env) } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, 'doctor', '--json', ...given], options);
  const lines = stdout.split('\n').filter((line) => line !== '');
  const findings = lines.map((line): { check: string; status: string; detail: string } => JSON.parse(line));
  return { code: status, stderr, findings: Object.fromEntries(findings.map(({ check, ...rest }) => [check, rest])) };
}

const startRouter = () => startRouterProcess({ port: '0', 'data-dir': folder, token: TOKEN });

/** Names, sizes and times of all files. */
function stateOf(place: string): readonly unknown[] {
  return globSync('**/*', { cwd: place })
    .toSorted()
    .map((name) => [name, statSync(join(place, name)).size, statSync(join(place, name)).mtimeMs]);
}

test('a folder that a router left is well, and stays as it is', async () => {
  await (await startRouter()).stop();
  const before = stateOf(folder);
  const { code, findings } = doctor();
  expect(code).toBe(0);
  expect(Object.values(findings).filter(({ status }) => status !== 'ok')).toEqual([]);
  expect(findings['lock']?.detail).toBe('no router uses it');
  expect(findings['formats']?.detail).toBe("3 files have today's format");
  expect(stateOf(folder)).toEqual(before);
});

const detailOf = (keys: string) => doctor({}, { WAYBILL_SECRET_KEYS: keys }).findings['secrets'];

test('SAFE-3: it says whether secrets are encrypted, and which key a start would miss', async () => {
  const [first, second] = [keyText(1), keyText(2)];
  const world = await startSecretWorld(`file:${folder}`, '');
  await fillWithSecrets(world);
  await world.stop();
  expect(detailOf('')).toEqual({ status: 'ok', detail: 'stored in clear; WAYBILL_SECRET_KEYS encrypts them' });
  expect(detailOf(first)).toMatchObject({ status: 'warning', detail: expect.stringContaining('3 of 3 resources') });
  const sealing = await startSecretWorld(`file:${folder}`, first);
  await expect.poll(() => detailOf(first)?.status, { timeout: 30_000 }).toBe('ok');
  await sealing.stop();
  expect(detailOf(second)).toMatchObject({ status: 'failed', detail: expect.stringContaining('which was not given') });
});

test('beside a router that runs it says so, and finds its port well', async () => {
  await using router = await startRouter();
  const { code, findings } = doctor({ port: new URL(router.url).port });
  expect(findings['lock']?.detail).toBe('a router uses it now');
  expect(findings['port']).toMatchObject({
    status: 'ok',
    detail: expect.stringContaining('is in use, and so is the storage'),
  });
  expect(code).toBe(0);
});

test('after a kill the lock is free, and the formats are read', async () => {
  await (await startRouter()).kill();
  const { code, findings } = doctor();
  expect(findings['lock']?.detail).toBe('no router uses it');
  expect(findings['formats']?.detail).toBe("3 files have today's format");
  expect(code).toBe(0);
});

test('a folder that is not there yet is well', () => {
  const { code, findings } = doctor({ 'data-dir': join(folder, 'a/b') });
  expect(findings['data folder']).toMatchObject({
    status: 'ok',
    detail: expect.stringContaining('does not exist yet'),
  });
  expect(code).toBe(0);
});

test('a data folder that is a file, or below a place that cannot be written, fails', () => {
  writeFileSync(join(folder, 'file'), '');
  for (const [place, words] of [
    [join(folder, 'file'), 'is not a folder'],
    [join(folder, 'file/data'), 'cannot be written'],
  ] as const) {
    const { code, findings } = doctor({ 'data-dir': place });
    expect(findings['data folder']).toMatchObject({ status: 'failed', detail: expect.stringContaining(words) });
    expect(code).toBe(1);
  }
});

test('a port that is taken fails with the way out', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { code, findings } = doctor({ port: String(portOf(server)) });
  server.close();
  expect(findings['port']).toMatchObject({ status: 'failed', detail: expect.stringContaining('choose another port') });
  expect(code).toBe(1);
});

test('data that others may read is a warning', async () => {
  await (await startRouter()).stop();
  chmodSync(join(folder, 'config'), 0o755);
  const { code, findings } = doctor();
  expect(findings['permissions']).toMatchObject({ status: 'warning', detail: expect.stringContaining('config') });
  expect(code).toBe(0);
});

test('a newer format fails, with what to start', async () => {
  await (await startRouter()).stop();
  using database = new DatabaseSync(join(folder, 'deliveries.sqlite'));
  database.exec('PRAGMA user_version = 9999');
  database.close();
  const { code, findings } = doctor();
  expect(findings['formats']).toMatchObject({
    status: 'failed',
    detail: expect.stringMatching(/deliveries\.sqlite has format 9999.*start the newer version/),
  });
  expect(code).toBe(1);
});

test('a configuration that cannot be read fails', async () => {
  await (await startRouter()).stop();
  const file = join(folder, 'config/root.json');
  writeFileSync(file, readFileSync(file).subarray(10));
  const { code, findings } = doctor();
  expect(findings['formats']).toMatchObject({ status: 'failed', detail: expect.stringContaining(file) });
  expect(code).toBe(1);
});

test('a variable that is a slip for a setting is named', () => {
  const slip = doctor({}, { WAYBILL_PROT: '1' });
  expect(slip.findings['settings']).toEqual({
    status: 'warning',
    detail: 'WAYBILL_PROT is not a setting; did you mean WAYBILL_PORT?',
  });
  expect(slip.code).toBe(0);
});

const DAY_MS = 86_400_000;

test.each([
  [90, 'ok', /tls\.crt, until 20/],
  [3, 'warning', /renew it/],
  [-1, 'warning', /renew it/],
])('a certificate that ends in %i days is %s', (days, status, detail) => {
  const [validFrom, validTo] = [Date.now() - 100 * DAY_MS, Date.now() + days * DAY_MS];
  const { certificate, key } = createIdentity({ name: 'events.example.com', validFrom, validTo });
  const files = { 'tls-cert': join(folder, 'tls.crt'), 'tls-key': join(folder, 'tls.key') };
  writeFileSync(files['tls-cert'], certificate);
  writeFileSync(files['tls-key'], key);
  const { findings } = doctor({ ...files, 'data-dir': join(folder, 'data') });
  expect(findings['certificate']).toEqual({ status, detail: expect.stringMatching(detail) });
});

test('a certificate that cannot be served fails, and nothing is said of it over http', () => {
  const { code, findings } = doctor({ 'tls-cert': join(folder, 'no.crt'), 'tls-key': join(folder, 'no.key') });
  expect(findings['certificate']).toMatchObject({ status: 'failed', detail: expect.stringContaining('no.crt') });
  expect(code).toBe(1);
  expect(doctor().findings).not.toHaveProperty('certificate');
});

test.each([
  [50, 'failed'],
  [500, 'warning'],
  [5_000, 'ok'],
])('%i MB of free disk is %s', (free, status) => {
  expect(checkDiskSpace('/none/such', () => ({ bsize: 1_000_000, bavail: free })).status).toBe(status);
});

const LIMITS = (files: string): string =>
  `Limit Soft Limit Hard Limit Units\nMax open files            1024                 ${files}              files\n`;

test.each([
  ['4096', 10_000, 'warning'],
  ['17319', 10_000, 'warning'],
  ['17320', 10_000, 'ok'],
  ['17320', 10_001, 'warning'],
  ['8192', 500, 'ok'],
])('of %s files with %i connections is told: %s', (files, maxConnections, status) => {
  expect(checkOpenFiles({ maxConnections }, openFilesLimit(LIMITS(files)))).toMatchObject([{ status }]);
});

test('who has too few files learns how many are needed, and where to raise them', () => {
  const [{ detail } = { detail: '' }] = checkOpenFiles({ maxConnections: 10_000 }, openFilesLimit(LIMITS('4096')));
  expect(detail).toMatch(
    /^4,096 may be open; with --max-connections 10000 up to 17,320 are needed, and the router takes 2,048 connections: raise the limit/,
  );
});

test.each([LIMITS('unlimited'), ''])('where there is no limit, or none is told, there is nothing to say', (limits) => {
  expect(checkOpenFiles({ maxConnections: 10_000 }, openFilesLimit(limits))).toEqual([]);
});

test.each([
  ['22.14.0', 'warning'],
  ['24.0.0', 'ok'],
  ['25.1.0', 'ok'],
  ['26.10.0', 'ok'],
  ['27.1.0', 'warning'],
])('Node %s is %s', (version, status) => {
  expect(checkNode(version).status).toBe(status);
});

test('who has another Node learns which ones are supported: from that of the package to that of the project', () => {
  expect(checkNode('22.14.0').detail).toBe('22.14.0; Waybill supports Node.js 24 to 26: install one of them');
  expect(SUPPORTED_NODE.from).toBe(OLDEST_NODE);
  const manifest = new URL('../../../package.json', import.meta.url);
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(readFileSync(manifest, 'utf8'));
  expect(dependencies['node']).toMatch(new RegExp(`^${SUPPORTED_NODE.to}\\.`));
});

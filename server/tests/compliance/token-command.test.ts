import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startRouterProcess } from '../../../scripts/router/router-process.ts';
import { bareEnvironment } from '../../../scripts/router/bare-environment.ts';

const COMMAND = fileURLToPath(new URL('../../../cli/waybill.ts', import.meta.url));
const TOKEN = 'token-command-test-0123456789';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-token-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function waybill(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
    encoding: 'utf8',
    env: bareEnvironment(),
  });
  return { status, stdout, stderr };
}

const startRouter = () => startRouterProcess({ port: '0', 'data-dir': folder, token: TOKEN });

async function statusWith(url: string, token: string): Promise<number> {
  const { status } = await fetch(`${url}/v1beta/workspaces`, { headers: { Authorization: `Bearer ${token}` } });
  return status;
}

test('a token that the command creates is valid at the next start, beside the old one', async () => {
  await (await startRouter()).stop();
  const { status, stdout, stderr } = waybill('token', 'create', '--data-dir', folder);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^[\w-]{43}\.[\w-]{43}\n$/);
  await using router = await startRouter();
  expect(await statusWith(router.url, stdout.trim())).toBe(200);
  expect(await statusWith(router.url, TOKEN)).toBe(200);
});

test('with --json the token is a field of an object', async () => {
  await (await startRouter()).stop();
  const { status, stdout } = waybill('token', 'create', '--data-dir', folder, '--json');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ token: expect.stringMatching(/^[\w-]{43}\.[\w-]{43}$/) });
});

test('tokens are listed without plaintext, and a revoked one opens nothing', async () => {
  await (await startRouter()).stop();
  const plaintext = waybill('token', 'create', '--data-dir', folder).stdout.trim();
  const listed = waybill('token', 'list', '--data-dir', folder, '--json').stdout;
  const tokens = listed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(tokens).toHaveLength(2);
  expect(listed).not.toMatch(/hash|[\w-]{43}\./);
  expect(waybill('token', 'list', '--data-dir', folder).stdout).toContain(
    `${tokens[1].name}  workspace  all workspaces`,
  );
  const revoked = waybill('token', 'revoke', tokens[1].name.split('/')[1], '--data-dir', folder);
  expect(revoked).toEqual({ status: 0, stdout: `revoked ${tokens[1].name}\n`, stderr: '' });
  expect(waybill('token', 'revoke', tokens[1].name, '--data-dir', folder).status).toBe(1);
  await using router = await startRouter();
  expect(await statusWith(router.url, plaintext)).toBe(401);
});

test('a token has one line in the list, whatever its description holds', async () => {
  const router = await startRouter();
  const access_token = { description: 'mine\naccess-tokens/other  workspace', scopes: 'workspace:read' };
  const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ access_token });
  expect((await fetch(`${router.url}/v1beta/access-tokens`, { method: 'POST', headers, body })).status).toBe(200);
  await router.stop();
  const lines = waybill('token', 'list', '--data-dir', folder).stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(String.raw`"mine\naccess-tokens/other  workspace"`);
});

test('a folder that a router uses is refused, with both ways out', async () => {
  await using router = await startRouter();
  const { status, stdout, stderr } = waybill('token', 'create', '--data-dir', folder);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain('another router uses it; stop that one');
  expect(stderr).toContain('through its API: waybill access-tokens');
  expect(await statusWith(router.url, TOKEN)).toBe(200);
});

test('a folder without data is refused, and left empty', () => {
  const { status, stderr } = waybill('token', 'create', '--data-dir', folder);
  expect(status).toBe(1);
  expect(stderr).toContain(`${folder} holds no data of a router`);
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  [['token']],
  [['token', 'remove']],
  [['token', 'create', '--port', '1']],
  [['token', 'revoke']],
  [['token', 'list', 'x']],
])('%j is refused with the way to the usage', (args) => {
  const { status, stdout, stderr } = waybill(...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('Run "waybill token --help" for its usage.');
});

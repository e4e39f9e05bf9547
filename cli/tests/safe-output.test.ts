import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createConfigClient, webhooksConfig } from '../../client/config/index.ts';
import { startRouterProcess } from '../../scripts/router/router-process.ts';
import { safeText } from '../../server/safe-text.ts';
import { objectsIn } from './support/command-line.ts';

const COMMAND = fileURLToPath(new URL('../waybill.ts', import.meta.url));
const TOKEN = 'command-line-safe-output-0123456789';
const WEB = 'workspaces/main/sources/web';
/** Clears the screen, in 7 bits and in 8; another title of the window; another order of letters; a line of its own. */
const HOSTILE = '\u001b[2J\u009b2J\u009d0;title\u009c \u202ereversed\u2069\u0085next\u2028\u007fend';
const ACTED_ON = /(?![\t\n])[\p{Cc}\u2028-\u202e\u2066-\u2069]/u;

test('what strangers wrote moves nothing in the terminal of an operator, and programs read it as it was', async () => {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'waybill-safe-output-'));
  opened.defer(() => rmSync(folder, { recursive: true }));
  const networks = { 'allow-networks': '127.0.0.0/8' };
  const router = opened.use(await startRouterProcess({ port: '0', 'data-dir': folder, token: TOKEN, ...networks }));
  const client = createConfigClient({ baseUrl: router.url, token: TOKEN });
  const { write_keys: keys } = await client.sources.create({
    name: WEB,
    display_name: HOSTILE,
    labels: { a: HOSTILE },
  });
  const config = webhooksConfig({ hooks: [{ hook: 'http://127.0.0.1:1/closed' }] });
  await client.destinations.create({ name: `${WEB}/destinations/webhooks`, enabled: true, config });
  await client.accessTokens.create({ description: HOSTILE, scopes: 'workspace:read' });
  const headers = { authorization: `Basic ${btoa(`${keys[0]}:`)}` };
  const call = JSON.stringify({ userId: HOSTILE, event: HOSTILE, messageId: HOSTILE });
  expect((await fetch(`${router.url}/v1/track`, { method: 'POST', headers, body: call })).status).toBe(200);
  await expect.poll(() => router.written.stdout).toContain('attempt failed');
  expect(router.written.stdout).not.toMatch(ACTED_ON);
  expect(objectsIn(router.written.stdout)).toContainEqual(expect.objectContaining({ messageId: HOSTILE }));

  const env = { PATH: process.env['PATH'], WAYBILL_URL: router.url, WAYBILL_TOKEN: TOKEN };
  const waybill = async (...args: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [COMMAND, ...args], { env });
    expect(stdout + stderr).not.toMatch(ACTED_ON);
    return stdout;
  };
  const escaped = String.raw`\u001b[2J\u009b2J\u009d0;title\u009c \u202ereversed\u2069\u0085next\u2028\u007fend`;
  for (const list of [
    ['sources', 'list'],
    ['deliveries', 'list', 'web/webhooks'],
  ])
    expect(await waybill(...list)).toContain(`"${escaped}"`);
  expect(objectsIn(await waybill('sources', 'list', '--json'))).toMatchObject([{ display_name: HOSTILE }]);
  expect(parse(await waybill('sources', 'get', 'web'))).toMatchObject({
    display_name: HOSTILE,
    labels: { a: HOSTILE },
  });
  const { workspaces } = parse(await waybill('export'));
  expect(workspaces.main.sources.web.display_name).toBe(HOSTILE);
  await router.stop();
  expect(await waybill('token', 'list', '--data-dir', folder)).toContain(escaped);
});

test('lines, tabs and letters of all languages are printed as they are', () => {
  for (const text of ['a\tb\nc', 'Größe → 大きさ', 'שלום', 'مرحبا', '👨‍👩‍👧']) expect(safeText(text)).toBe(text);
});

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { nodeWebhook } from '../../client/webhooks/index.ts';
import { throwAwayKey } from '../../testbed/certify/statement.ts';

const COMMAND = fileURLToPath(new URL('../certify.ts', import.meta.url));

async function run(...args: readonly string[]) {
  const child = spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  return { stdout, stderr, status };
}

/** Serves a good receiver, with a folder for files, for as long as `use` runs. */
async function withReceiver(use: (url: string, file: (name: string) => string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-certify-'));
  const listen = nodeWebhook({ secret: 's3cret', onEvent: () => undefined });
  const server = createServer((request, response) => void listen(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  try {
    const port = typeof address === 'object' ? address?.port : 0;
    await use(`http://127.0.0.1:${port}/hooks?token=t0ken`, (name) => join(folder, name));
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  }
}

test('the command certifies, writes its reports, and verifies them offline', async () => {
  await withReceiver(async (url, file) => {
    writeFileSync(file('key.pem'), throwAwayKey().export({ format: 'pem', type: 'pkcs8' }));
    const files = ['--junit', file('j.xml'), '--html', file('c.html'), '--statement', file('s.json')];
    const good = await run('--url', url, '--secret', 's3cret', '--key', file('key.pem'), ...files);
    expect(good).toMatchObject({ status: 0, stderr: '' });
    expect(good.stdout).toContain('The receiver keeps the contract.');
    expect(good.stdout).not.toContain('\u001B');
    expect(readFileSync(file('j.xml'), 'utf8')).toContain('failures="0"');
    for (const name of ['j.xml', 'c.html', 's.json']) expect(readFileSync(file(name), 'utf8')).not.toContain('t0ken');
    expect((await run('--verify', file('s.json'))).stdout).toContain('is genuine');
    writeFileSync(file('s.json'), readFileSync(file('s.json'), 'utf8').replace('hooks', 'hacks'));
    expect(await run('--verify', file('s.json'))).toMatchObject({ status: 1 });
  });
});

test('a receiver with another secret fails, and the exit code says so', async () => {
  await withReceiver(async (url) => {
    const { status, stdout } = await run('--url', url, '--secret', 'another', '--json');
    expect(status).toBe(1);
    const last: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    expect(last).toMatchObject({ kind: 'certificate', statement: { passed: false } });
  });
});

test.each([
  [[], '--url is missing'],
  [['--url', 'http://127.0.0.1:1/'], '--secret is missing'],
  [['--url', 'http://192.0.2.1/', '--secret', 'hidden'], 'not on this machine'],
  [['--verify', '/nowhere/at/all'], 'no such file'],
  [['--nonsense'], '--nonsense'],
])('%j exits 2 with what is wrong, and without the secret', async (args, words) => {
  const { status, stderr } = await run(...args);
  expect(status).toBe(2);
  expect(stderr).toContain(words);
  expect(stderr).not.toContain('hidden');
});

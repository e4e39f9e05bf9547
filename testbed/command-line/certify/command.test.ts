/**
 * What certifies sends broken bodies on purpose: receivers have to refuse them.
 * @module-tag broken-bodies
 */
import { spawn, spawnSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { nodeWebhook } from '../../../client/webhooks/index.ts';
import { arrivalOf } from '../../receiver/recorder.ts';
import { SCHEMES } from '../../schemes/index.ts';
import { throwAwayKey } from '../../certify/statement.ts';

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
    expect(good.stdout).toMatch(/^\d+ passed, 0 failed, 4 skipped\.$/m);
    expect(good.stdout).not.toContain('\u001B');
    expect(readFileSync(file('j.xml'), 'utf8')).toContain('failures="0" errors="0" skipped="4"');
    for (const name of ['j.xml', 'c.html', 's.json']) expect(readFileSync(file(name), 'utf8')).not.toContain('t0ken');
    expect((await run('--verify', file('s.json'))).stdout).toMatch(/ is genuine: .* 4 skipped/);
    writeFileSync(file('s.json'), readFileSync(file('s.json'), 'utf8').replace('hooks', 'hacks'));
    expect(await run('--verify', file('s.json'))).toMatchObject({ status: 1 });
  });
});

test('openssl alone verifies a statement, and refuses one that was altered', async () => {
  await withReceiver(async (url, file) => {
    await run('--url', url, '--secret', 's3cret', '--statement', file('s.json'));
    const parts = file('parts');
    const { stdout } = await run('--verify', file('s.json'), '--openssl', parts);
    const command = /^ {2}(openssl pkeyutl .*)$/m.exec(stdout)?.[1] ?? '';
    const verify = () => spawnSync('bash', ['-c', command], { cwd: parts, encoding: 'utf8' });
    expect(verify()).toMatchObject({ status: 0, stdout: 'Signature Verified Successfully\n' });
    // The bytes are those of the statement in the file: nothing but JSON.stringify is needed to come by them.
    const signed: { statement: unknown } = JSON.parse(readFileSync(file('s.json'), 'utf8'));
    const bytes = readFileSync(join(parts, 'statement.bytes'), 'utf8');
    expect(bytes).toBe(JSON.stringify(signed.statement));
    writeFileSync(join(parts, 'statement.bytes'), bytes.replace('"passed":true', '"passed":false'));
    expect(verify().status).toBe(1);
  });
});

test('who made a statement is checked with --public-key', async () => {
  await withReceiver(async (url, file) => {
    const [ours, other] = [throwAwayKey(), throwAwayKey()];
    writeFileSync(file('key.pem'), ours.export({ format: 'pem', type: 'pkcs8' }));
    for (const [name, key] of Object.entries({ ours, other })) {
      writeFileSync(file(`${name}.pem`), createPublicKey(key).export({ format: 'pem', type: 'spki' }));
    }
    await run('--url', url, '--secret', 's3cret', '--statement', file('s.json'), '--key', file('key.pem'));
    const verify = async (name: string) => run('--verify', file('s.json'), '--public-key', file(`${name}.pem`));
    expect(await verify('ours')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('the key that you trust'),
    });
    expect(await verify('other')).toMatchObject({ status: 1, stdout: expect.stringContaining('another key') });
    expect(await run('--verify', file('s.json'), '--public-key', file('s.json'))).toMatchObject({ status: 2 });
  });
});

test('a file that cannot be written is told before anything is sent', async () => {
  const { status, stderr, stdout } = await run(
    '--url',
    'http://127.0.0.1:1/',
    '--secret',
    's',
    '--html',
    '/nowhere/at/all',
  );
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('Cannot write /nowhere/at/all: ENOENT');
});

test('a disk that fills up costs the file, and not the verdict', async () => {
  await withReceiver(async (url) => {
    const { status, stderr, stdout } = await run('--url', url, '--secret', 's3cret', '--junit', '/dev/full');
    expect(status).toBe(2);
    expect(stdout).toContain('The receiver keeps the contract.');
    expect(stderr).toMatch(/^Cannot write \/dev\/full: ENOSPC[^\n]*\n$/);
  });
});

test('nobody listens: one line, exit code 2, and no file is left', async () => {
  await withReceiver(async (_url, file) => {
    const files = ['--junit', file('j.xml'), '--statement', file('s.json')];
    const { status, stdout, stderr } = await run('--url', 'http://127.0.0.1:1/', '--secret', 's', ...files);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toBe('Nobody listens at http://127.0.0.1:1; start the receiver first, or give another URL\n');
    expect(['j.xml', 's.json'].map((name) => existsSync(file(name)))).toEqual([false, false]);
  });
});

test('whoever reads the output may hang up: the files and the exit code are the same', async () => {
  await withReceiver(async (url, file) => {
    const command = `"$0" "$@"; echo "code $?" >&2`;
    const args = [process.execPath, COMMAND, '--url', url, '--secret', 's3cret', '--junit', file('j.xml')];
    const child = spawn('sh', ['-c', command, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await text(child.stderr)).toBe('code 0\n');
    expect(readFileSync(file('j.xml'), 'utf8')).toContain('failures="0"');
  });
});

test('with a scheme and an event, a receiver of another sender is certified', async () => {
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const body = await buffer(request);
      const isPush = request.headers['x-github-event'] === 'push';
      const check = await SCHEMES.github.check(arrivalOf(request, body, Date.now()), 's3cret');
      const isEvent = isPush && body.toString().startsWith('{"ref"') && body.toString().endsWith('}');
      response.writeHead(check !== 'valid' ? 401 : isEvent ? 200 : 400).end();
    };
    answer().catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'waybill-certify-'));
  try {
    writeFileSync(join(folder, 'push.json'), '{"ref":"refs/heads/main","id":"1"}');
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
    const flags = ['--url', url, '--secret', 's3cret', '--scheme', 'github', '--event', join(folder, 'push.json')];
    const good = await run(...flags, '--header', 'X-GitHub-Event: push', '--json');
    expect(good.stderr).toBe('');
    const last: unknown = JSON.parse(good.stdout.trim().split('\n').at(-1) ?? '');
    expect(last).toMatchObject({ statement: { passed: true, scheme: 'github' } });
    expect(await run(...flags)).toMatchObject({ status: 1, stdout: expect.stringContaining('was not judged') });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  }
});

test('a receiver with another secret fails, and the exit code says so', async () => {
  await withReceiver(async (url) => {
    const { status, stdout } = await run('--url', url, '--secret', 'another', '--json');
    expect(status).toBe(1);
    const last: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    const results = expect.arrayContaining([expect.objectContaining({ id: 'still-well', verdict: 'not-judged' })]);
    expect(last).toMatchObject({ kind: 'certificate', statement: { passed: false, results } });
  });
});

test('a receiver that takes nothing is told its one cause in a few lines, and its files say the same', async () => {
  await withReceiver(async (url, file) => {
    const files = ['--junit', file('j.xml'), '--html', file('c.html'), '--statement', file('s.json')];
    const { status, stdout } = await run('--url', url, '--secret', 'another', ...files);
    expect(status).toBe(1);
    expect(stdout).toMatch(/A track event was not accepted: 401 after \d+ ms; answer 2xx/);
    expect(stdout).toContain('The receiver was not judged.');
    expect(stdout.split('\n').length).toBeLessThan(16);
    expect(readFileSync(file('j.xml'), 'utf8')).toMatch(/failures="1" errors="0" skipped="\d\d"/);
    expect(readFileSync(file('c.html'), 'utf8')).toContain('This receiver was not judged');
    expect((await run('--verify', file('s.json'))).stdout).toMatch(
      / was not judged \(0 passed, 1 failed, \d+ not judged/,
    );
  });
});

test.each([
  [[], '--url is missing'],
  [['--url', 'http://127.0.0.1:1/'], '--secret is missing'],
  [['--url', 'http://192.0.2.1/', '--secret', 'hidden'], 'not on this machine'],
  [['--verify', '/nowhere/at/all'], 'no such file'],
  [['--nonsense'], '--nonsense is no flag'],
  [['--url', 'http://127.0.0.1:1/', '--secret', 's', '--scheme', 'strip'], '--scheme is "strip"; did you mean stripe?'],
  [['--url', 'http://127.0.0.1:1/', '--secret', 's', '--scheme', 'slack'], 'Events of Slack are not known here'],
  [['--url', 'http://127.0.0.1:1/', '--secret', 's', '--header', 'hidden'], '--header needs a name, a colon'],
  [['--url', 'http://127.0.0.1:1/', '--secret', 's', '--openssl', 'parts'], '--openssl belongs to --verify <file>'],
  [['--verify', 'x', '--html', 'y'], '--html belongs to a run against a receiver'],
  [['--secret', 'x', 'hidden'], 'What follows the value of --secret'],
  [['--url', 'http://127.0.0.1:1/', '--secret', 's', '--key', '/dev/null'], 'no private key in PEM'],
])('%j exits 2 with what is wrong, and without the secret', async (args, words) => {
  const { status, stderr } = await run(...args);
  expect(status).toBe(2);
  expect(stderr).toContain(words);
  expect(stderr).not.toContain('hidden');
});

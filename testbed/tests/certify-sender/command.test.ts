import { createHmac } from 'node:crypto';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { verifyStatement } from '../../certify/statement.ts';

const COMMAND = fileURLToPath(new URL('../../command-line/certify-sender.ts', import.meta.url));
const SECRET = 's3cret';
/** All of it takes a few seconds, as the sender is quick: a busy machine has time enough. */
const BUDGET = '2m';

async function run(...args: readonly string[]) {
  const child = spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  return { stdout, stderr, status };
}

/** A product that sends one webhook for each GET of its `/order/<note>?to=<url>`, and tries it again after 50 ms. */
async function startProduct(): Promise<string> {
  const giveUp = new AbortController();
  const product = createServer((asked, response) => {
    response.end();
    const { pathname, searchParams } = new URL(asked.url ?? '', 'http://product');
    void deliver(searchParams.get('to') ?? '', JSON.stringify({ id: pathname, type: 'order' }), giveUp.signal);
  });
  await new Promise<void>((resolve) => product.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    giveUp.abort();
    product.closeAllConnections();
    await new Promise((resolve) => product.close(resolve));
  });
  const address = product.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

async function deliver(url: string, body: string, signal: AbortSignal): Promise<void> {
  for (let wait = 50; wait < 2_000 && !signal.aborted; wait *= 2) {
    const status = await post(url, body, signal);
    if (status !== undefined && status < 429) return;
    await sleep(wait);
  }
}

async function post(url: string, body: string, signal: AbortSignal): Promise<number | undefined> {
  const digest = createHmac('sha1', SECRET).update(body).digest('hex');
  const headers = { 'Content-Type': 'application/json', 'User-Agent': 'Product/1', 'X-Signature': digest };
  return new Promise((resolve) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(300)]);
    const outgoing = request(url, { method: 'POST', agent: false, headers, signal: limit }, (answer) => {
      resolve(answer.statusCode);
      answer.on('error', () => undefined).destroy();
    });
    outgoing.once('error', () => resolve(undefined)).end(body);
  });
}

function folder(): (name: string) => string {
  const place = mkdtempSync(join(tmpdir(), 'waybill-certify-sender-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  return (name) => join(place, name);
}

function triggerOf(product: string): string {
  return `"${process.execPath}" -e "fetch('${product}/order/{mark}?to={url}')"`;
}

test('the command tries a sender, draws its schedule, and writes what it found', async () => {
  const [product, file] = [await startProduct(), folder()];
  const files = [
    '--junit',
    file('j.xml'),
    '--html',
    file('c.html'),
    '--svg',
    file('s.svg'),
    '--statement',
    file('s.json'),
  ];
  const given = ['--trigger', triggerOf(product), '--listen', '0', '--budget', BUDGET, '--secret', SECRET];
  const flags = [...given, '--max-per-second', '2', ...files];
  const { stdout, stderr, status } = await run(...flags);
  expect(stderr).toBe('');
  // It does not look at Retry-After, and has no limit; nothing else is wrong.
  expect(status).toBe(1);
  expect(stdout).toMatch(/✗ Retry-After in seconds\n +Tried again after \d+ ms, asked for were 1 s;/);
  expect(stdout).toMatch(/✗ Requests keep to its limit\n +\d+ of \d+ requests came too early for 2 a second/);
  expect(stdout.match(/✗/g)).toHaveLength(stdout.match(/✗ (?:Retry-After|Requests keep)/g)?.length ?? 0);
  expect(stdout).toMatch(/Schedule\n {2}▲.*█\n {2}Attempts at 0, /);
  // Either there was no time for it, or there was no TLS.
  expect(stdout).toMatch(/- Nothing is sent to an expired certificate\n +Not judged: /);
  expect(stdout).toMatch(/^\d+ passed, \d failed, \d+ not judged\.$/m);
  expect(readFileSync(file('j.xml'), 'utf8')).toMatch(/failures="\d" errors="0" skipped="\d+"/);
  expect(readFileSync(file('c.html'), 'utf8')).toContain('This sender does not do all that a sender ought to');
  expect(readFileSync(file('c.html'), 'utf8')).toContain('<svg ');
  expect(readFileSync(file('s.svg'), 'utf8')).toContain('attempt 1 after 0: answered 500');
  const verified = verifyStatement(readFileSync(file('s.json'), 'utf8'));
  expect(verified).toMatchObject({
    valid: true,
    statement: { kind: 'waybill-sender-certificate', engine: 'Product/1' },
  });
  for (const name of ['j.xml', 'c.html', 's.svg', 's.json'])
    expect(readFileSync(file(name), 'utf8')).not.toContain(SECRET);
});

test('a sender whose event does not come is not judged', async () => {
  const { stdout, status } = await run('--trigger', 'exit 0', '--listen', '0', '--budget', '1s');
  expect(status).toBe(1);
  expect(stdout).toContain('The sender was not judged.');
  expect(stdout).toContain('Nothing came within 100 ms; check that the trigger makes an event');
});

test.each([
  [['--budget', '10m'], '--trigger is missing; give a command that makes the sender send one event'],
  [['--trigger', 'x', '--budget', 'long'], "--budget: 'long' is no duration"],
  [['--trigger', 'x', '--budget', '10ms'], '--budget is 10ms; give at least 1s'],
  [['--trigger', 'x', '--listen', 'here'], '--listen is here; give a host and a port, such as 127.0.0.1:9090'],
  [['--trigger', 'echo no >&2; exit 7', '--listen', '0'], 'The trigger failed: it ended with code 7 (no)'],
  // As Node writes it, with a stack and its version behind the message.
  [
    ['--trigger', `${process.execPath} -e "throw new TypeError('no host')"`, '--listen', '0'],
    'The trigger failed: it ended with code 1 (TypeError: no host)',
  ],
])('%j ends with 2', async (args, message) => {
  const { stderr, status } = await run(...args);
  expect(status).toBe(2);
  expect(stderr).toContain(message);
});

test('the help names every flag', async () => {
  const { stdout } = await run('--help');
  const { SENDER_FLAGS } = await import('../../command-line/certify-sender/options.ts');
  for (const flag of Object.keys(SENDER_FLAGS)) expect(stdout).toContain(`--${flag}`);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});

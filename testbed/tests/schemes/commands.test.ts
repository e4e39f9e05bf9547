/**
 * What certifies sends broken bodies on purpose: receivers have to refuse them.
 * @module-tag broken-bodies
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { verifyStatement } from '../../certify/statement.ts';
import { readSenderOptions } from '../../command-line/certify-sender/options.ts';
import { readOptions } from '../../command-line/certify/options.ts';
import { readFlags } from '../../command-line/flags.ts';
import { readReplayFlags } from '../../command-line/replay-flags.ts';
import { createReceiver } from '../../index.ts';
import { arrivalOf } from '../../receiver/recorder.ts';
import { custom, type Scheme, SCHEMES, signedRequest } from '../../schemes/index.ts';
import { runReceiver, urlOf } from '../support/command.ts';
import { serve } from '../support/served.ts';

const SECRET = 'own-s3cret';
const BODY = { id: 'evt_1', kind: 'paid' };

/** As the flags describe it, and as code does. */
const HEADER = ['--scheme', 'custom', '--signature-header', 'X-Own'];
const DIGEST = ['--algorithm', 'sha512', '--encoding', 'base64', '--prefix', 'v2='];
const CONTENT = ['--timestamp-header', 'X-Own-At', '--payload', 'v2:{timestamp}:{url}:{body}'];
const FLAGS = [...HEADER, ...DIGEST, ...CONTENT, '--id-header', 'X-Own-Id'];
const OWN = custom({
  header: 'X-Own',
  algorithm: 'SHA-512',
  encoding: 'base64',
  prefix: 'v2=',
  timestamp: { header: 'X-Own-At' },
  payload: ({ timestamp, url, body }) => Buffer.concat([Buffer.from(`v2:${timestamp}:${url}:`), body]),
  id: { header: 'X-Own-Id' },
});

const WAYS: readonly (readonly [name: string, scheme: Scheme, flags: readonly string[]])[] = [
  ['custom', OWN, FLAGS],
  ['stripe', SCHEMES.stripe, ['--scheme', 'stripe']],
  ['github', SCHEMES.github, ['--scheme', 'github']],
];

function folder(): (name: string) => string {
  const place = mkdtempSync(join(tmpdir(), 'waybill-schemes-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  return (name) => join(place, name);
}

async function run(command: 'certify' | 'certify-sender', ...args: readonly string[]) {
  const file = fileURLToPath(new URL(`../../command-line/${command}.ts`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  return { stdout, stderr, status };
}

test.each(WAYS)('waybill-receiver checks what is signed as %s, and counts attempts', async (_name, scheme, flags) => {
  await using command = runReceiver('--port', '0', '--secret', SECRET, ...flags);
  const url = `${await urlOf(command)}/hooks`;
  const headers = Object.fromEntries(
    scheme.places.id.flatMap((place) => ('header' in place ? [[place.header, 'e1']] : [])),
  );
  const request = signedRequest({ scheme, secret: SECRET, url, body: BODY, headers });
  for (const one of [request, request]) await fetch(one.url, one);
  await command.until(/#2 +✓ valid/);
  await fetch(url, signedRequest({ scheme, secret: 'another', url, body: BODY }));
  await command.until(/✗ INVALID/);
  command.kill('SIGINT');
  expect(await command.exit).toBe(1);
  expect(command.stdout()).toContain('2 valid, 1 invalid');
  expect(command.stdout() + command.stderr()).not.toContain(SECRET);
});

test.each(WAYS)('replay signs a recording anew as %s does', async (_name, scheme, flags) => {
  const file = folder()('recorded.jsonl');
  const recorded = {
    at: '2020-01-02T03:04:05.000Z',
    method: 'POST',
    path: '/hooks',
    headers: [
      ['Content-Type', 'application/json'],
      [scheme.headers[0], 'long ago'],
    ],
    bodyBase64: Buffer.from(JSON.stringify(BODY)).toString('base64'),
  };
  writeFileSync(file, `${JSON.stringify(recorded)}\n`);
  await using target = await createReceiver({ secret: SECRET, scheme });
  await using command = runReceiver('replay', file, '--to', target.url, '--secret', SECRET, ...flags);
  expect(await command.exit).toBe(0);
  expect(target.received.map(({ signature, path }) => [signature, path])).toEqual([[{ verdict: 'valid' }, '/hooks']]);
});

test('waybill-certify asks a receiver of a custom sender, and each report lists what is not for it', async () => {
  await using served = await serve((request, response) => {
    const answer = async (): Promise<void> => {
      const arrived = arrivalOf(request, await buffer(request), Date.now());
      if ((await OWN.check(arrived, SECRET)) !== 'valid') return void response.writeHead(401).end();
      response.writeHead(isObject(arrived.body) ? 200 : 400).end();
    };
    answer().catch(() => request.socket.destroy());
  });
  const file = folder();
  writeFileSync(file('event.json'), JSON.stringify(BODY));
  const files = ['--junit', file('j.xml'), '--html', file('c.html'), '--statement', file('s.json')];
  const asked = ['--url', `${served.url}/hooks`, '--secret', SECRET, '--event', file('event.json')];
  const { stdout, stderr, status } = await run('certify', ...asked, ...FLAGS, ...files);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/- A signed track event is accepted +Not judged: Waybill’s own\n/);
  expect(stdout).toMatch(/✓ A request that was signed an hour ago is rejected/);
  expect(stdout).toMatch(/^\d+ passed, 0 failed, 4 skipped, \d+ not for this sender\.$/m);
  expect(readFileSync(file('j.xml'), 'utf8')).toMatch(
    /name="kind-track: [^"]*" time="0"><skipped message="not judged: Waybill’s own"\/>/,
  );
  expect(readFileSync(file('c.html'), 'utf8')).toMatch(/What is not for this sender .*A signed track event/);
  expect(verifyStatement(readFileSync(file('s.json'), 'utf8'))).toMatchObject({
    valid: true,
    statement: {
      scheme: 'custom',
      passed: true,
      results: expect.arrayContaining([{ id: 'kind-track', verdict: 'not-asked', words: 'not judged: Waybill’s own' }]),
    },
  });
  expect((await run('certify', '--verify', file('s.json'))).stdout).toMatch(/\d+ not for this sender/);
});

function isObject(body: Uint8Array): boolean {
  try {
    return typeof JSON.parse(Buffer.from(body).toString('utf8')) === 'object';
  } catch {
    return false;
  }
}

/** A sender that is quick is done with all of it long before: a busy machine has time enough. */
const BUDGET = '2m';

test('waybill-certify-sender judges a custom signature, and says what was not judged', async () => {
  const place = folder();
  const sender = `
    const { createHmac } = require('node:crypto');
    const [url, mark] = process.argv.slice(1);
    const body = JSON.stringify({ mark });
    const post = async () => {
      const at = String(Math.floor(Date.now() / 1000));
      const digest = createHmac('sha512', '${SECRET}').update('v2:' + at + ':' + url + ':' + body).digest('base64');
      const headers = { 'X-Own': 'v2=' + digest, 'X-Own-At': at, 'X-Own-Id': mark, 'User-Agent': 'Own/1' };
      const signal = AbortSignal.timeout(2000);
      return fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' }).catch(() => ({ status: 0 }));
    };
    const deliver = async () => {
      for (let attempt = 1; attempt < 8; attempt += 1) {
        const { status, headers } = await post();
        if (status >= 200 && status < 400 || status === 400) break;
        const asked = headers?.get('retry-after') ?? '';
        const wait = /^[0-9]+$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - Date.now();
        await new Promise((resolve) => setTimeout(resolve, Math.max(wait || 0, 20 * 2 ** attempt)));
      }
      process.exit(0);
    };
    void deliver();
  `;
  writeFileSync(place('sender.cjs'), sender.replace('process.argv.slice(1)', 'process.argv.slice(2)'));
  const trigger = `"${process.execPath}" "${place('sender.cjs')}" "{url}" "{mark}" &`;
  const flags = ['--trigger', trigger, '--listen', '0', '--budget', BUDGET, '--secret', SECRET, ...FLAGS];
  const { stdout, stderr, status } = await run('certify-sender', ...flags, '--statement', place('s.json'));
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/✓ First attempts are signed +\d+ first attempts, all as custom signs/);
  expect(stdout).toMatch(/- Nothing is sent to an expired certificate\s+Not judged: /);
  expect(stdout).toMatch(/^\d+ passed, 0 failed, \d+ not judged\.$/m);
  expect(stdout).toContain('What was not judged was not observed');
  expect(readFileSync(place('s.json'), 'utf8')).toContain('"words": "not judged: ');
});

test.each([
  [['--scheme', 'custom'], '--scheme custom needs --signature-header <name>'],
  [['--scheme', 'custom', '--signature-header', 'no header'], 'The header "no header" cannot be the name of a header'],
  [[...HEADER, '--algorithm', 'MD5'], '--algorithm is MD5; give one of SHA-256, SHA-1, SHA-512'],
  [[...HEADER, '--encoding', 'b64'], '--encoding is b64; give one of hex, base64'],
  [[...HEADER, '--payload', '{bdoy}'], '--payload knows no {bdoy}; there are {body}, {timestamp} and {url}'],
  [[...HEADER, '--payload', '{url}'], '--payload is {url}, without {body}: it would sign any body'],
  [[...HEADER, '--payload', '{timestamp}{body}'], 'say with --timestamp-header which header carries it'],
  [['--prefix', 'v1='], '--prefix describes a scheme of your own; add --scheme custom, or leave it out'],
  [['--scheme', 'strip'], '--scheme is "strip"; did you mean stripe?'],
  [['--scheme', 'other'], 'slack, shopify, twilio, or custom'],
])('%j is refused alike by every command', async (flags, words) => {
  const given = { secret: ['--secret', SECRET], url: ['--url', 'http://127.0.0.1:1'] };
  expect(() => readFlags([...given.secret, ...flags])).toThrow(words);
  expect(() => readReplayFlags(['file', '--to', 'http://127.0.0.1:1', ...given.secret, ...flags])).toThrow(words);
  expect(() => readOptions([...given.url, ...given.secret, ...flags])).toThrow(words);
  expect(() => readSenderOptions(['--trigger', 'x', ...given.secret, ...flags])).toThrow(words);
});

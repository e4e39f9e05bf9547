import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../../../scripts/check/free-port.ts';
import { createReceiver } from '../../index.ts';
import { readRecording } from '../../recording/index.ts';
import { runReceiver, urlOf } from '../support/command.ts';
import { harFault } from '../support/har-schema.ts';
import { event, post, statuses } from '../support/posting.ts';
import { serve } from '../support/served.ts';

const folder = mkdtempSync(join(tmpdir(), 'waybill-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('--record and --har keep what came, and replay sends it again', async () => {
  const [record, har] = [join(folder, 'r.jsonl'), join(folder, 'r.har')];
  await using command = runReceiver('--port', '0', '--record', record, '--har', har, '--script', '503,200');
  const url = await urlOf(command);
  await statuses(`${url}/a`, [event('track', { event: 'Order Completed' }), ' {"type":"page"} ']);
  command.kill('SIGINT');
  expect(await command.exit).toBe(0);
  expect(readRecording(readFileSync(record, 'utf8')).map(({ path }) => path)).toEqual(['/a', '/a']);
  expect(harFault(JSON.parse(readFileSync(har, 'utf8')))).toBeUndefined();

  await using target = await createReceiver({ script: '200,503' });
  await using replaying = runReceiver('replay', record, '--to', target.url);
  expect(await replaying.exit).toBe(1);
  expect(replaying.stdout()).toMatch(/#1 +track +Order Completed · user-42 .* 200 after \d+ ms\n/);
  expect(replaying.stdout()).toContain('2 sent, 1 answered 2xx');
  expect(target.received.map(({ path, body }) => [path, Buffer.from(body).toString()])).toEqual([
    ['/a', event('track', { event: 'Order Completed' })],
    ['/a', ' {"type":"page"} '],
  ]);
});

test('what comes before its first line is shown and recorded as well', async () => {
  const port = await freePort();
  const record = join(folder, 'early.jsonl');
  await using command = runReceiver('--port', String(port), '--record', record, '--control-port', '0');
  // As a sender that tries again and again does, from before the receiver is there.
  let taken = 0;
  while (!command.stdout().includes('Ctrl-C')) {
    taken += await post(`http://127.0.0.1:${port}`, event('track')).then(
      () => 1,
      () => 0,
    );
  }
  command.kill('SIGINT');
  expect(await command.exit).toBe(0);
  expect(readRecording(readFileSync(record, 'utf8'))).toHaveLength(taken);
  expect(command.stdout().match(/ track +user-42 /g) ?? []).toHaveLength(taken);
  expect(command.stdout().startsWith('Waybill receiver listening')).toBe(true);
});

test('D-53: a replay whose requests are all taken exits 0', async () => {
  const file = join(folder, 'one.jsonl');
  writeFileSync(file, '{"at":"","method":"POST","path":"/","headers":[],"bodyBase64":"eA=="}\n');
  await using target = await createReceiver();
  await using command = runReceiver('replay', file, '--to', `${target.url}/there`, '--json');
  expect(await command.exit).toBe(0);
  const lines = command.stdout().trimEnd().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { kind: 'replayed', number: 1, answer: 200 },
    { kind: 'summary', requests: 1, taken: 1, ok: true },
  ]);
  expect(target.received).toMatchObject([{ path: '/there' }]);
});

test('a damaged recording sends nothing, and names the line', async () => {
  const file = join(folder, 'damaged.jsonl');
  const good = '{"at":"","method":"POST","path":"/","headers":[],"bodyBase64":""}';
  writeFileSync(
    file,
    `${good}\n{"at":"","method":"POST","path":"/","headers":[["Authorization","Bearer canary"]],"bod`,
  );
  await using target = await createReceiver();
  await using command = runReceiver('replay', file, '--to', target.url);
  expect(await command.exit).toBe(1);
  expect(command.stderr()).toContain(`Cannot read ${file}: Line 2 of the recording is no recorded request`);
  expect(command.stderr()).toContain('nothing was sent');
  expect(command.stderr()).not.toContain('canary');
  expect(target.received).toEqual([]);
});

test('a replay to where nobody listens ends with the first request, and says so', async () => {
  const file = join(folder, 'two.jsonl');
  writeFileSync(file, '{"at":"","method":"POST","path":"/","headers":[],"bodyBase64":"eA=="}\n'.repeat(2));
  const gone = await serve(() => undefined);
  await gone[Symbol.asyncDispose]();
  await using command = runReceiver('replay', file, '--to', gone.url);
  expect(await command.exit).toBe(1);
  expect(command.stderr()).toBe(`Nobody listens at ${gone.url}; start it first, or give another --to\n`);
  expect(command.stdout()).not.toContain('#1');
});

test.each([
  [['replay'], 2, 'replay has no file'],
  [['replay', 'x'], 2, '--to is missing'],
  [['replay', 'x', '--to', 'nowhere'], 2, '--to must be an http or https URL, got nowhere'],
  [['replay', 'x', 'y', '--to', 'http://127.0.0.1:1'], 2, '"y" belongs to no flag'],
  [['replay', '/nowhere/at/all', '--to', 'http://127.0.0.1:1'], 1, 'Cannot read /nowhere/at/all: ENOENT'],
  [['replay', '/dev/null', '--to', 'http://127.0.0.1:1'], 1, 'holds no recorded request'],
  [['--port', '0', '--record', '/nowhere/at/all'], 1, 'Cannot write /nowhere/at/all: ENOENT'],
  [['--port', '0', '--har', '/'], 1, 'Cannot write /: EISDIR'],
])('%j exits %i with what is wrong', async (args, status, words) => {
  await using command = runReceiver(...args);
  expect(await command.exit).toBe(status);
  expect(command.stderr()).toContain(words);
  expect(command.stderr()).not.toContain('    at ');
});

test('D-53: a full disk is told while it runs, and makes the exit code 1', async () => {
  await using command = runReceiver('--port', '0', '--record', '/dev/full', '--har', '/dev/full');
  expect(await statuses(await urlOf(command), [event('track'), event('page')])).toEqual([200, 200]);
  command.kill('SIGINT');
  expect(await command.exit).toBe(1);
  expect(command.stderr().match(/Cannot write \/dev\/full: ENOSPC/g)).toHaveLength(2);
});

test('a control port in use is a clear error and exit code 1', async () => {
  await using taken = await serve(() => undefined);
  const port = new URL(taken.url).port;
  await using command = runReceiver('--port', '0', '--control-port', port);
  expect(await command.exit).toBe(1);
  expect(command.stderr()).toContain(`Cannot listen on port ${port} of 127.0.0.1: the port is in use`);
});

test('an application that is down is shown below the request, and makes the exit code 1', async () => {
  const gone = await serve(() => undefined);
  await gone[Symbol.asyncDispose]();
  await using command = runReceiver('--port', '0', '--forward', gone.url);
  expect((await post(await urlOf(command), event('track'))).status).toBe(502);
  await command.until(/↳ track user-42: the application did not answer: ECONNREFUSED \(502 after \d+ ms\)/);
  command.kill('SIGINT');
  expect(await command.exit).toBe(1);
  expect(command.stdout()).toContain('forwarded   0 answered by the application, 1 not');
});

test('--tls names a file that senders can trust, for as long as it runs', async () => {
  await using command = runReceiver('--port', '0', '--tls', '--json');
  const [line] = await command.until(/^\{.*\}$/m);
  const { url, ca }: { url: string; ca: string } = JSON.parse(line);
  const ask = `fetch(${JSON.stringify(url)}, { method: 'POST', body: '{}' }).then((a) => console.log(a.status), (e) => console.log(e.cause.code))`;
  const sender = async (env: NodeJS.ProcessEnv) =>
    (await promisify(execFile)(process.execPath, ['-e', ask], { env: { ...process.env, ...env } })).stdout.trim();
  expect(await sender({ NODE_EXTRA_CA_CERTS: ca })).toBe('200');
  expect(await sender({})).toMatch(/UNABLE_TO_VERIFY|SELF_SIGNED/);
  await command.until(/"kind":"unreadable".*hung up in the TLS handshake/);
  command.kill('SIGINT');
  expect(await command.exit).toBe(0);
  expect(existsSync(ca)).toBe(false);
});

test('the control API of the command changes what it answers, and the lines say so', async () => {
  await using command = runReceiver('--port', '0', '--endpoint', '/a=503', '--control-port', '0');
  const url = await urlOf(command);
  const [, control = ''] = await command.until(/control +(http:\/\/127\.0\.0\.1:\d+)/);
  expect(await statuses(`${url}/a`, ['', ''])).toEqual([503, 503]);
  const change = { method: 'PUT', body: '{"script":"204"}' };
  expect((await fetch(`${control}/v1/script?endpoint=/a`, change)).status).toBe(200);
  expect(await statuses(`${url}/a`, [''])).toEqual([204]);
  await fetch(`${control}/v1/reset`, { method: 'POST' });
  await command.until(/reset: what came is forgotten/);
  expect(command.stdout()).toMatch(/the script of \/a is now 204\n/);
  expect(command.stdout()).toMatch(/ 204 +\/a step 1 of 1 \(204\)/);
});

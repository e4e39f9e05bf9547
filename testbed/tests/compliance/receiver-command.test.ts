import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { sign } from '../../../client/webhooks/signature.ts';
import { runReceiver, urlOf } from '../support/command.ts';
import { event, failureOf, post, statuses } from '../support/posting.ts';

const SECRET = 's3cret';

async function postSigned(url: string, body: string, secret = SECRET): Promise<number> {
  return (await post(url, body, { 'X-Signature': await sign(secret, body) })).status;
}

test('the command shows each request and ends with a summary', async () => {
  await using command = runReceiver('--port', '0', '--secret', SECRET, '--script', '503,200');
  const url = await urlOf(command);
  const body = event('track', { event: 'Order Completed', messageId: 'm1' });
  expect([await postSigned(url, body), await postSigned(url, body)]).toEqual([503, 200]);
  command.kill('SIGINT');
  expect(await command.exit).toBe(0);
  const lines = command.stdout().split('\n');
  expect(lines[0]).toBe(`Waybill receiver listening on ${url}`);
  expect(lines.filter((line) => line.includes('Order Completed · user-42'))).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{3} {2}track .* 90 B {2}#1 {4}✓ valid {5}503 +step 1 of 2 \(503\)$/),
    expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{3} {2}track .* 90 B {2}#2 {4}✓ valid {5}200 +step 2 of 2 \(200\)$/),
  ]);
  expect(command.stdout()).toContain(`\n              ${body}\n`);
  expect(command.stdout()).toContain(
    ['Summary', '  requests    2', '  signatures  2 valid, 0 invalid', '  answered    503 ×1, 200 ×1', ''].join('\n'),
  );
  expect(command.stderr()).toBe('');
});

test('output that is no terminal has no colors', async () => {
  await using command = runReceiver('--port', '0');
  await statuses(await urlOf(command), [event('page')]);
  command.kill('SIGTERM');
  expect(await command.exit).toBe(0);
  expect(command.stdout()).not.toContain('\u001b');
});

test('D-53: an invalid signature makes the exit code 1', async () => {
  await using command = runReceiver('--port', '0', '--secret', SECRET);
  const body = event('track');
  await postSigned(await urlOf(command), body, 'another');
  command.kill('SIGINT');
  expect(await command.exit).toBe(1);
  const expected = (await sign(SECRET, body)).slice(0, 8);
  expect(command.stdout()).toMatch(/✗ INVALID/);
  expect(command.stdout()).toContain(`X-Signature: expected ${expected}…, got `);
  expect(command.stdout()).toContain('0 valid, 1 invalid');
});

test('D-53: a missing signature makes the exit code 1', async () => {
  await using command = runReceiver('--port', '0', '--secret', SECRET);
  await statuses(await urlOf(command), [event('track')]);
  command.kill('SIGINT');
  expect(await command.exit).toBe(1);
  expect(command.stdout()).toContain('1 missing');
});

test('D-53: without a secret unsigned requests are as they should be', async () => {
  await using command = runReceiver('--port', '0');
  await statuses(await urlOf(command), [event('track')]);
  command.kill('SIGINT');
  expect(await command.exit).toBe(0);
  expect(command.stdout()).toMatch(/– unsigned/);
  expect(command.stdout()).toContain('signatures  not checked');
});

test('D-53: --json writes one object a line', async () => {
  await using command = runReceiver('--port', '0', '--json', '--secret', SECRET, '--script', 'reset:connect,200');
  const url = await urlOf(command);
  expect(await failureOf(post(url, 'x'))).toBe('ECONNRESET');
  await postSigned(url, event('track', { messageId: 'm1' }));
  await post(url, Uint8Array.of(0xff));
  command.kill('SIGTERM');
  expect(await command.exit).toBe(1);
  const lines: unknown[] = command
    .stdout()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toEqual([
    { kind: 'listening', url, script: 'reset:connect,200', seed: 0, signature: 'checked' },
    expect.objectContaining({ kind: 'turned-away', answer: 'reset:connect', step: 1 }),
    expect.objectContaining({
      kind: 'received',
      number: 1,
      type: 'track',
      eventId: 'm1',
      attempt: 1,
      signature: { verdict: 'valid' },
      body: event('track', { messageId: 'm1' }),
      answer: '200',
      step: 2,
    }),
    expect.objectContaining({
      kind: 'received',
      bodyBase64: '/w==',
      bytes: 1,
      signature: { verdict: 'missing', header: 'X-Signature or webhook-signature' },
    }),
    {
      kind: 'summary',
      requests: 2,
      turnedAway: 1,
      unreadable: 0,
      forwarded: 0,
      unanswered: 0,
      signatures: { valid: 1, invalid: 0, missing: 1, 'not expected': 0 },
      answered: { 'reset:connect': 1, '200': 2 },
      ok: false,
    },
  ]);
});

test('a request under delay does not hold up the end', async () => {
  await using command = runReceiver('--port', '0', '--script', 'delay:1h');
  const posting = failureOf(post(await urlOf(command), event('track')));
  await command.until(/200 after 60 m/);
  command.kill('SIGINT');
  expect(await command.exit).toBe(0);
  expect(await posting).toBe('UND_ERR_SOCKET');
});

test('a sender that hangs up is shown below its request', async () => {
  await using command = runReceiver('--port', '0', '--script', 'silence:request');
  const giveUp = new AbortController();
  const url = await urlOf(command);
  const posting = failureOf(fetch(url, { method: 'POST', body: event('page'), signal: giveUp.signal }));
  await command.until(/silence:request {2}step 1/);
  giveUp.abort();
  await posting;
  const [line] = await command.until(/↳ page user-42: .*/);
  expect(line).toMatch(/the sender hung up after \d/);
});

test('the secret stands in no line that the command prints', async () => {
  const secret = 'canary-5f1e';
  for (const json of [[], ['--json']]) {
    await using command = runReceiver('--port', '0', '--secret', secret, ...json);
    await postSigned(await urlOf(command), event('track'), 'another');
    command.kill('SIGINT');
    await command.exit;
    expect(command.stdout() + command.stderr()).not.toContain(secret);
  }
});

test('a port in use is a clear error and exit code 1', async () => {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  await using command = runReceiver('--port', String(port));
  expect(await command.exit).toBe(1);
  expect(command.stderr()).toBe(
    `Cannot listen on port ${port} of 127.0.0.1: the port is in use; choose another, or 0 for a free one\n`,
  );
  await new Promise((resolve) => server.close(resolve));
});

test('a wrong flag is a clear error and exit code 2', async () => {
  await using command = runReceiver('--port', '0', '--script', '503,rest,200');
  expect(await command.exit).toBe(2);
  expect(command.stdout()).toBe('');
  expect(command.stderr()).toBe(
    [
      "--script: Bad fault script at column 5, step 2 (rest): 'rest' is no word of the language; did you mean reset?",
      '  503,rest,200',
      '      ^',
      '',
    ].join('\n'),
  );
});

test('a reader of the output that goes away ends the command', async () => {
  await using command = runReceiver('--port', '0');
  const url = await urlOf(command);
  command.closeOutput();
  await statuses(url, [event('track')]);
  expect(await command.exit).toBe(0);
  expect(command.stderr()).toBe('');
});

import { request as requestHttp } from 'node:http';
import { expect, test } from 'vitest';
import { createReceiver, ListenError } from '../../index.ts';
import { openControl } from '../../receiver/index.ts';
import type { ReceiverEvent } from '../../index.ts';
import { ControlContract } from '../support/control-contract.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { event, post, statuses } from '../support/posting.ts';

const contract = new ControlContract();

async function put(url: string, script: unknown, endpoint = ''): Promise<number> {
  const path = `/v1/script${endpoint === '' ? '' : `?endpoint=${endpoint}`}`;
  return (await contract.ask(url, 'PUT', path, { body: JSON.stringify({ script }) })).status;
}

test('another script is played from the next request on, at its endpoint alone', async () => {
  await using receiver = await createReceiver({ endpoints: { '/a': {}, '/b': {} } });
  await using control = await openControl(receiver);
  const told: ReceiverEvent[] = [];
  receiver.onEvent((happened) => told.push(happened));
  expect(await put(control.url, '503,404', '/a')).toBe(200);
  expect(await statuses(`${receiver.url}/a`, ['', '', ''])).toEqual([503, 404, 404]);
  expect(await statuses(`${receiver.url}/b`, [''])).toEqual([200]);
  expect(await put(control.url, [{ status: 418, times: 'always' }], '/a')).toBe(200);
  expect(await statuses(`${receiver.url}/a`, [''])).toEqual([418]);
  expect(told.filter(({ kind }) => kind === 'scripted')).toMatchObject([{ endpoint: '/a' }, { endpoint: '/a' }]);
});

test('a script that cannot be played changes nothing, and the answer says why', async () => {
  await using receiver = await createReceiver({ script: '503' });
  await using control = await openControl(receiver);
  const { status, body } = await contract.ask(control.url, 'PUT', '/v1/script', {
    body: '{"script":"503,rest"}',
  });
  expect([status, body['error']]).toEqual([400, expect.stringContaining('did you mean reset?')]);
  expect(await put(control.url, 'unreachable:dns_error')).toBe(400);
  expect(await statuses(receiver.url, [''])).toEqual([503]);
});

test('a wait answers when enough has come, and not before', async () => {
  await using receiver = await createReceiver();
  await using control = await openControl(receiver);
  await post(receiver.url, event('track'));
  const waiting = contract.ask(control.url, 'GET', '/v1/wait?type=track&count=2&within=30s');
  await post(receiver.url, event('page'));
  await post(receiver.url, event('track'));
  expect((await waiting).body).toMatchObject({ requests: [{ number: 1 }, { number: 3 }], received: 3 });
});

test("a wait in vain ends by the receiver's clock, with what came", async () => {
  const clock = new ManualClock();
  await using receiver = await createReceiver({ clock });
  await using control = await openControl(receiver);
  await post(receiver.url, event('page'));
  const waiting = contract.ask(control.url, 'GET', '/v1/wait?type=track&within=10m');
  await clock.asleepFor(600_000);
  clock.advance(600_000);
  expect(await waiting).toMatchObject({ status: 504, body: { error: expect.stringContaining('#1 page') } });
});

test('who hangs up waits no longer', async () => {
  const clock = new ManualClock();
  await using receiver = await createReceiver({ clock });
  await using control = await openControl(receiver);
  const asking = requestHttp(`${control.url}/v1/wait?within=10m`).on('error', () => undefined);
  asking.end();
  await clock.asleepFor(600_000);
  asking.destroy();
  await expect.poll(() => clock.asleep).toBe(0);
});

test('a reset forgets what came, and begins every script anew', async () => {
  await using receiver = await createReceiver({
    secret: 's',
    script: '503,200',
    endpoints: { '/a': { script: '429,200' } },
  });
  await using control = await openControl(receiver);
  const body = event('track', { messageId: 'm1' });
  const both = async () => [await statuses(receiver.url, [body]), await statuses(`${receiver.url}/a`, [body])].flat();
  expect(await both()).toEqual([503, 429]);
  expect((await contract.ask(control.url, 'POST', '/v1/reset')).body).toMatchObject({ received: 0 });
  expect(receiver.received).toEqual([]);
  expect(await both()).toEqual([503, 429]);
  expect(receiver.received.map(({ number, attempt }) => [number, attempt])).toEqual([
    [1, 1],
    [2, 1],
  ]);
  expect(await receiver.next()).toMatchObject({ number: 1 });
});

test('no shared secret is in any answer', async () => {
  await using receiver = await createReceiver({ secret: 'canary-1', endpoints: { '/a': { secret: 'canary-2' } } });
  await using control = await openControl(receiver);
  await post(`${receiver.url}/a`, event('track'), { 'X-Signature': '0'.repeat(40) });
  const paths = ['/v1/receiver', '/v1/script', '/v1/requests', '/v1/requests/1', '/v1/wait', '/v1/archive'];
  const texts = await Promise.all(paths.map(async (path) => (await fetch(control.url + path)).text()));
  expect(texts.join('')).not.toContain('canary');
  expect(texts.join('')).toContain('"verdict":"invalid"');
});

async function statusFor(url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = requestHttp(`${url}/v1/reset`, { method: 'POST', headers, agent: false }, (answer) => {
      resolve(answer.resume().statusCode);
    });
    asking.on('error', reject).end();
  });
}

test.each([
  [{ Host: 'rebound.test' }, 403],
  [{ Host: '127.0.0.1.rebound.test' }, 403],
  [{ Origin: 'http://localhost:3000' }, 403],
  [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
  [{ 'Sec-Fetch-Site': 'none' }, 200],
  [{ Host: 'localhost:1' }, 200],
  [{}, 200],
])('a request with %j is answered %i', async (headers, status) => {
  await using receiver = await createReceiver();
  await using control = await openControl(receiver);
  expect(await statusFor(control.url, headers)).toBe(status);
});

test.each([
  ['GET', '/v1', 404, 'there are /v1/receiver, /v1/script'],
  ['DELETE', '/v1/script', 405, 'use GET, PUT'],
  ['GET', '/v1/requests?typ=x', 400, 'did you mean type?'],
  ['GET', '/v1/receiver?x=1', 400, 'there are none here'],
  ['GET', '/v1/requests?limit=1&limit=2', 400, 'limit is given twice'],
  ['GET', '/v1/wait?count=1001', 400, 'give a whole number from 1 to 1000'],
  ['GET', '/v1/wait?within=11m', 400, 'ten minutes at most'],
  ['GET', '/v1/script?endpoint=a', 400, 'it must match ^/'],
  ['PUT', '/v1/script', 400, 'The body is no {"script"'],
])('%s %s is a %i that shows the way out', async (method, path, status, words) => {
  await using receiver = await createReceiver();
  await using control = await openControl(receiver);
  const answer = await fetch(control.url + path, { method });
  const body: unknown = await answer.json();
  expect([answer.status, body]).toEqual([status, { error: expect.stringContaining(words) }]);
});

test('a body that is too long is refused', async () => {
  await using receiver = await createReceiver();
  await using control = await openControl(receiver);
  const answer = await fetch(`${control.url}/v1/script`, { method: 'PUT', body: new Uint8Array(2_000_000) });
  expect(answer.status).toBe(413);
});

test('a port in use is refused with a way out', async () => {
  await using receiver = await createReceiver();
  const port = Number(new URL(receiver.url).port);
  await expect(openControl(receiver, { port })).rejects.toThrow(ListenError);
});

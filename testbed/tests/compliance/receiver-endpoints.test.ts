import { expect, test } from 'vitest';
import { sign } from '../../../client/webhooks/signature.ts';
import { createReceiver } from '../../index.ts';
import type { ReceiverOptions } from '../../index.ts';
import { event, failureOf, nextEvent, post, statuses } from '../support/posting.ts';

test('each path plays a script of its own, and the others are answered 404', async () => {
  await using receiver = await createReceiver({ endpoints: { '/hooks/a': { script: '503,200' }, '/hooks/b': {} } });
  expect(await statuses(`${receiver.url}/hooks/a`, ['', ''])).toEqual([503, 200]);
  expect(await statuses(`${receiver.url}/hooks/b?x=1`, [''])).toEqual([200]);
  for (const path of ['', '/hooks', '/hooks/a/', '/hooks/ab']) {
    expect(await statuses(receiver.url + path, [''])).toEqual([404]);
  }
  expect(receiver.received.map(({ endpoint }) => endpoint)).toEqual([
    '/hooks/a',
    '/hooks/a',
    '/hooks/b',
    ...Array.from({ length: 4 }),
  ]);
});

test('with a script of its own the rest is answered by it', async () => {
  await using receiver = await createReceiver({ script: '418', endpoints: { '/a': {} } });
  expect(await statuses(`${receiver.url}/b`, [''])).toEqual([418]);
});

test('each endpoint checks with its own secret, or with that of the receiver', async () => {
  await using receiver = await createReceiver({ secret: 'one', endpoints: { '/a': {}, '/b': { secret: 'two' } } });
  const body = event('track');
  for (const path of ['/a', '/b']) await post(receiver.url + path, body, { 'X-Signature': await sign('two', body) });
  expect(receiver.received.map(({ signature }) => signature.verdict)).toEqual(['invalid', 'valid']);
});

test('an event that goes to two endpoints is the first attempt at both', async () => {
  await using receiver = await createReceiver({ endpoints: { '/a': {}, '/b': {} } });
  const body = event('track', { messageId: 'm1' });
  for (const path of ['/a', '/b', '/a']) await post(receiver.url + path, body);
  expect(receiver.received.map(({ number, attempt }) => [number, attempt])).toEqual([
    [1, 1],
    [2, 1],
    [3, 2],
  ]);
});

test('a wait can be for one endpoint', async () => {
  await using receiver = await createReceiver({ endpoints: { '/a': {}, '/b': {} } });
  const waiting = receiver.waitFor({ endpoint: '/b', within: '20s' });
  await post(`${receiver.url}/a`, event('track'));
  await post(`${receiver.url}/b`, event('page'));
  expect(await waiting).toMatchObject({ number: 2, endpoint: '/b' });
});

test('a large upload is cut off by the endpoint that says so', async () => {
  await using receiver = await createReceiver({ endpoints: { '/a': { script: 'reset:upload,200' }, '/b': {} } });
  const away = nextEvent(receiver, 'turned-away');
  expect(await statuses(`${receiver.url}/b`, [''])).toEqual([200]);
  expect(await failureOf(post(`${receiver.url}/a`, new Uint8Array(4_000_000)))).toMatch(/ECONNRESET|EPIPE/);
  expect(await away).toMatchObject({ endpoint: '/a', turn: { step: 1 } });
  expect(await statuses(`${receiver.url}/a`, [''])).toEqual([200]);
});

const WRONG: [ReceiverOptions, string][] = [
  [{ endpoints: { hooks: {} } }, 'The endpoint "hooks" is no path; begin it with /'],
  [{ endpoints: { '/a?b': {} } }, 'without a query'],
  [{ endpoints: { '/a': { secret: '' } } }, 'The option secret of the endpoint /a is empty'],
  [{ endpoints: { '/a': { forward: 'x' } } }, 'The option forward of the endpoint /a is "x"'],
  [{ endpoints: { '/a': { script: 'reset:connect' } } }, 'nobody knows which endpoint is meant; use the stage upload'],
  [{ endpoints: { '/a': {} }, script: 'silence:connect' }, 'nobody knows which endpoint is meant'],
];

test.each(WRONG)('the options %j are refused by name and value', async (options, message) => {
  await expect(createReceiver(options)).rejects.toThrow(message);
});

test('a script for an endpoint that is not there is refused with those that are', async () => {
  await using receiver = await createReceiver({ endpoints: { '/a': {} } });
  expect(() => receiver.setScript('503', '/b')).toThrow('There is no endpoint "/b"; there are /a');
  await using bare = await createReceiver();
  expect(() => bare.setScript('503', '/b')).toThrow('the receiver has none');
});

import { expect, test } from 'vitest';
import { openEnvelope, type Sender } from '../../events/normalize-calls.ts';
import { normalize } from '../../events/normalize.ts';
import { startIngestion, WRITE_KEY } from '../support/ingestion-server.ts';

function contextOf(context: unknown, sender: Sender, batchContext?: unknown): unknown {
  const envelope = openEnvelope({ context: batchContext }, { receivedAt: 0, ip: '203.0.113.7', sender });
  const event = normalize({ type: 'identify', userId: 'u', context }, envelope, () => 'id');
  return typeof event === 'string' ? event : event.context;
}

test('ING-8: the address of a page or app becomes context.ip', () => {
  expect(contextOf({ a: 1 }, 'client')).toEqual({ a: 1, ip: '203.0.113.7' });
  expect(contextOf(undefined, 'client')).toEqual({ ip: '203.0.113.7' });
  expect(contextOf({ ip: null }, 'client')).toEqual({ ip: '203.0.113.7' });
});

test('ING-8: an ip that was sent is kept', () => {
  expect(contextOf({ ip: '0.0.0.0' }, 'client')).toEqual({ ip: '0.0.0.0' });
  expect(contextOf({}, 'client', { ip: '198.51.100.1' })).toEqual({ ip: '198.51.100.1' });
});

test('ING-8: the address of a server is never added, unless it sends direct', () => {
  expect(contextOf({ a: 1 }, 'server')).toEqual({ a: 1 });
  expect(contextOf({ direct: 'true' }, 'server')).toEqual({ direct: 'true' });
  expect(contextOf({ direct: true }, 'server')).toEqual({ direct: true, ip: '203.0.113.7' });
});

test('ING-8: neither the batch nor the call is changed', () => {
  const [batch, own] = [Object.freeze({ a: 1 }), Object.freeze({ b: 2 })];
  expect(contextOf(own, 'client', batch)).toEqual({ a: 1, b: 2, ip: '203.0.113.7' });
});

test.each([
  [{}, '127.0.0.1'],
  [{ 'x-forwarded-for': '203.0.113.9, 10.0.0.1' }, '203.0.113.9'],
  [{ 'x-forwarded-for': '::ffff:203.0.113.9' }, '203.0.113.9'],
  [{ 'x-forwarded-for': '2001:db8::1' }, '2001:db8::1'],
  [{ 'x-forwarded-for': '<script>' }, '127.0.0.1'],
])('ING-8: with the headers %j the address is %s', async (headers, ip) => {
  const { post, store } = await startIngestion();
  const call = { userId: 'u', event: 'E', writeKey: WRITE_KEY };
  for (const path of ['/v1/t', '/v1/track']) await post(path, call, headers);
  await post('/v1/b', { batch: [{ type: 'track', ...call }] }, headers);
  expect(store.events.map(({ context }) => context)).toEqual([{ ip }, {}, { ip }]);
});

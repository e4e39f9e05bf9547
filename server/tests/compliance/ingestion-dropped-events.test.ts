import { expect, test } from 'vitest';
import { createDroppedEvents } from '../../losses/dropped-events.ts';
import { createDrops } from '../../events/drops.ts';
import { startConfigApi } from '../support/config-api.ts';
import { SOURCE, startIngestion } from '../support/ingestion-server.ts';

const PATH = '/workspaces/main/sources/js/dropped-events';
const RECEIVED = '2026-11-20T12:00:00.000Z';

test('D-42: each dropped event is kept with its reason, without its content', async () => {
  const { post, dropped } = await startIngestion();
  const secret = { properties: { password: 'hunter2' } };
  await post('/v1/batch', {
    batch: [
      { type: 'track', userId: 'u', messageId: 'm1', ...secret },
      { type: 'track', event: 'E'.repeat(200), messageId: 7, ...secret },
      'no call',
      { type: 'identify', userId: 'u' },
    ],
  });
  expect(dropped.lastOf(SOURCE)).toEqual([
    { reason: 'bad_request', receivedAt: RECEIVED },
    { reason: 'no_user_anon_id', receivedAt: RECEIVED, type: 'track', event: 'E'.repeat(100) },
    { reason: 'event_not_defined', receivedAt: RECEIVED, type: 'track', messageId: 'm1' },
  ]);
});

test('D-42: an event that is refused for its size is kept too', async () => {
  const { post, dropped } = await startIngestion();
  const event = { type: 'track', userId: 'u', event: 'E', messageId: 'big', properties: { text: 'x'.repeat(33_000) } };
  expect(await post('/v1/track', event)).toMatchObject({ status: 413 });
  expect(dropped.lastOf(SOURCE)).toMatchObject([{ reason: 'event_too_large', messageId: 'big', event: 'E' }]);
});

test('D-42: all drops are counted, and the last hundred kept', async () => {
  const { post, dropped } = await startIngestion();
  for (const from of [0, 150]) {
    const batch = Array.from({ length: 150 }, (_, at) => ({ type: 'track', event: 'E', messageId: `m${from + at}` }));
    await post('/v1/batch', { batch });
  }
  await post('/v1/batch', { batch: Array.from({ length: 2_501 }, () => ({})) });
  expect([...dropped.of(SOURCE)]).toEqual([
    ['no_user_anon_id', 300],
    ['too_many_events', 2_501],
  ]);
  const last = dropped.lastOf(SOURCE);
  expect(last).toHaveLength(100);
  expect([last[0]?.reason, last[1]?.messageId, last[99]?.messageId]).toEqual(['too_many_events', 'm299', 'm201']);
});

test('D-42: a request with many drops holds no more of them than can be read', () => {
  const drops = createDrops(RECEIVED);
  for (let at = 0; at < 250; at += 1) drops.add({ messageId: `m${at}` }, 'bad_request');
  expect([drops.last.length, drops.last.at(-1)?.messageId, drops.counts.get('bad_request')]).toEqual([
    100,
    'm249',
    250,
  ]);
});

test('D-42: a request that could not be stored counts no drop', async () => {
  const { post, dropped, store } = await startIngestion();
  store.isUnavailable = true;
  await post('/v1/batch', { batch: [{ type: 'identify', userId: 'u' }, {}] });
  expect([dropped.of(SOURCE).size, dropped.lastOf(SOURCE)]).toEqual([0, []]);
});

test('D-42: what is read of drops cannot change them', () => {
  const dropped = createDroppedEvents();
  dropped.add(SOURCE, new Map([['bad_request', 1]]), [{ reason: 'bad_request', receivedAt: RECEIVED }]);
  for (const list of [dropped.lastOf(SOURCE)]) if (Array.isArray(list)) list.pop();
  expect(dropped.lastOf(SOURCE)).toHaveLength(1);
});

test('D-42: the Config API shows counts and the last drops', async () => {
  const api = await startConfigApi();
  await api.ok('POST', '/workspaces/main/sources', { source: { name: SOURCE } });
  const since = '2026-11-20T12:00:00.123Z';
  const adjusted = { adjusted_counts: [], adjusted_events: [] };
  const none = { since, ...adjusted, counts: [], dropped_events: [], blocked_counts: [], blocked_events: [] };
  expect(await api.ok('GET', PATH)).toEqual(none);
  api.dropped.add(
    SOURCE,
    new Map([
      ['bad_request', 2],
      ['event_not_defined', 1],
      ['suppressed', 3],
    ]),
    [
      { reason: 'suppressed', receivedAt: RECEIVED, messageId: 'm0' },
      { reason: 'bad_request', receivedAt: RECEIVED },
      { reason: 'event_not_defined', receivedAt: RECEIVED, type: 'track', messageId: 'm1', event: '' },
    ],
  );
  expect(await api.ok('GET', PATH)).toEqual({
    since,
    ...adjusted,
    counts: [
      { reason: 'bad_request', count: 2 },
      { reason: 'event_not_defined', count: 1 },
    ],
    dropped_events: [
      { reason: 'event_not_defined', receive_time: RECEIVED, type: 'track', message_id: 'm1', event: '' },
      { reason: 'bad_request', receive_time: RECEIVED },
    ],
    blocked_counts: [{ reason: 'suppressed', count: 3 }],
    blocked_events: [{ reason: 'suppressed', receive_time: RECEIVED, message_id: 'm0' }],
  });
  expect(await api.call('GET', PATH.replace('/js/', '/none/'))).toMatchObject({ status: 404, body: { code: 5 } });
});

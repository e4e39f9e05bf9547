import { expect, test } from 'vitest';
import { createAcceptedEvents } from '../../losses/accepted-events.ts';
import { createDroppedEvents, KEPT_DROPS } from '../../losses/dropped-events.ts';
import { measuredLosses } from '../../losses/measured-losses.ts';
import { createInstruments } from '../../operations/metrics/registry.ts';
import { createUnknownKeys } from '../../losses/unknown-keys.ts';
import { createTraffic } from '../../losses/traffic.ts';
import { createViolations } from '../../losses/violations.ts';
import { startConfigApi, withSource } from '../support/config-api.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { NOW, SOURCE, startIngestion } from '../support/ingestion-server.ts';
import { newEvaluation } from '../support/evaluation.ts';

const CALL = { type: 'track', userId: 'u1', event: 'Signed Up', messageId: 'm1' };
const RECEIVED = new Date(NOW).toISOString();

test.each<[what: string, times: object, reasons: string[]]>([
  ['no time at all', {}, []],
  ['null and an empty text', { timestamp: null, sentAt: '' }, []],
  ['an empty text and null', { timestamp: '', sentAt: null }, []],
  ['a usable time', { timestamp: '2026-11-20T11:00:00Z', sentAt: '2026-11-20T11:00:01Z' }, []],
  ['a text that is no time', { timestamp: 'yesterday' }, ['timestamp_unreadable']],
  ['an object', { timestamp: { seconds: 1 } }, ['timestamp_unreadable']],
  ['a number that is no epoch', { timestamp: 7 }, ['timestamp_unreadable']],
  [
    'clocks that are too far apart',
    { timestamp: '9999-01-01T00:00:00Z', sentAt: '0001-01-01T00:00:00Z' },
    ['timestamp_unreadable'],
  ],
  ['a sentAt that is no time', { timestamp: '2026-11-20T11:00:00Z', sentAt: 'soon' }, ['sent_at_unreadable']],
  ['neither', { timestamp: 'a', sentAt: 'b' }, ['timestamp_unreadable', 'sent_at_unreadable']],
])('ING-6: an event with %s is kept, and what could not be read is counted', async (_what, times, reasons) => {
  const { post, store, dropped } = await startIngestion();
  expect(await post('/v1/batch', { batch: [{ ...CALL, ...times }] })).toMatchObject({ status: 200 });
  expect(store.events).toHaveLength(1);
  expect([...dropped.of(SOURCE)]).toEqual(reasons.map((reason) => [reason, 1]));
  const trace = { receivedAt: RECEIVED, type: 'track', messageId: 'm1', event: 'Signed Up' };
  expect(dropped.lastOf(SOURCE).toReversed()).toEqual(reasons.map((reason) => ({ reason, ...trace })));
});

test('a sentAt of a batch that is no time is counted for each of its events', async () => {
  const { post, dropped } = await startIngestion();
  await post('/v1/batch', { sentAt: 'soon', batch: [CALL, { ...CALL, messageId: 'm2' }, { ...CALL, userId: {} }] });
  expect(Object.fromEntries(dropped.of(SOURCE))).toEqual({ sent_at_unreadable: 2, id_not_string: 1 });
});

test('many adjusted events do not push out the dropped ones', async () => {
  const { post, dropped } = await startIngestion();
  await post('/v1/batch', { batch: [{ type: 'track', event: 'Nobody' }] });
  const batch = Array.from({ length: 2 * KEPT_DROPS }, (_, index) => ({
    ...CALL,
    messageId: `m${index}`,
    timestamp: '?',
  }));
  await post('/v1/batch', { batch });
  const reasons = dropped.lastOf(SOURCE).map(({ reason }) => reason);
  expect(reasons.filter((reason) => reason === 'no_user_anon_id')).toHaveLength(1);
  expect(reasons.filter((reason) => reason === 'timestamp_unreadable')).toHaveLength(KEPT_DROPS);
});

test('the API lists adjusted events beside the dropped ones, and says since when it counts', async () => {
  const api = await startConfigApi();
  const source = await withSource(api);
  api.dropped.add(source, new Map([['timestamp_unreadable', 2]]), [
    { reason: 'timestamp_unreadable', receivedAt: RECEIVED, type: 'track', messageId: 'm1' },
  ]);
  expect(await api.ok('GET', `/${source}/dropped-events`)).toEqual({
    since: '2026-11-20T12:00:00.123Z',
    counts: [],
    dropped_events: [],
    blocked_counts: [],
    blocked_events: [],
    adjusted_counts: [{ reason: 'timestamp_unreadable', count: 2 }],
    adjusted_events: [{ reason: 'timestamp_unreadable', receive_time: RECEIVED, type: 'track', message_id: 'm1' }],
  });
  expect(await api.ok('GET', `/${source}/violations`)).toMatchObject({ since: '2026-11-20T12:00:00.123Z' });
});

test('adjusted events and unknown keys have counters of their own', async () => {
  const instruments = createInstruments();
  const unknownKeys = createUnknownKeys({ clock: { now: () => NOW }, log: new RecordingLog() });
  const { undecided } = newEvaluation();
  const kept = { dropped: createDroppedEvents(), violations: createViolations(), unknownKeys, undecided };
  const own = { ...kept, accepted: createAcceptedEvents(), traffic: createTraffic({ now: () => NOW }) };
  const losses = measuredLosses(own, instruments);
  losses.dropped.add(SOURCE, new Map([['timestamp_unreadable', 2]]), []);
  losses.dropped.add(SOURCE, new Map([['bad_request', 1]]), []);
  losses.unknownKeys.add('stale-key', 4);
  const text = await instruments.registry.metrics();
  expect(text).toMatch(/^waybill_events_adjusted_total\{reason="timestamp_unreadable"\} 2$/m);
  expect(text).toMatch(/^waybill_events_dropped_total\{reason="bad_request"\} 1$/m);
  expect(text).not.toMatch(/^waybill_events_dropped_total\{reason="timestamp/m);
  expect(text).toMatch(/^waybill_events_unknown_key_total 4$/m);
  expect(own.unknownKeys.total()).toBe(4);
});

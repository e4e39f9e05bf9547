import { expect, test } from 'vitest';
import type { DropReason } from '../../losses/dropped-events.ts';
import { DROP_REASONS } from '../support/ingestion-drop-reasons.ts';
import { openEnvelope } from '../../events/normalize-calls.ts';
import { normalize } from '../../events/normalize.ts';
import { SOURCE, startIngestion } from '../support/ingestion-server.ts';

const user = { userId: 'u' };

/** Calls that are no events; where no type is written it is a batch that holds it. */
const DROPPED: readonly (readonly [reason: DropReason, call: unknown])[] = [
  ['bad_request', null],
  ['bad_request', 'track'],
  ['bad_request', 7],
  ['bad_request', []],
  ['bad_request', {}],
  ['bad_request', { type: 'Track', ...user, event: 'E' }],
  ['bad_request', { type: 'delete', ...user }],
  ['bad_request', { type: '__proto__', ...user }],
  ['bad_request', { type: 'constructor', ...user }],
  ['bad_request', { type: 'identify', ...user, context: 'none' }],
  ['bad_request', { type: 'identify', ...user, integrations: [1] }],
  ['bad_request', { type: 'identify', ...user, context: { device: { advertisingId: 7 } } }],
  ['bad_request', { type: 'alias', ...user, previousId: 'p', context: { device: { advertisingId: {} } } }],
  ['no_user_anon_id', { type: 'identify' }],
  ['no_user_anon_id', { type: 'identify', userId: null, anonymousId: null }],
  ['no_user_anon_id', { type: 'group', groupId: 'g' }],
  ['id_not_string', { type: 'identify', userId: '' }],
  ['id_not_string', { type: 'identify', anonymousId: '' }],
  ['id_not_string', { type: 'identify', userId: true }],
  ['id_not_string', { type: 'identify', userId: {}, anonymousId: 'a' }],
  ['id_not_string', { type: 'identify', userId: 'u', anonymousId: ['a'] }],
  ['id_not_string', { type: 'group', ...user, groupId: {} }],
  ['id_required', { type: 'group', ...user }],
  ['id_required', { type: 'group', ...user, groupId: '' }],
  ['id_required', { type: 'alias', ...user }],
  ['id_required', { type: 'alias', ...user, previousId: '' }],
  ['id_required', { type: 'alias', previousId: 'p' }],
  ['event_not_defined', { type: 'track', ...user }],
  ['event_not_defined', { type: 'track', ...user, event: null }],
  ['event_not_defined', { type: 'track', ...user, event: '' }],
  ['event_not_string', { type: 'track', ...user, event: 5 }],
  ['properties_not_object', { type: 'track', ...user, event: 'E', properties: 'p' }],
  ['properties_not_object', { type: 'page', ...user, properties: [1] }],
  ['traits_not_object', { type: 'identify', ...user, traits: 5 }],
  ['traits_not_object', { type: 'group', ...user, groupId: 'g', traits: false }],
  ['name_not_string', { type: 'page', ...user, name: {} }],
  ['name_not_string', { type: 'screen', ...user, name: '' }],
  ['category_not_string', { type: 'page', ...user, category: ['c'] }],
];

const label = (call: unknown): string => JSON.stringify(call);

test.each(DROPPED.map(([reason, call]) => [label(call), reason, call] as const))(
  'D-42: %s is dropped as %s',
  (_, reason, call) => {
    expect(normalize(call, openEnvelope({}, { receivedAt: 0 }), () => 'id')).toBe(reason);
  },
);

/** Calls that look as odd, and are events all the same. */
const KEPT: readonly (readonly [call: object, becomes: object])[] = [
  [{ type: 'identify', userId: '', anonymousId: 'a' }, { anonymousId: 'a' }],
  [{ type: 'identify', userId: null, anonymousId: 'a' }, { anonymousId: 'a' }],
  [{ type: 'identify', userId: 0 }, { userId: '0' }],
  [{ type: 'identify', userId: -1.5 }, { userId: '-1.5' }],
  [{ type: 'group', ...user, groupId: 0 }, { groupId: '0' }],
  [{ type: 'alias', ...user, previousId: 17 }, { previousId: '17' }],
  [{ type: 'page', ...user, name: 0, category: null }, { name: '0' }],
  [{ type: 'page', ...user, name: null, category: 4 }, { category: '4' }],
  [{ type: 'identify', ...user, traits: [] }, { traits: {} }],
  [
    { type: 'track', ...user, event: 'E', properties: [], context: [], integrations: [] },
    { properties: {}, context: {}, integrations: {} },
  ],
  [{ type: 'identify', ...user, traits: null, context: null, integrations: null }, { context: {} }],
  [{ type: 'identify', ...user, context: { device: { advertisingId: null } } }, {}],
  [
    { type: 'identify', ...user, context: { device: { advertisingId: 'a-1' } } },
    { context: { device: { advertisingId: 'a-1' } } },
  ],
  [{ type: 'identify', ...user, context: { device: 'phone' } }, { context: { device: 'phone' } }],
  // A field that its kind does not carry cannot do harm.
  [{ type: 'identify', ...user, event: 5, properties: 'p', name: {} }, {}],
];

test.each(KEPT.map(([call, becomes]) => [label(call), label(becomes), call, becomes] as const))(
  'D-42: %s is kept with %s',
  (_call, _becomes, call, becomes) => {
    const event = normalize(call, openEnvelope({}, { receivedAt: 0 }), () => 'id');
    expect(event).toMatchObject(becomes);
    expect(Object.values(event)).not.toContain(null);
  },
);

test.each(['{"type":"identify","userId":1e400}', '{"type":"identify","userId":-1e400}'])(
  'D-42: %s has no id',
  (call) => {
    expect(normalize(JSON.parse(call), openEnvelope({}, { receivedAt: 0 }), () => 'id')).toBe('id_not_string');
  },
);

test('D-42: a bad event is dropped alone, counted and logged', async () => {
  const { post, store, dropped, log } = await startIngestion();
  const bad = [{ type: 'track', ...user }, { type: 'identify' }, { type: 'identify' }, 'nonsense', null];
  const good = { type: 'identify', ...user };
  expect(await post('/v1/batch', { batch: [good, ...bad, good] })).toMatchObject({ status: 200 });
  expect(store.events).toHaveLength(2);
  const drops = { event_not_defined: 1, no_user_anon_id: 2, bad_request: 2 };
  expect(Object.fromEntries(dropped.of(SOURCE))).toEqual(drops);
  expect(log.lines).toEqual([{ level: 'warn', fields: { source: SOURCE, drops }, message: 'events dropped' }]);
});

test('D-42: counts of several requests add up, for each source alone', async () => {
  const { post, dropped } = await startIngestion();
  await post('/v1/batch', { batch: ['nonsense', 'nonsense'] });
  await post('/v1/track', { ...user });
  await post('/v1/batch', { batch: ['nonsense'] });
  expect(Object.fromEntries(dropped.of(SOURCE))).toEqual({ bad_request: 3, event_not_defined: 1 });
  expect(dropped.of('workspaces/main/sources/other').size).toBe(0);
});

test('D-42: an empty batch is 200, and counted', async () => {
  const { post, store, dropped } = await startIngestion();
  expect(await post('/v1/batch', { batch: [] })).toMatchObject({ status: 200, body: { success: true } });
  expect(store.calls).toEqual([]);
  expect(Object.fromEntries(dropped.of(SOURCE))).toEqual({ empty_batch: 1 });
});

test('D-42: 2 500 events are accepted, and a batch of more is dropped', async () => {
  const { post, store, dropped } = await startIngestion();
  const batch = Array.from({ length: 2_501 }, (_, id) => ({ type: 'identify', userId: id }));
  expect(await post('/v1/batch', { batch })).toMatchObject({ status: 200 });
  expect(store.calls).toEqual([]);
  expect(Object.fromEntries(dropped.of(SOURCE))).toEqual({ too_many_events: 2_501 });
  expect(await post('/v1/batch', { batch: batch.slice(1) })).toMatchObject({ status: 200 });
  expect(store.events).toHaveLength(2_500);
});

test('D-42: every reason of the vocabulary is proven here or by its limit', () => {
  const proven = new Set<string>([
    ...DROPPED.map(([reason]) => reason),
    'empty_batch',
    'too_many_events',
    'event_too_large',
  ]);
  expect([...DROP_REASONS].filter((reason) => !proven.has(reason))).toEqual([]);
});

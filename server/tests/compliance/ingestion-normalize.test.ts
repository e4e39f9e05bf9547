import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DROP_REASONS } from '../support/ingestion-drop-reasons.ts';
import { openEnvelope } from '../../events/normalize-calls.ts';
import { normalize } from '../../events/normalize.ts';
import { CALL_TYPES, type Event } from '../../model/message.ts';

const RECEIVED = Date.parse('2026-11-20T12:00:00.000Z');
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const json = fc.jsonValue();
/** Values that a sender may put into any field, most of them wrong there. */
const field = fc.oneof(
  json,
  fc.constantFrom(null, '', 0, true, [], {}, 'u', 1e300, '2026-11-20T11:00:00Z', '9999-12-31T23:59:59.999Z', -0),
  fc.date().map((date) => (Number.isNaN(date.getTime()) ? 'Invalid Date' : date.toISOString())),
);
const FIELDS = ['messageId', 'userId', 'anonymousId', 'groupId', 'previousId', 'event', 'name', 'category'];
const OBJECTS = ['properties', 'traits', 'context', 'integrations', 'timestamp', 'sentAt', '__proto__', 'constructor'];
const nearCall = fc
  .tuple(fc.constantFrom<string>(...CALL_TYPES, 'other'), fc.dictionary(fc.constantFrom(...FIELDS, ...OBJECTS), field))
  .map(([type, fields]) => ({ type, userId: 'u', event: 'E', groupId: 'g', previousId: 'p', ...fields }));
const envelope = fc.record({ sentAt: field, context: field, integrations: field }, { requiredKeys: [] });

/** As it would arrive: through JSON. */
function normalized(call: unknown, batch: object): ReturnType<typeof normalize> {
  const sent: { call: unknown; batch: object } = JSON.parse(JSON.stringify({ call, batch }));
  return normalize(sent.call, openEnvelope(sent.batch, { receivedAt: RECEIVED }), () => 'id');
}

test('D-42: any JSON value becomes an event or a reason, never a throw', () => {
  let events = 0;
  fc.assert(
    fc.property(fc.oneof(json, nearCall), envelope, (call, batch) => {
      const result = normalized(call, batch);
      const event = typeof result === 'string' ? undefined : result;
      expect([event === undefined ? result : 'bad_request', ...faultsOf(event)]).toEqual([
        expect.toBeOneOf([...DROP_REASONS]),
      ]);
      events += event === undefined ? 0 : 1;
    }),
    { numRuns: 3_000 },
  );
  // The property says little if hardly anything ever is an event.
  expect(events).toBeGreaterThan(300);
});

/** What is wrong with an event; empty when nothing is. */
function faultsOf(event: Event | undefined): string[] {
  if (event === undefined) return [];
  const { type, context, properties = {}, traits = {}, integrations = {}, ...words } = event;
  const text = JSON.stringify(event);
  const faults: Readonly<Record<string, boolean>> = {
    type: !CALL_TYPES.some((known) => known === type),
    timestamp: !isTime(event.timestamp),
    receivedAt: !isTime(event.receivedAt),
    words: Object.values(words).some((word) => typeof word !== 'string' || word === ''),
    objects: ![context, properties, traits, integrations].every(isPlain),
    json: JSON.stringify(JSON.parse(text)) !== text,
  };
  return Object.keys(faults).filter((fault) => faults[fault]);
}

function isTime(text: string): boolean {
  return ISO.test(text) && new Date(text).toISOString() === text;
}

function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}

test('D-42: an event that is not well formed would be seen', () => {
  const good = eventOf('{"type":"identify","userId":"u"}');
  const bad = { timestamp: '2026-02-30T00:00:00.000Z', receivedAt: 'soon', userId: '', traits: Object.create(null) };
  expect(faultsOf(good)).toEqual([]);
  expect(faultsOf({ ...good, ...bad, properties: { date: new Map() } })).toEqual([
    'timestamp',
    'receivedAt',
    'words',
    'objects',
  ]);
});

test('D-42: an event that is sent again becomes the same event', () => {
  fc.assert(
    fc.property(nearCall, envelope, (call, batch) => {
      expect(normalized(call, batch)).toEqual(normalized(call, batch));
    }),
  );
});

test('D-42: an event does not change what was sent', () => {
  fc.assert(
    fc.property(nearCall, envelope, (call, batch) => {
      const before = JSON.stringify([call, batch]);
      normalize(call, openEnvelope(batch, { receivedAt: RECEIVED }), () => 'id');
      expect(JSON.stringify([call, batch])).toBe(before);
    }),
  );
});

function eventOf(call: string, batch = '{}'): Event {
  const event = normalize(
    JSON.parse(call),
    openEnvelope(JSON.parse(batch), { receivedAt: RECEIVED }),
    () => 'api-made',
  );
  if (typeof event === 'string') throw new Error(`the call was dropped: ${event}`);
  return event;
}

test('D-42: __proto__ and its like stay plain data', () => {
  const evil =
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":{"__proto__":{"polluted":1}}}';
  const call = `{"type":"identify","userId":"u","__proto__":{"anonymousId":"x"},"traits":${evil},"context":${evil},"integrations":${evil}}`;
  const event = eventOf(call, `{"context":${evil},"integrations":${evil}}`);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(event.anonymousId).toBeUndefined();
  for (const part of [event.traits, event.context, event.integrations]) {
    expect(isPlain(part ?? Object.create(null))).toBe(true);
    expect(JSON.stringify(part)).toBe(evil);
  }
});

test('D-42: a context nested a hundred thousand deep does no harm', () => {
  const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
  const event = eventOf(`{"type":"identify","userId":"u","context":${deep}}`, `{"context":${deep}}`);
  expect(JSON.stringify(event.context)).toBe(deep);
});

test.each([
  ['none', '{}', undefined],
  ['one of the batch', '{"context":{"library":{"name":"go"}}}', { library: { name: 'go' } }],
  ['its own', '{}', { app: { name: 'shop' } }],
])('D-42: a call has the context %s', (_case, batch, context) => {
  const own =
    batch === '{}' ? JSON.stringify({ type: 'identify', userId: 'u', context }) : '{"type":"identify","userId":"u"}';
  expect(eventOf(own, batch).context).toEqual(context ?? {});
});

test('D-42: the context of the batch is merged under that of the event', () => {
  const own = { library: { version: '2' }, app: { tags: ['own'] }, page: null };
  const batch = {
    library: { name: 'go', version: '1' },
    app: { name: 'shop', tags: ['batch', 'x'] },
    page: { url: '/' },
    os: 'x',
  };
  const event = eventOf(
    JSON.stringify({ type: 'identify', userId: 'u', context: own }),
    JSON.stringify({ context: batch }),
  );
  expect(event.context).toEqual({
    library: { name: 'go', version: '2' },
    app: { name: 'shop', tags: ['own'] },
    page: null,
    os: 'x',
  });
});

test.each([
  ['{"all":false}', undefined, { all: false }],
  [undefined, '{"A":true}', { A: true }],
  // Alone they stay as they were sent.
  [undefined, '{"all":false,"A":null}', { all: false, A: null }],
  ['{"all":false,"A":true}', '{"B":true}', { all: false, A: true, B: true }],
  ['{"A":{"x":1},"B":{"y":1}}', '{"A":{"z":2}}', { A: { x: 1, z: 2 }, B: { y: 1 } }],
  // Null says nothing.
  ['{"A":true}', '{"A":null,"B":false}', { A: true, B: false }],
  ['{"All":false}', '{"all":null}', { All: false }],
  // Both mean the same.
  ['{"All":false,"A":true}', '{"all":true}', { A: true, all: true }],
  ['{"all":false,"A":true}', '{"All":true}', { A: true, All: true }],
])('D-45: integrations %s of a batch and %s of its event are merged', (batch, own, merged) => {
  const event = eventOf(
    `{"type":"identify","userId":"u"${own === undefined ? '' : `,"integrations":${own}`}}`,
    batch === undefined ? '{}' : `{"integrations":${batch}}`,
  );
  expect(event.integrations).toEqual(merged);
});

test.each(['', '"messageId":"",', '"messageId":null,', '"messageId":{},'])(
  'D-43: a call with {%s} as messageId gets an id of ours',
  (part) => {
    expect(eventOf(`{${part}"type":"identify","userId":"u"}`).messageId).toBe('api-made');
  },
);

test.each([
  ['"ajs-next-1700000000000-3c7e"', 'ajs-next-1700000000000-3c7e'],
  ['17', '17'],
])('D-43: the messageId %s stays', (sent, messageId) => {
  expect(eventOf(`{"messageId":${sent},"type":"identify","userId":"u"}`).messageId).toBe(messageId);
});

const WORDS = ['userId', 'anonymousId', 'groupId', 'previousId', 'event', 'name', 'category'] as const;

test.each([
  ['identify', ['userId', 'anonymousId', 'traits']],
  ['track', ['userId', 'anonymousId', 'event', 'properties']],
  ['page', ['userId', 'anonymousId', 'name', 'category', 'properties']],
  ['screen', ['userId', 'anonymousId', 'name', 'category', 'properties']],
  ['group', ['userId', 'anonymousId', 'groupId', 'traits']],
  ['alias', ['userId', 'previousId']],
] as const)('D-42: a call of the kind %s keeps of its own fields %j, and of others nothing', (type, fields) => {
  const words = Object.fromEntries(WORDS.map((key) => [key, `a ${key}`]));
  const sent = { ...words, traits: { a: 1 }, properties: { b: 2 }, other: 'x' };
  const event = eventOf(JSON.stringify({ type, ...sent }));
  const kept = Object.fromEntries(Object.entries(sent).filter(([key]) => fields.some((own) => own === key)));
  const made = { context: {}, messageId: 'api-made', receivedAt: event.receivedAt, timestamp: event.receivedAt };
  expect(event).toStrictEqual({ type, ...made, ...kept });
});

test.each(['1', 'null', '"track"', '[]', '{}', '{"type":"other","userId":"u"}', '{"type":["identify"],"userId":"u"}'])(
  'D-42: %s is no call',
  (call) => {
    expect(normalized(JSON.parse(call), {})).toBe('bad_request');
  },
);

test('D-41: the kind that the route gives stands over that of the call', () => {
  const route = openEnvelope({}, { receivedAt: RECEIVED, type: 'group' });
  expect(normalize({ type: 'track', userId: 'u', groupId: 'g' }, route, () => 'id')).toMatchObject({ type: 'group' });
});

test('D-42: objects of the context are merged eight deep; below, those of the event stand', () => {
  const nested = (levels: number, inner: object): object => (levels === 0 ? inner : { a: nested(levels - 1, inner) });
  const merged = (levels: number): object => {
    const [batch, own] = [{ context: nested(levels, { batch: 1 }) }, nested(levels, { own: 1 })];
    return eventOf(JSON.stringify({ type: 'identify', userId: 'u', context: own }), JSON.stringify(batch)).context;
  };
  expect(merged(8)).toEqual(nested(8, { batch: 1, own: 1 }));
  expect(merged(9)).toEqual(nested(9, { own: 1 }));
});

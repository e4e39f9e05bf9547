import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openEnvelope } from '../../events/normalize-calls.ts';
import { createIsoWriter, instantOf } from '../../events/times.ts';
import { normalize } from '../../events/normalize.ts';
import type { Event } from '../../model/message.ts';

const RECEIVED = Date.parse('2026-11-20T12:00:00.000Z');

function timesOf(call: object, batch: object = {}): object {
  const { timestamp, originalTimestamp, sentAt } = normalized(call, batch).event;
  return { timestamp, originalTimestamp, sentAt };
}

function normalized(call: object, batch: object = {}): { readonly event: Event; readonly notes: readonly string[] } {
  const notes: string[] = [];
  const event = normalize(
    { type: 'identify', userId: 'u', ...call },
    openEnvelope(batch, { receivedAt: RECEIVED }),
    () => 'id',
    (reason) => notes.push(reason),
  );
  if (typeof event === 'string') throw new Error(`the call was dropped: ${event}`);
  return { event, notes };
}

/** Every form that SDKs put on the wire, and that their documents show. */
test.each([
  ['2026-11-20T23:10:38.958Z', '2026-11-20T23:10:38.958Z'],
  ['2026-11-20T23:10:43.027+00:00', '2026-11-20T23:10:43.027Z'],
  ['2026-11-20T18:10:43.028-05:00', '2026-11-20T23:10:43.028Z'],
  ['2026-11-20T23:10:43.527415+00:00', '2026-11-20T23:10:43.527Z'],
  ['2026-11-20T23:18:00.808867363Z', '2026-11-20T23:18:00.808Z'],
  ['2020-01-01T00:00:00.123456789-07:00', '2020-01-01T07:00:00.123Z'],
  ['2026-11-20T23:18:02+00:00', '2026-11-20T23:18:02.000Z'],
  ['1970-01-01T00:33:40+00:00', '1970-01-01T00:33:40.000Z'],
  ['1981-02-02', '1981-02-02T00:00:00.000Z'],
  ['2014-09-03T01:02:03.000004', '2014-09-03T01:02:03.000Z'],
  ['2014-09-03T01:02:03', '2014-09-03T01:02:03.000Z'],
  ['2015-2-02T00:30:08.276Z', '2015-02-02T00:30:08.276Z'],
  ['20150202T003008Z', '2015-02-02T00:30:08.000Z'],
  ['20150202T003008.276+0100', '2015-02-01T23:30:08.276Z'],
  ['2015-02-02 00:30:08.2Z', '2015-02-02T00:30:08.200Z'],
  ['2015-02-02T00:30+0530', '2015-02-01T19:00:00.000Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ['2015-02-02T24:00:00Z', '2015-02-03T00:00:00.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['0099-12-31T00:00:00.000Z', '0099-12-31T00:00:00.000Z'],
  ['0000-01-01T00:00:00.000Z', '0000-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ['2020-01-01T05:00:00+05', '2020-01-01T00:00:00.000Z'],
  ['2020-01-02T00:00:00+24:00', '2020-01-01T00:00:00.000Z'],
  ['2020-01-01T00:59:00+00:59', '2020-01-01T00:00:00.000Z'],
  ['100000000', '1973-03-03T09:46:40.000Z'],
  ['9999999999', '2286-11-20T17:46:39.000Z'],
  ['10000000000', '1970-04-26T17:46:40.000Z'],
  ['1422837008', '2015-02-02T00:30:08.000Z'],
  ['1422837008276', '2015-02-02T00:30:08.276Z'],
])('D-44: the timestamp %s is %s', (sent, timestamp) => {
  expect(timesOf({ timestamp: sent })).toEqual({ timestamp, originalTimestamp: sent, sentAt: undefined });
});

test('D-44: a timestamp that is a number is an epoch, and kept as text', () => {
  expect(timesOf({ timestamp: 1_422_837_008_276 })).toEqual({
    timestamp: '2015-02-02T00:30:08.276Z',
    originalTimestamp: '1422837008276',
    sentAt: undefined,
  });
});

test.each([
  'yesterday',
  'event 5',
  '12/31/2020',
  '2020-13-01T00:00:00Z',
  '2020-02-30T00:00:00.000Z',
  '2021-02-29T00:00:00Z',
  '2020-01-01T25:00:00Z',
  '2020-01-01T00:60:00.000Z',
  '2020-01-01T24:00:01Z',
  '2020-01-01T24:01:00Z',
  '2020-01-01T24:01:01Z',
  '2020-01-01T00:00:61Z',
  '2020-01-01T00:00:00+99:00',
  '2020-01-01T00:00:00+24:01',
  '2020-01-01T00:00:00+00:60',
  '+12020-01-01T00:00:00Z',
  '2020-01-01T00:00:0x.000Z',
  ' 2020-01-01T00:00:00Z',
  '9999-12-31T23:59:59-05:00',
  '0000-01-01T00:00:00+05:00',
  '17',
  '-1',
  'NaN',
])('D-44, ING-6: the timestamp "%s" is none, so the server time is used', (sent) => {
  expect(timesOf({ timestamp: sent })).toMatchObject({
    timestamp: '2026-11-20T12:00:00.000Z',
    originalTimestamp: sent,
  });
});

test.each([true, {}, [], ['2020-01-01T00:00:00Z'], 1e300, 1e13, 99_999_999, -1])(
  'D-44: a timestamp of %j is the server time',
  (timestamp) => {
    expect(timesOf({ timestamp })).toMatchObject({ timestamp: '2026-11-20T12:00:00.000Z' });
  },
);

/** The sender's clock says five minutes past when the server's says noon. */
const SENT = '2026-11-20T12:05:00.000Z';

test('D-44: a clock that is ahead is corrected by how far it is ahead', () => {
  const call = { timestamp: '2026-11-20T12:04:50.000Z' };
  const expected = { timestamp: '2026-11-20T11:59:50.000Z', originalTimestamp: call.timestamp, sentAt: SENT };
  expect(timesOf(call, { sentAt: SENT })).toEqual(expected);
  expect(timesOf({ ...call, sentAt: SENT })).toEqual(expected);
});

test('D-44: a clock that is behind is corrected, whatever zone each time is written in', () => {
  expect(timesOf({ timestamp: '2026-11-20T06:00:00-05:00' }, { sentAt: '2026-11-20T12:00:30.250+01:00' })).toEqual({
    timestamp: '2026-11-20T11:59:29.750Z',
    originalTimestamp: '2026-11-20T06:00:00-05:00',
    sentAt: '2026-11-20T12:00:30.250+01:00',
  });
});

test('D-44: the sentAt of a call stands over that of its batch', () => {
  const call = { timestamp: '2026-11-20T12:04:50Z', sentAt: '2026-11-20T12:04:55Z' };
  expect(timesOf(call, { sentAt: SENT })).toMatchObject({ timestamp: '2026-11-20T11:59:55.000Z', sentAt: call.sentAt });
});

const NO_TIMES = ['2026-11-20T25:00Z', '2026-13-20T11:00Z', '2026-11-20T11:00+99:00'];

test.each([null, undefined, '', 'soon', {}, 12, ...NO_TIMES])(
  'D-44: with a sentAt of %j nothing is corrected',
  (sentAt) => {
    const call = { timestamp: '2026-11-20T12:04:50.000Z' };
    expect(timesOf(call, { sentAt })).toMatchObject({ timestamp: call.timestamp });
    expect(timesOf({ ...call, sentAt })).toMatchObject({ timestamp: call.timestamp });
  },
);

test('D-44: a skew that leaves no date gives the server time', () => {
  const [first, last] = ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'];
  expect(timesOf({ timestamp: last }, { sentAt: first })).toMatchObject({ timestamp: '2026-11-20T12:00:00.000Z' });
  expect(timesOf({ timestamp: first }, { sentAt: last })).toMatchObject({ timestamp: '2026-11-20T12:00:00.000Z' });
});

test.each<{ readonly notes: readonly string[]; readonly call: object; readonly batch?: object }>([
  { notes: [], call: {} },
  { notes: [], call: { timestamp: undefined, sentAt: undefined } },
  { notes: [], call: { timestamp: null, sentAt: null } },
  { notes: [], call: { timestamp: '', sentAt: '' } },
  { notes: [], call: { timestamp: '2026-11-20T12:00:00Z', sentAt: SENT } },
  { notes: [], call: { timestamp: '2026-11-20T12:00:00Z' }, batch: { sentAt: SENT } },
  { notes: ['timestamp_unreadable'], call: { timestamp: 'yesterday' } },
  { notes: ['timestamp_unreadable'], call: { timestamp: {} } },
  {
    notes: ['timestamp_unreadable'],
    call: { timestamp: '9999-12-31T23:59:59Z' },
    batch: { sentAt: '0000-01-01T00:00:00Z' },
  },
  { notes: ['sent_at_unreadable'], call: { sentAt: 'soon' } },
  { notes: ['sent_at_unreadable'], call: {}, batch: { sentAt: 'soon' } },
  // What the call says stands over its batch, whatever it says.
  { notes: ['sent_at_unreadable'], call: { sentAt: 'soon' }, batch: { sentAt: SENT } },
  { notes: [], call: { sentAt: SENT }, batch: { sentAt: 'soon' } },
  { notes: ['timestamp_unreadable', 'sent_at_unreadable'], call: { timestamp: 'yesterday', sentAt: 'soon' } },
])('D-44: of the times of $call in the batch $batch is told: $notes', ({ notes, call, batch }) => {
  expect(normalized(call, batch).notes).toEqual(notes);
});

test('D-44: an event has no time that was not sent, but those of the server', () => {
  expect(Object.keys(normalized({}).event).toSorted()).toEqual([
    'context',
    'messageId',
    'receivedAt',
    'timestamp',
    'type',
    'userId',
  ]);
});

const two = (number: number): string => String(number).padStart(2, '0');

test.each([1900, 2000, 2023, 2024])('D-44: the year %i has its days, and no others', (year) => {
  const days = Array.from({ length: 14 * 33 }, (_, index) => ({ month: Math.floor(index / 33), day: index % 33 }));
  for (const { month, day } of days) {
    const date = new Date(Date.UTC(year, month - 1, day));
    const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
    const text = `${year}-${two(month)}-${two(day)}`;
    expect([text, instantOf(text)]).toEqual([text, exists ? date.getTime() : undefined]);
  }
});

test('D-44: a time with a wrong character, wherever it stands, is none', () => {
  const text = '2026-11-20T23:10:38.958Z';
  const changed = ['x', '/'].flatMap((wrong) =>
    Array.from(text, (_, at) => text.slice(0, at) + wrong + text.slice(at + 1)),
  );
  expect([...changed, `${text}x`].filter((wrong) => instantOf(wrong) !== undefined)).toEqual([]);
});

test('D-44: an instant that JavaScript writes is read back', () => {
  fc.assert(
    fc.property(
      fc.date({
        min: new Date('0000-01-01T00:00:00Z'),
        max: new Date('9999-12-31T23:59:59.999Z'),
        noInvalidDate: true,
      }),
      (date) => {
        const text = date.toISOString();
        expect(instantOf(text)).toBe(date.getTime());
        expect(instantOf(text.replace('Z', '000000+00:00'))).toBe(date.getTime());
        expect(instantOf(text.replaceAll(/[-:]/g, ''))).toBe(date.getTime());
        expect(instantOf(text.replace('Z', ''))).toBe(date.getTime());
      },
    ),
  );
});

test('HOOK-13: instants are written as JavaScript writes them', () => {
  const write = createIsoWriter();
  const instants = fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 });
  fc.assert(
    fc.property(instants, fc.array(fc.integer({ min: 0, max: 120_000 })), (start, steps) => {
      for (const step of [0, ...steps]) {
        const instant = Math.min(start + step, 253_402_300_799_999);
        expect(write(instant)).toBe(new Date(instant).toISOString());
      }
    }),
  );
});

test('D-44: no text takes long to be found no time', () => {
  for (const text of [
    '2'.repeat(500_000),
    `2020-01-01T00:00:00.${'1'.repeat(500_000)}`,
    '2020-01-01T'.repeat(40_000),
  ]) {
    expect(instantOf(text)).toBeUndefined();
  }
});

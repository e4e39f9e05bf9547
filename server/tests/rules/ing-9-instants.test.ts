import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIsoWriter, instantOf } from '../../events/times.ts';
import { isWritable } from '../../model/moments.ts';

const USUAL = '2024-02-29T13:45:59.123Z';
const AT = Date.UTC(2024, 1, 29, 13, 45, 59, 123);

/** A text with one character replaced. */
function altered(text: string, at: number, by: string): string {
  return text.slice(0, at) + by + text.slice(at + 1);
}

test('ING-9: what JavaScript writes is read as JavaScript reads it', () => {
  expect(instantOf(USUAL)).toBe(AT);
  const anyInstant = fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 });
  fc.assert(
    fc.property(anyInstant, (instant) => {
      const text = new Date(instant).toISOString();
      expect(instantOf(text)).toBe(instant);
      // The same in another form, which is taken apart otherwise.
      expect(instantOf(text.replace('Z', '+00:00'))).toBe(instant);
      expect(createIsoWriter()(instant)).toBe(text);
    }),
    { examples: [[0], [-1], [253_402_300_799_999], [-62_167_219_200_000]] },
  );
});

test.each([4, 7, 10, 13, 16, 19, 23])('ING-9: with another character at place %i a text is no time', (place) => {
  expect(instantOf(altered(USUAL, place, '_'))).toBeUndefined();
});

const DIGITS = [0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18, 20, 21, 22];

test.each(DIGITS)('ING-9: with anything but a digit at place %i a text is no time', (place) => {
  for (const other of ['/', ':', 'x', ' ']) expect(instantOf(altered(USUAL, place, other))).toBeUndefined();
});

test('ING-9: other separators that senders write stay readable', () => {
  for (const [place, other] of [
    [10, 't'],
    [10, ' '],
    [19, ','],
    [23, 'z'],
  ] as const) {
    expect(instantOf(altered(USUAL, place, other))).toBe(AT);
  }
});

/** Both forms of a time of day: read place by place, and taken apart. */
function forms(date: string, time: string): readonly (number | undefined)[] {
  return [instantOf(`${date}T${time}.000Z`), instantOf(`${date}T${time}Z`)];
}

test.each([
  ['00:00:00', 0],
  ['23:59:59', 86_399],
  ['24:00:00', 86_400],
  ['23:59:60', 86_400],
  ['24:00:01', undefined],
  ['24:01:00', undefined],
  ['24:01:01', undefined],
  ['24:59:59', undefined],
  ['25:00:00', undefined],
  ['12:60:00', undefined],
  ['12:00:61', undefined],
])('ING-9: the time of day %s', (time, seconds) => {
  const expected = seconds === undefined ? undefined : Date.UTC(2026, 0, 1) + seconds * 1_000;
  expect(forms('2026-01-01', time)).toEqual([expected, expected]);
});

test('ING-9: each month ends with its last day, of February by the year', () => {
  for (const year of [1900, 2000, 2023, 2024, 2100, 2400]) {
    for (let month = 1; month <= 12; month += 1) {
      const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
      const dateOf = (day: number): string =>
        `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
      const last = Date.UTC(year, month - 1, days);
      expect(forms(dateOf(days), '00:00:00')).toEqual([last, last]);
      for (const day of [0, days + 1]) expect(forms(dateOf(day), '00:00:00')).toEqual([undefined, undefined]);
    }
    for (const month of ['00', '13']) expect(forms(`${year}-${month}-01`, '00:00:00')).toEqual([undefined, undefined]);
  }
});

test.each([
  ['+24:00', -1_440],
  ['-24:00', 1_440],
  ['+05:59', -359],
  ['+0530', -330],
  ['-03', 180],
  ['+24:01', undefined],
  ['+25:00', undefined],
  ['+05:60', undefined],
  ['+05:99', undefined],
])('ING-9: an offset of %s', (offset, minutes) => {
  const expected = minutes === undefined ? undefined : Date.UTC(2026, 0, 2) + minutes * 60_000;
  expect(instantOf(`2026-01-02T00:00:00${offset}`)).toBe(expected);
});

test.each([
  ['.1', 100],
  ['.12', 120],
  ['.123', 123],
  [',123456', 123],
  ['', 0],
])('ING-9: a fraction of a second %s is cut to milliseconds', (fraction, ms) => {
  expect(instantOf(`2026-01-02T00:00:00${fraction}Z`)).toBe(Date.UTC(2026, 0, 2) + ms);
});

test('ING-9: a number is an epoch in seconds below ten digits and one, in milliseconds above, within bounds', () => {
  expect(instantOf(1e8)).toBe(1e11);
  expect(instantOf(1e8 - 1)).toBeUndefined();
  expect(instantOf(9_999_999_999)).toBe(9_999_999_999_000);
  expect(instantOf(1e10)).toBe(1e10);
  expect(instantOf(9_999_999_999_999.9)).toBe(9_999_999_999_999);
  expect(instantOf(1e13)).toBeUndefined();
  for (const none of [Number.NaN, Infinity, -Infinity, true, null, {}]) expect(instantOf(none)).toBeUndefined();
  expect(instantOf('1700000000')).toBe(1_700_000_000_000);
  expect(instantOf('10000000')).toBeUndefined();
});

test('HOOK-13: an instant can be written from the first year with four digits to the end of the last', () => {
  const [first, last] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];
  expect([first - 1, first, last, last + 1].map(isWritable)).toEqual([false, true, true, false]);
});

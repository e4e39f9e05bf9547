import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseLenientJson } from '../../ingestion/lenient-json.ts';

test.each([
  ['[NaN,Infinity,-Infinity]', [null, null, null]],
  ['{"a":NaN,"b":{"c":[1,-Infinity]}}', { a: null, b: { c: [1, null] } }],
  ['NaN', null],
  [' { "a" : NaN } ', { a: null }],
  ['{"NaN":"NaN, \\"Infinity\\", -Infinity","b":NaN}', { NaN: 'NaN, "Infinity", -Infinity', b: null }],
  ['["\\\\",NaN,"\\\\\\"NaN"]', ['\\', null, '\\"NaN']],
  ['\uFEFF{"a":1}', { a: 1 }],
  ['\uFEFF{"a":NaN}', { a: null }],
])('D-41: %s is read with null for the bare tokens', (text, value) => {
  expect(parseLenientJson(text)).toEqual(value);
});

test.each([
  '{NaN:1}',
  '[nan]',
  '[NaNN]',
  '[1NaN]',
  '[-NaN]',
  '[+Infinity]',
  '[--Infinity]',
  '[NaN',
  '"NaN',
  '[Infinit]',
  'NaN NaN',
  '[- Infinity]',
])('D-41: %s is no JSON even so', (text) => {
  expect(() => parseLenientJson(text)).toThrow(SyntaxError);
});

test('D-41: what is JSON reads as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseLenientJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

/** A value, and how a sender with bare tokens writes it. */
type Written = readonly [text: string, value: unknown];

const leaf: fc.Arbitrary<Written> = fc.oneof(
  fc.constantFrom('NaN', 'Infinity', '-Infinity').map((text): Written => [text, null]),
  // Negative zero is written as 0.
  fc.jsonValue({ maxDepth: 0 }).map((value): Written => [JSON.stringify(value), value === 0 ? 0 : value]),
  fc.constantFrom('NaN', '"NaN', '\\"Infinity', '-Infinity\\').map((value): Written => [JSON.stringify(value), value]),
);
const list = fc
  .array(leaf)
  .map((items): Written => [`[${items.map(([text]) => text).join()}]`, items.map(([, value]) => value)]);
const object = fc
  .uniqueArray(fc.tuple(fc.constantFrom('NaN', 'a"NaN', '-Infinity\\'), fc.oneof(leaf, list)), {
    selector: ([key]) => key,
  })
  .map((entries): Written => [
    `{${entries.map(([key, [text]]) => `${JSON.stringify(key)}: ${text}`).join()}}`,
    Object.fromEntries(entries.map(([key, [, value]]) => [key, value])),
  ]);

test('D-41: bare tokens anywhere in a value read as null there', () => {
  fc.assert(
    fc.property(fc.oneof(leaf, list, object), ([text, value]) => {
      expect(parseLenientJson(text)).toEqual(value);
    }),
  );
});

test('ING-1: ids beyond 2^53 keep every digit, and no other number becomes text', () => {
  const text =
    '{"batch":[{"userId":9007199254740993,"groupId":1,"properties":{"userId":9007199254740993}},{"userId":1e30},NaN]}';
  const rounded = Number('9007199254740993');
  expect(parseLenientJson(text)).toEqual({
    batch: [{ userId: '9007199254740993', groupId: 1, properties: { userId: rounded } }, { userId: 1e30 }, null],
  });
  expect(parseLenientJson('{"userId":-12345678901234567890}')).toEqual({ userId: '-12345678901234567890' });
});

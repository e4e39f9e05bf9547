import { expect, test } from 'vitest';
import { deepFreeze, isObject, objectOf, storable, textOf, wordOf } from '../../model/json-values.ts';
import { successTimeClass, successTimeMs } from '../../model/logged-delivery.ts';

test('only an object is an object', () => {
  expect([{}, { a: 1 }].map(isObject)).toEqual([true, true]);
  expect([null, undefined, [], 'text', 1, true, () => 0].map(isObject)).toEqual(Array(7).fill(false));
});

test('absent is undefined, the empty list of PHP is an empty object, and all else is none', () => {
  expect([undefined, null].map(objectOf)).toEqual([undefined, undefined]);
  expect([[], {}, { a: 1 }].map(objectOf)).toEqual([{}, {}, { a: 1 }]);
  expect([[1], 'text', 0, false].map(objectOf)).toEqual(Array(4).fill('no object'));
});

test('text is read from text and numbers', () => {
  expect(['a', '', 0, -1.5].map(textOf)).toEqual(['a', '', '0', '-1.5']);
  expect([Infinity, Number.NaN, true, null, undefined, {}, ['a'], 1n].map(textOf)).toEqual(Array(8).fill(undefined));
});

test('an id or a name is no empty text', () => {
  expect(['a', 0, '', null].map(wordOf)).toEqual(['a', '0', undefined, undefined]);
});

test('a text is as any storage holds it: without the character 0, and without halves of pairs', () => {
  expect(['', 'a😀', 'a\0b\0', 'a\uD83D', '\uDE00\0'].map(storable)).toEqual([
    '',
    'a😀',
    'a\uFFFDb\uFFFD',
    'a\uFFFD',
    '\uFFFD\uFFFD',
  ]);
});

test('times until success are told in classes, at most 4.5 % too long and never too short', () => {
  expect([-5, 0, 1, 3].map(successTimeClass)).toEqual([0, 0, 16, 32]);
  expect([0, 16, 32].map(successTimeMs)).toEqual([0, 1, 3]);
  for (const ms of [100, 999, 1_000, 86_400_000]) {
    const told = successTimeMs(successTimeClass(ms));
    expect(told).toBeGreaterThanOrEqual(ms);
    expect(told).toBeLessThanOrEqual(ms * 1.045 + 1);
  }
});

test('whatever is frozen is frozen to its end, however many values stand beside each other', () => {
  const last = { a: 1 };
  const list: readonly unknown[] = deepFreeze([...Array<number>(1_000_000).fill(1), [last]]);
  expect([list, list.at(-1), last].map(Object.isFrozen)).toEqual([true, true, true]);
});

import { expect, test } from 'vitest';
import { createBounded } from '../../losses/bounded.ts';

test('where it is too much, what was put longest ago gives way', () => {
  const bounded = createBounded<string>(30);
  for (const key of ['a', 'b', 'c']) bounded.put(key, `first ${key}`, 10);
  // It comes last from now on, and takes no more than before.
  bounded.put('a', 'second a', 10);
  expect(bounded.keys().toSorted()).toEqual(['a', 'b', 'c']);
  bounded.put('d', 'first d', 1);
  expect([bounded.get('a'), bounded.get('b'), bounded.get('d')]).toEqual(['second a', undefined, 'first d']);
});

test('what was put last stays, however large it is', () => {
  const bounded = createBounded<string>(30);
  bounded.put('small', 'one', 10);
  bounded.put('large', 'another', 1_000);
  expect(bounded.keys()).toEqual(['large']);
  bounded.put('small', 'again', 10);
  expect(bounded.keys()).toEqual(['small']);
});

test('room is made for many at once: each that is put costs no look at all of them', () => {
  const bounded = createBounded<number>(16_000);
  let most = 0;
  for (let count = 0; count < 5_000; count += 1) {
    bounded.put(`key ${count}`, count, 10);
    most = Math.max(most, bounded.keys().length);
  }
  expect(most).toBe(1_600);
  expect(bounded.keys().length).toBeGreaterThanOrEqual(1_500);
  expect(bounded.get('key 4999')).toBe(4_999);
});

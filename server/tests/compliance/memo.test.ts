import { expect, test } from 'vitest';
import { memoized } from '../../delivery/memo.ts';

test('what is remembered is made once, until too much is', () => {
  const asked: string[] = [];
  const lengthOf = memoized((text: string) => asked.push(text) && text.length, 2);
  expect(['a', 'bb', 'a', 'bb'].map(lengthOf)).toEqual([1, 2, 1, 2]);
  expect(asked).toEqual(['a', 'bb']);
  expect(['ccc', 'a'].map(lengthOf)).toEqual([3, 1]);
  expect(asked).toEqual(['a', 'bb', 'ccc', 'a']);
});

import { expect, test } from 'vitest';
import { DoublingWait } from '../../jobs/doubling-wait.ts';

test('each wait is twice as long as the one before, up to the longest, until it is reset', () => {
  const wait = new DoublingWait({ first: 20, longest: 100 });
  const next = (times: number) => Array.from({ length: times }, () => wait.next());
  expect(next(5)).toEqual([20, 40, 80, 100, 100]);
  wait.reset();
  expect(next(2)).toEqual([20, 40]);
});

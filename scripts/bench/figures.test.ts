import { expect, test } from 'vitest';
import { figuresOf, keepsAim, median, percentile } from './figures.ts';

test('the median of an even count is between the two in the middle', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
});

test('a percentile is the least figure that so many do not exceed', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(percentile(hundred, 0.5)).toBe(50);
  expect(percentile(hundred, 0.99)).toBe(99);
  expect(percentile(hundred, 1)).toBe(100);
  expect(percentile([7], 0.01)).toBe(7);
  expect(percentile([], 0.5)).toBeNaN();
});

test('a figure is the median of its runs, held against its aim', () => {
  const rows = figuresOf(
    [1, 5, 3],
    [
      ['enough', '', (run) => run, { atLeast: 3 }],
      ['too much', '', (run) => 2 * run, { atMost: 5 }],
      ['any', 'ms', (run) => run],
    ],
  );
  expect(rows.map(({ value }) => value)).toEqual([3, 6, 3]);
  expect(rows.map(keepsAim)).toEqual([true, false, true]);
});

test('what could not be measured keeps no aim', () => {
  const [figure] = figuresOf([{}], [['nothing', '', () => NaN, { atMost: 5 }]]);
  expect(figure !== undefined && keepsAim(figure)).toBe(false);
});

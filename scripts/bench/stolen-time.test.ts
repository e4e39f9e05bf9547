import { expect, test } from 'vitest';
import { parseProcessorTime, stolenShare } from './stolen-time.ts';

const AT_FIRST = 'cpu  4541739 29690 745122 9096462 89995 0 122799 152549 11 12\ncpu0 1 2 3 4 5 6 7 8 0 0\n';
const LATER = 'cpu  4541839 29690 745222 9096562 89995 0 122799 152649 19 12\ncpu0 1 2 3 4 5 6 7 8 0 0\n';

test('what other machines took is a share of all processor time, guests not counted twice', () => {
  const [before, after] = [parseProcessorTime(AT_FIRST), parseProcessorTime(LATER)];
  expect(before).toEqual({ all: 14_778_356, stolen: 152_549 });
  expect(stolenShare(before, after)).toBe(0.25);
  expect(stolenShare(before, before)).toBe(0);
});

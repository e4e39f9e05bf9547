import { expect, test } from 'vitest';
import { verdictsOn, verdictTable } from './verdict.ts';

const count = (id: string, instructions: number) => ({ id, what: `work ${id}`, instructions });
const KEPT = [count('a', 100_000), count('b', 200_000)];

test('up to a twentieth more instructions than were kept is no loss', () => {
  expect(verdictsOn([count('a', 105_000), count('b', 1)], KEPT).map(({ isLoss }) => isLoss)).toEqual([false, false]);
});

test('more than a twentieth is a loss, of the work that it is in', () => {
  expect(verdictsOn([count('a', 105_001), count('b', 200_000)], KEPT).map(({ isLoss }) => isLoss)).toEqual([
    true,
    false,
  ]);
});

test('work that was not counted before is no loss, and is told', () => {
  const verdicts = verdictsOn([count('c', 7), ...KEPT], KEPT);
  expect(verdicts[0]).toMatchObject({ kept: undefined, isLoss: false });
  expect(verdictTable(verdicts).split('\n')).toEqual([
    '  work c           7 instructions   not counted before',
    '  work a     100,000 instructions   ✓ 1.000 of 100,000',
    '  work b     200,000 instructions   ✓ 1.000 of 200,000',
  ]);
});

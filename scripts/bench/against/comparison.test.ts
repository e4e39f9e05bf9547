import { expect, test } from 'vitest';
import { compare, comparisonTable, type Printed, printedIn } from './comparison.ts';

const rate = (value: number, what = 'ingest', unit = 'events/s'): Printed => ({ bench: 'ingest', what, unit, value });

test('a ratio is the median of the pairs, with its scatter', () => {
  const turns = [
    { other: [rate(100)], ours: [rate(110)] },
    { other: [rate(50)], ours: [rate(60)] },
    { other: [rate(200)], ours: [rate(180)] },
  ];
  expect(compare(turns)).toEqual([
    { bench: 'ingest', what: 'ingest', unit: 'events/s', other: 100, ours: 110, ratio: 1.1, least: 0.9, greatest: 1.2 },
  ]);
});

test('what only one of both measures, or measures in another unit, is not compared', () => {
  const turns = [
    { other: [rate(1, 'gone'), rate(1, 'same', 'ms')], ours: [rate(1, 'new'), rate(1, 'same', 's')] },
    { other: [], ours: [] },
  ];
  expect(compare(turns)).toEqual([]);
  expect(compare([])).toEqual([]);
});

test('figures are found among other words', () => {
  const line = JSON.stringify(rate(7));
  expect(printedIn(`Setting Waybill up …\n${line}\n\n`)).toEqual([rate(7)]);
});

test('a line for people has both figures, the ratio and the scatter', () => {
  const [row] = compare([{ other: [rate(1_000)], ours: [rate(1_250)] }]);
  expect(comparisonTable(row === undefined ? [] : [row])).toBe(
    '  ingest     1,000 →     1,250 events/s 1.250 (1.250 to 1.250)',
  );
});

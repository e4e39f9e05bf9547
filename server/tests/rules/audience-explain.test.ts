import { expect, test } from 'vitest';
import { compileComputations } from '../../audiences/computations.ts';
import { byTiles, explain, hourOfChange } from '../../audiences/explain.ts';
import type { Aggregate, Measured, Plan } from '../../audiences/plan.ts';
import { valueOfTiles } from '../../audiences/tile-values.ts';
import type { Definition } from '../../model/definition.ts';
import type { Tile } from '../../storage/profile-storage.ts';
import { audience } from '../support/config-resources.ts';

function amounts(hour: number, numbers: readonly number[], count = numbers.length): Tile {
  const [sum, isEmpty] = [numbers.reduce((all, one) => all + one, 0), numbers.length === 0];
  const [min, max] = isEmpty ? [null, null] : [Math.min(...numbers), Math.max(...numbers)];
  return { kind: 'amounts', measure: 'm', hour, count, numbers: numbers.length, sum, min, max };
}

function ends(hour: number, value: string, messageId = value): Tile {
  const end = { at: hour, messageId, value: JSON.stringify(value) };
  return { kind: 'ends', measure: 'm', hour, first: end, last: end };
}

const values = (hour: number, value: unknown, count = 1): Tile => ({
  kind: 'values',
  measure: 'm',
  hour,
  value: JSON.stringify(value),
  count,
});

function aggregated(aggregate: Aggregate, tiles: readonly Tile[], ofNone: Measured['ofNone'] = 'missing'): unknown {
  return valueOfTiles({ measure: 'm', aggregate, hours: { from: 10, to: 99 }, ofNone }, tiles);
}

const NUMBERS = [amounts(9, [100]), amounts(10, [1, 2]), amounts(30, [-4.5], 3), amounts(35, [], 1), amounts(100, [9])];

test.each<[Aggregate, unknown]>([
  ['count', 6],
  ['days', 2],
  ['sum', -1.5],
  ['avg', -0.5],
  ['min', -4.5],
  ['max', 2],
])('the %s of a window is that of its tiles', (aggregate, expected) => {
  expect(aggregated(aggregate, NUMBERS)).toBe(expected);
});

test('values are those of the window: how many, the most frequent, and each of them', () => {
  const tiles = [values(9, 'x', 9), values(10, 'b'), values(11, 'a'), values(12, 'a'), values(12, 'b'), values(13, 3)];
  expect([aggregated('distinct', tiles), aggregated('most_frequent', tiles), aggregated('list', tiles)]).toEqual([
    3,
    'a',
    ['a', 'b', 3],
  ]);
});

test('AUD-10: of more than 10000 values as many are counted, and those are listed that are in the list of a run', () => {
  const tiles = Array.from({ length: 10_001 }, (_, index) => values(10, 10_000 + index));
  const listed = Array.from({ length: 1_365 }, (_, index) => 10_000 + index);
  expect([aggregated('distinct', tiles), aggregated('list', tiles)]).toEqual([10_000, listed]);
});

test('the first and the last are by time, and by message where that is the same', () => {
  const tiles = [ends(20, 'late'), ends(11, 'early', '2'), ends(11, 'earlier', '1'), ends(9, 'before')];
  expect([aggregated('first', tiles), aggregated('last', tiles)]).toEqual(['earlier', 'late']);
});

test('of nothing, counts are zero where they are asked to be, and the rest is missing', () => {
  const [text] = [amounts(20, [], 1)];
  expect([
    aggregated('sum', [], 'zero'),
    aggregated('sum', []),
    aggregated('sum', [text], 'zero'),
    aggregated('sum', [text]),
  ]).toEqual([0, undefined, 0, undefined]);
  expect([
    aggregated('avg', [text]),
    aggregated('min', [text]),
    aggregated('first', []),
    aggregated('list', []),
  ]).toEqual(Array.from({ length: 4 }, () => undefined));
});

function planned(definition: Definition): (hour: number) => Plan {
  const row = { ...audience('main', 'aud_1'), definition };
  const { all } = compileComputations('workspaces/main', { audiences: [row], traits: [] });
  return (hour) => {
    const [wanted] = all.map((one) => one.at(hour));
    if (wanted === undefined || !('members' in wanted)) throw new Error('no audience');
    return wanted.members;
  };
}

function seenAt(planAt: (hour: number) => Plan, ...hours: number[]): { traits: object; tiles: Tile[] } {
  const plan = planAt(0);
  const measure = plan.kind === 'measured' ? plan.value.measure : '';
  return { traits: {}, tiles: hours.map((hour) => ({ ...amounts(hour, [1]), measure })) };
}

test.each<[Definition, hours: number[], change: number | undefined]>([
  // Twice within three hours: the older one leaves after three.
  [{ events: { where: 'all', count: { gte: 2 }, window: { within: '3h' } } }, [98, 99], 101],
  [{ events: { where: 'all', count: { lt: 1 }, window: { within: '3h' } } }, [99], 102],
  [{ events: { where: 'all', window: { between: ['2h', '4h'] } } }, [100], 102],
  [{ events: { where: 'all', window: { since: '1970-01-01T00:00:00Z' } } }, [99], undefined],
  [{ events: { where: 'all' } }, [99], undefined],
])('%j changes when a window has moved on', (definition, hours, change) => {
  const planAt = planned(definition);
  const known = { traits: {}, tiles: seenAt(planAt, ...hours).tiles };
  expect(hourOfChange(planAt, 100, known)).toBe(change);
  if (change === undefined) return;
  const before = explain(planAt(change - 1), byTiles(known)).holds;
  expect(explain(planAt(change), byTiles(known)).holds).toBe(!before);
  expect(explain(planAt(100), byTiles(known)).holds).toBe(before);
});

import type { End, Tile } from '../storage/profile-storage.ts';
import { dayOf } from './hours.ts';
import { type Aggregate, LIST_BYTES, type Measured, MOST_VALUES, ROUNDED } from './plan.ts';
import { compareUsers } from './user-order.ts';

type Of<K extends Tile['kind']> = Extract<Tile, { kind: K }>;

/** What an aggregate comes to for one user, of all of the user's tiles; undefined where it is missing. */
export function valueOfTiles({ measure, aggregate, hours, ofNone }: Measured, all: readonly Tile[]): unknown {
  const { from = -Infinity, to } = hours;
  const tiles = all.filter((tile) => tile.measure === measure && tile.hour >= from && tile.hour <= to);
  const none = ofNone === 'zero' ? 0 : undefined;
  return tiles.length === 0 ? none : valueOfSome(aggregate, tiles, none);
}

function valueOfSome(aggregate: Aggregate, tiles: readonly Tile[], none: 0 | undefined): unknown {
  const amounts = tiles.filter((tile): tile is Of<'amounts'> => tile.kind === 'amounts');
  switch (aggregate) {
    case 'count':
      return sum(amounts.map(({ count }) => count));
    case 'days':
      return new Set(amounts.map(({ hour }) => dayOf(hour))).size;
    case 'sum':
      return hasNumbers(amounts) ? rounded(total(amounts)) : none;
    case 'avg':
      return hasNumbers(amounts) ? rounded(total(amounts) / sum(amounts.map(({ numbers }) => numbers))) : undefined;
    case 'min':
      return extreme(
        Math.min,
        amounts.flatMap(({ min }) => min ?? []),
      );
    case 'max':
      return extreme(
        Math.max,
        amounts.flatMap(({ max }) => max ?? []),
      );
    case 'first':
      return valueOf(
        endsOf(tiles).map(({ first }) => first),
        (one, other) => inTime(one, other),
      );
    case 'last':
      return valueOf(
        endsOf(tiles).map(({ last }) => last),
        (one, other) => inTime(other, one),
      );
    case 'distinct':
      return Math.min(countsOf(tiles).size, MOST_VALUES);
    case 'most_frequent':
      return mostFrequent(countsOf(tiles));
    case 'list':
      return listOf(countsOf(tiles));
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

function total(amounts: readonly Of<'amounts'>[]): number {
  return sum(amounts.map((tile) => tile.sum));
}

function hasNumbers(amounts: readonly Of<'amounts'>[]): boolean {
  return amounts.some(({ numbers }) => numbers > 0);
}

/** As runs round. */
function rounded(value: number): number {
  const scale = ROUNDED.find(({ below }) => Math.abs(value) < below)?.scale;
  return scale === undefined ? value : Math.floor(value * scale + 0.5) / scale;
}

function extreme(of: (one: number, other: number) => number, numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : numbers.reduce((one, other) => of(one, other));
}

function endsOf(tiles: readonly Tile[]): Of<'ends'>[] {
  return tiles.filter((tile): tile is Of<'ends'> => tile.kind === 'ends');
}

function inTime(one: End, other: End): number {
  return one.at - other.at || compareUsers(one.messageId, other.messageId);
}

function valueOf(ends: readonly End[], order: (one: End, other: End) => number): unknown {
  const [foremost] = ends.toSorted(order);
  return foremost === undefined ? undefined : JSON.parse(foremost.value);
}

function countsOf(tiles: readonly Tile[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const tile of tiles) {
    if (tile.kind === 'values') counts.set(tile.value, (counts.get(tile.value) ?? 0) + tile.count);
  }
  return counts;
}

function listOf(counts: ReadonlyMap<string, number>): unknown[] {
  const list: unknown[] = [];
  // Of the JSON: a bracket, and each text with what follows it, a comma or the other bracket.
  let bytes = 1;
  for (const text of [...counts.keys()].toSorted(compareUsers)) {
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > LIST_BYTES) break;
    list.push(JSON.parse(text));
  }
  return list;
}

function mostFrequent(counts: ReadonlyMap<string, number>): unknown {
  const [first] = [...counts].toSorted(([a, x], [b, y]) => y - x || compareUsers(a, b));
  return first === undefined ? undefined : JSON.parse(first[0]);
}

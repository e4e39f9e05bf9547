import { dayOf } from '../../audiences/hours.ts';
import type { Scalar } from '../../audiences/plan.ts';

/** One event that a measure counts, by the numbers of its measure and its holder. */
export interface TileAddition {
  readonly measure: number;
  readonly holder: number;
  readonly hour: number;
  readonly at: number;
  readonly messageId: string;
  readonly value: Scalar | undefined;
}

/** What events of one lot add to tiles: first put together, then written in the order of the tables. */
export interface TileLot {
  amount(addition: TileAddition): void;
  value(addition: TileAddition): void;
  end(addition: TileAddition): void;
}

interface Key {
  readonly measure: number;
  readonly holder: number;
  readonly hour: number;
}

export interface Amount extends Key {
  events: number;
  numbers: number;
  total: number;
  lowest: number;
  highest: number;
}

export interface CountedValue extends Key {
  readonly json: string;
  events: number;
}

function sorted<K extends Key>(rows: Iterable<K>): K[] {
  return [...rows].toSorted(
    (one, other) =>
      one.measure - other.measure ||
      dayOf(one.hour) - dayOf(other.hour) ||
      one.holder - other.holder ||
      one.hour - other.hour,
  );
}

function addAmount(amounts: Map<string, Amount>, { measure, holder, hour, value }: TileAddition): void {
  const key = `${measure} ${holder} ${hour}`;
  let amount = amounts.get(key);
  if (amount === undefined) {
    amount = { measure, holder, hour, events: 0, numbers: 0, total: 0, lowest: Infinity, highest: -Infinity };
    amounts.set(key, amount);
  }
  amount.events += 1;
  if (typeof value !== 'number') return;
  amount.numbers += 1;
  amount.total += value;
  amount.lowest = Math.min(amount.lowest, value);
  amount.highest = Math.max(amount.highest, value);
}

function addValue(values: Map<string, CountedValue>, { measure, holder, hour, value }: TileAddition): void {
  const json = JSON.stringify(value);
  const key = `${measure} ${holder} ${hour} ${json}`;
  const known = values.get(key);
  if (known === undefined) values.set(key, { measure, holder, hour, json, events: 1 });
  else known.events += 1;
}

/** What was put together, each kind in the order of its table. */
export interface GatheredTiles {
  readonly amounts: readonly Amount[];
  readonly values: readonly CountedValue[];
  readonly ends: readonly TileAddition[];
}

export class TileGatherer implements TileLot {
  readonly #amounts = new Map<string, Amount>();
  readonly #values = new Map<string, CountedValue>();
  readonly #ends: TileAddition[] = [];

  amount(addition: TileAddition): void {
    addAmount(this.#amounts, addition);
  }

  value(addition: TileAddition): void {
    addValue(this.#values, addition);
  }

  end(addition: TileAddition): void {
    this.#ends.push(addition);
  }

  gathered(): GatheredTiles {
    return {
      amounts: sorted(this.#amounts.values()),
      values: sorted(this.#values.values()),
      ends: sorted(this.#ends),
    };
  }
}

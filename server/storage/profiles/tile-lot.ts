import type { Counted } from '../../audiences/compiled-measures.ts';
import { dayOf } from '../../audiences/hours.ts';
import type { Scalar } from '../../audiences/plan.ts';

/** Of whom an event is, by its number, and when it happened. */
export interface Occasion {
  readonly holder: number;
  readonly hour: number;
  readonly at: number;
  readonly messageId: string;
}

/** One event that a measure counts, by the number of the measure. */
export interface TileAddition extends Occasion {
  readonly measure: number;
  readonly value: Scalar | undefined;
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

/** What was put together, each kind in the order of its table. */
export interface GatheredTiles {
  readonly amounts: readonly Amount[];
  readonly values: readonly CountedValue[];
  readonly ends: readonly TileAddition[];
}

/** What events of one lot add to tiles: first put together, then written in the order of the tables. */
export class TileLot {
  /** By holder and hour, then by measure. */
  readonly #amounts = new Map<string, Map<number, Amount>>();
  readonly #values = new Map<string, CountedValue>();
  readonly #ends: TileAddition[] = [];

  add(occasion: Occasion, counted: readonly Counted[], numberOf: (measure: string) => number): void {
    if (counted.length === 0) return;
    const amounts = this.#amountsOf(occasion);
    for (const { measure, value } of counted) {
      const addition = { ...occasion, measure: numberOf(measure.id), value };
      if (measure.kind === 'amounts') addAmount(amounts, addition);
      else if (measure.kind === 'values') addValue(this.#values, addition);
      else this.#ends.push(addition);
    }
  }

  gathered(): GatheredTiles {
    return {
      amounts: sorted([...this.#amounts.values()].flatMap((some) => [...some.values()])),
      values: sorted([...this.#values.values()]),
      ends: sorted(this.#ends),
    };
  }

  #amountsOf({ holder, hour }: Occasion): Map<number, Amount> {
    const key = `${holder} ${hour}`;
    const known = this.#amounts.get(key);
    if (known !== undefined) return known;
    const made = new Map<number, Amount>();
    this.#amounts.set(key, made);
    return made;
  }
}

function sorted<K extends Key>(rows: readonly K[]): K[] {
  return rows.toSorted(
    (one, other) =>
      one.measure - other.measure ||
      dayOf(one.hour) - dayOf(other.hour) ||
      one.holder - other.holder ||
      one.hour - other.hour,
  );
}

function addAmount(amounts: Map<number, Amount>, { measure, holder, hour, value }: TileAddition): void {
  let amount = amounts.get(measure);
  if (amount === undefined) {
    amount = { measure, holder, hour, events: 0, numbers: 0, total: 0, lowest: Infinity, highest: -Infinity };
    amounts.set(measure, amount);
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

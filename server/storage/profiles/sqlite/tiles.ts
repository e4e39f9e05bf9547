import type { DatabaseSync } from 'node:sqlite';
import { dayOf } from '../../../audiences/hours.ts';
import type { Scalar } from '../../../audiences/plan.ts';

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

interface Amount extends Key {
  events: number;
  numbers: number;
  total: number;
  lowest: number;
  highest: number;
}

interface CountedValue extends Key {
  readonly json: string;
  events: number;
}

export type WriteTiles = (fill: (lot: TileLot) => void) => void;

export function writeTiles(database: DatabaseSync): WriteTiles {
  const write = { amount: writeAmount(database), value: writeValue(database), end: writeEnd(database) };
  return (fill) => {
    const [amounts, values, ends] = [new Map<string, Amount>(), new Map<string, CountedValue>(), [] as TileAddition[]];
    fill({
      amount: (addition) => addAmount(amounts, addition),
      value: (addition) => addValue(values, addition),
      end: (addition) => void ends.push(addition),
    });
    for (const amount of sorted(amounts.values())) write.amount(amount);
    for (const value of sorted(values.values())) write.value(value);
    for (const end of sorted(ends)) write.end(end);
  };
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

/** Of one number, the lowest and the highest are the total. */
function either(pick: 'min' | 'max', bound: 'lowest' | 'highest'): string {
  return `CASE WHEN amounts.numbers = 0 THEN excluded.${bound} WHEN excluded.numbers = 0 THEN amounts.${bound}
     ELSE ${pick}(coalesce(amounts.${bound}, amounts.total), coalesce(excluded.${bound}, excluded.total)) END`;
}

function writeAmount(database: DatabaseSync): (amount: Amount) => void {
  const add = database.prepare(`
    INSERT INTO amounts (measure, day, holder, hour, events, numbers, total, lowest, highest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET events = amounts.events + excluded.events, numbers = amounts.numbers + excluded.numbers,
      total = amounts.total + excluded.total, lowest = ${either('min', 'lowest')}, highest = ${either('max', 'highest')}`);
  return ({ measure, holder, hour, events, numbers, total, lowest, highest }) => {
    const bounds = numbers > 1 ? ([lowest, highest] as const) : ([null, null] as const);
    add.run(measure, dayOf(hour), holder, hour, events, numbers, total, ...bounds);
  };
}

function writeValue(database: DatabaseSync): (value: CountedValue) => void {
  const add = database.prepare(`
    INSERT INTO counted_values (measure, day, holder, hour, value, events) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET events = counted_values.events + excluded.events`);
  return ({ measure, holder, hour, json, events }) => add.run(measure, dayOf(hour), holder, hour, json, events);
}

function writeEnd(database: DatabaseSync): (addition: TileAddition) => void {
  const add = database.prepare(`
    INSERT INTO ends (measure, day, holder, hour, first_at, first_message, first_json, last_at, last_message, last_json)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?5, ?6, ?7) ON CONFLICT DO NOTHING`);
  const sooner = database.prepare(`
    UPDATE ends SET first_at = ?5, first_message = ?6, first_json = ?7
    WHERE measure = ?1 AND day = ?2 AND holder = ?3 AND hour = ?4 AND (?5, ?6) < (first_at, first_message)`);
  const later = database.prepare(`
    UPDATE ends SET last_at = ?5, last_message = ?6, last_json = ?7
    WHERE measure = ?1 AND day = ?2 AND holder = ?3 AND hour = ?4 AND (?5, ?6) > (last_at, last_message)`);
  return ({ measure, holder, hour, at, messageId, value }) => {
    const row = [measure, dayOf(hour), holder, hour, at, messageId, JSON.stringify(value)] as const;
    if (add.run(...row).changes > 0) return;
    sooner.run(...row);
    later.run(...row);
  };
}

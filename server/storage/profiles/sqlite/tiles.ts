import type { DatabaseSync } from 'node:sqlite';
import { dayOf } from '../../../audiences/hours.ts';
import { attributedSql, type TileTable } from '../attributed-sql.ts';
import { type Amount, type CountedValue, type TileAddition, TileLot } from '../tile-lot.ts';

export type WriteTiles = (fill: (lot: TileLot) => void) => void;

export function writeTiles(database: DatabaseSync): WriteTiles {
  const write = { amount: writeAmount(database), value: writeValue(database), end: writeEnd(database) };
  return (fill) => {
    const lot = new TileLot();
    fill(lot);
    const { amounts, values, ends } = lot.gathered();
    for (const amount of amounts) write.amount(amount);
    for (const value of values) write.value(value);
    for (const end of ends) write.end(end);
  };
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

/**
 * A query over the tiles of some holders, with `profile`: parameters are the measure, the holders as a list in JSON, and what else
 * the query has. Tiles of a holder stand nowhere together, so each day is looked at in which the measure has any, from one to the
 * next: a single event may claim to be of the year 1.
 */
export function overTilesOf(table: TileTable, columns: readonly string[], select: string): string {
  const first = `SELECT min(day) AS day FROM ${table} WHERE measure = ?1`;
  const next = `SELECT min(n.day) FROM ${table} n WHERE n.measure = ?1 AND n.day > days.day`;
  const days = `${first} UNION ALL SELECT (${next}) FROM days WHERE days.day IS NOT NULL`;
  const where = 't.measure = ?1 AND t.day IN (SELECT day FROM days) AND t.holder IN (SELECT value FROM json_each(?2))';
  return `WITH RECURSIVE days (day) AS (${days}), tiles AS (${attributedSql(table, columns, where)}) ${select}`;
}

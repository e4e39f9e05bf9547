import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { instantIn } from '../../../audiences/compare.ts';
import type { Dialect } from '../dialect.ts';

/** SQLite's own functions of JSON refuse what is nested deeply: one such trait would fail every run. */
export const SQLITE: Dialect = {
  parameter: (number) => `?${number}`,
  isAmong: (value, list) => `${value} IN (SELECT value FROM json_each(${list}))`,
  number: (json) =>
    `CASE WHEN substr(${json}, 1, 1) BETWEEN '0' AND '9' OR ${json} LIKE '-%' THEN CAST(${json} AS REAL) END`,
  text: (json) => `text_of(${json})`,
  moment: (json) => `moment_of(${json})`,
  hasItem: (json, item) => `has_item(${json}, ${item})`,
  // Its own `substr` ends at the character 0.
  hasStart: (text, start) => `has_start(${text}, ${start})`,
  hasPart: (text, part) => `instr(${text}, ${part}) > 0`,
  json: (number) => `json_of(${number})`,
};

/** Gives SQL the functions that the dialect is made of. */
export function addJsonFunctions(database: DatabaseSync): void {
  const options = { deterministic: true };
  database.function('text_of', options, (json) => textOf(json));
  database.function('moment_of', options, (json) => instantIn(textOf(json)) ?? null);
  database.function('has_item', options, (json, item) => (hasItem(json, item) ? 1 : 0));
  database.function('has_start', options, (text, start) =>
    typeof text === 'string' ? Number(text.startsWith(String(start))) : null,
  );
  database.function('json_of', options, (number) => JSON.stringify(number));
}

function textOf(json: SQLOutputValue): string | null {
  if (typeof json !== 'string' || !json.startsWith('"')) return null;
  return String(JSON.parse(json));
}

function hasItem(json: SQLOutputValue, item: SQLOutputValue): boolean {
  if (typeof json !== 'string' || !json.startsWith('[')) return false;
  const list: readonly unknown[] = JSON.parse(json);
  return list.includes(JSON.parse(String(item)));
}

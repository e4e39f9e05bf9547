import type { DatabaseSync } from 'node:sqlite';
import { query } from '../../file/deliveries/query.ts';

export interface TraitAddition {
  readonly name: number;
  readonly holder: number;
  /** Of an anonymous id; 0 of a user. */
  readonly hour: number;
  readonly at: number;
  readonly messageId: string;
  readonly json: string;
}

export const MOST_NAMES = 200;

/** Keeps a trait of an id unless a later event said another; not the 201st of one id. */
export function writeTrait(database: DatabaseSync): (trait: TraitAddition) => void {
  const isKnown = query(database, 'SELECT 1 FROM traits WHERE name = ? AND holder = ? LIMIT 1');
  const names = query<{ readonly count: number }>(
    database,
    'SELECT count(DISTINCT name) AS count FROM traits WHERE holder = ?',
  );
  const add = database.prepare(`
    INSERT INTO traits (name, holder, hour, at, message, value) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET at = excluded.at, message = excluded.message, value = excluded.value
    WHERE (excluded.at, excluded.message) > (traits.at, traits.message)`);
  return ({ name, holder, hour, at, messageId, json }) => {
    if (isKnown.get(name, holder) === undefined && (names.get(holder)?.count ?? 0) >= MOST_NAMES) return;
    add.run(name, holder, hour, at, messageId, json);
  };
}

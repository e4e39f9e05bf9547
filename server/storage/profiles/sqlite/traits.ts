import type { DatabaseSync } from 'node:sqlite';
import { query } from '../../file/deliveries/query.ts';

/** What one event says of an id. */
export interface TraitsSaid {
  readonly holder: number;
  /** Of an anonymous id; 0 of a user. */
  readonly hour: number;
  readonly at: number;
  /** By the numbers of their names, as JSON. */
  readonly traits: readonly (readonly [name: number, json: string])[];
}

export const MOST_NAMES = 200;

/** Keeps traits of an id unless a later event said others; not the 201st of one id. */
export function writeTraits(database: DatabaseSync): (said: TraitsSaid) => void {
  const namesOf = query<{ readonly name: number }>(database, 'SELECT DISTINCT name FROM traits WHERE holder = ?');
  const add = database.prepare(`
    INSERT INTO traits (name, holder, hour, at, value) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET at = excluded.at, value = excluded.value
    WHERE (excluded.at, excluded.value) > (traits.at, traits.value)`);
  return ({ holder, hour, at, traits }) => {
    if (traits.length === 0) return;
    const known = new Set(namesOf.all(holder).map(({ name }) => name));
    for (const [name, json] of traits) {
      if (!known.has(name) && known.size >= MOST_NAMES) continue;
      known.add(name);
      add.run(name, holder, hour, at, json);
    }
  };
}

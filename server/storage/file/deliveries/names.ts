import type { DatabaseSync } from 'node:sqlite';

/** Resource names by a small number, so that rows and indexes stay narrow. */
export interface Names {
  /** The number of a name; 0, which no row has, of one that has none: who only reads writes nothing. */
  find(name: string): number;
  /** The number of a name, which gets one when it has none yet. */
  idOf(name: string): number;
  /** Forgets numbers that a rolled-back transaction may have given. */
  forget(): void;
}

/** So many are kept in memory: names of sources that are gone are asked for no more. */
const MAX_KNOWN = 100_000;

export function createNames(database: DatabaseSync): Names {
  const known = new Map<string, number>();
  const stored = database.prepare('SELECT id FROM names WHERE name = ?');
  const add = database.prepare('INSERT INTO names (name) VALUES (?)');
  const keep = (name: string, id: number): number => {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(name, id);
    return id;
  };
  const find = (name: string): number => {
    const cached = known.get(name);
    if (cached !== undefined) return cached;
    const row = stored.get(name);
    return row === undefined ? 0 : keep(name, Number(row['id']));
  };
  return {
    find,
    idOf: (name) => find(name) || keep(name, Number(add.run(name).lastInsertRowid)),
    forget: () => known.clear(),
  };
}

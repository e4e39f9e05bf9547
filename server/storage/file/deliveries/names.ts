import type { DatabaseSync } from 'node:sqlite';

/** Resource names by a small number, so that rows and indexes stay narrow. */
export interface Names {
  /** The number of a name, which gets one when it has none yet. */
  idOf(name: string): number;
  /** Forgets numbers that a rolled-back transaction may have given. */
  forget(): void;
}

/** So many are kept in memory: names of sources that are gone are asked for no more. */
const MAX_KNOWN = 100_000;

export function createNames(database: DatabaseSync): Names {
  const known = new Map<string, number>();
  const find = database.prepare('SELECT id FROM names WHERE name = ?');
  const add = database.prepare('INSERT INTO names (name) VALUES (?)');
  return {
    idOf(name) {
      const cached = known.get(name);
      if (cached !== undefined) return cached;
      const row = find.get(name);
      const id = Number(row === undefined ? add.run(name).lastInsertRowid : row['id']);
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(name, id);
      return id;
    },
    forget: () => known.clear(),
  };
}

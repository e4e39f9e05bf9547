import type { DatabaseSync } from 'node:sqlite';
import type { Operations } from '../../verbs.ts';
import type { Names } from './names.ts';
import { query } from './query.ts';

/** How often users were erased. */
export function countErasures(database: DatabaseSync): () => number {
  const erasures = query<{ readonly count: number }>(database, 'SELECT count FROM erasures');
  return () => erasures.get()?.count ?? 0;
}

export function told(database: DatabaseSync, names: Names): Operations['told'] {
  const erasures = countErasures(database);
  // The order of SQLite's own comparison is that of the bytes.
  const page = query<{ readonly user: string; readonly value: string | null }>(
    database,
    `SELECT user_id AS user, value FROM told WHERE computation = ? AND destination = ? AND user_id > ?
     ORDER BY user_id LIMIT ?`,
  );
  return ({ computation, destination, after = '', limit }) => {
    const rows = page.all(names.idOf(computation), names.idOf(destination), after, limit);
    return { erasures: erasures(), told: rows.map(({ user, value }) => ({ user, value: value ?? undefined })) };
  };
}

export function forgetTold(database: DatabaseSync, names: Names): Operations['forgetTold'] {
  const destinationAfter = query<{ readonly destination: number }>(
    database,
    'SELECT destination FROM told WHERE computation = ? AND destination > ? ORDER BY destination LIMIT 1',
  );
  const remove = database.prepare(`
    DELETE FROM told WHERE (computation, destination, user_id) IN
      (SELECT computation, destination, user_id FROM told WHERE computation = ? AND destination = ? LIMIT ?)`);
  const tellings = database.prepare(`
    DELETE FROM tellings WHERE delivery IN
      (SELECT delivery FROM tellings WHERE computation = ? LIMIT ?)`);
  const syncs = database.prepare('DELETE FROM syncs WHERE computation = ?');
  return ({ computation, keep, limit }) => {
    const id = names.idOf(computation);
    const kept = new Set(keep?.map((destination) => names.idOf(destination)));
    let left = limit;
    for (let at = destinationAfter.get(id, 0); at !== undefined; at = destinationAfter.get(id, at.destination)) {
      if (!kept.has(at.destination)) left -= Number(remove.run(id, at.destination, left).changes);
      if (left === 0) return true;
    }
    if (keep !== undefined) return false;
    if (Number(tellings.run(id, left).changes) === left) return true;
    syncs.run(id);
    return false;
  };
}

import type { DatabaseSync } from 'node:sqlite';
import type { Operations } from '../../verbs.ts';
import { cancelWaiting } from './cancel-waiting.ts';
import type { Names } from './names.ts';
import { query } from './query.ts';
import { tallies } from './tally.ts';

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
    const rows = page.all(names.find(computation), names.find(destination), after, limit);
    return { erasures: erasures(), told: rows.map(({ user, value }) => ({ user, value: value ?? undefined })) };
  };
}

interface ToldDestination {
  readonly destination: number;
  readonly name: string;
}

export function toldDestinations(database: DatabaseSync, names: Names): Operations['toldDestinations'] {
  const all = destinationsOf(database);
  return ({ computation }) => Array.from(all(names.find(computation)), ({ name }) => name);
}

/** From one to the next, by the index. */
function destinationsOf(database: DatabaseSync): (computation: number) => Iterable<ToldDestination> {
  const after = query<ToldDestination>(
    database,
    `SELECT t.destination, n.name FROM told t JOIN names n ON n.id = t.destination
     WHERE t.computation = ? AND t.destination > ? ORDER BY t.destination LIMIT 1`,
  );
  return function* destinations(computation) {
    for (let at = after.get(computation, 0); at !== undefined; at = after.get(computation, at.destination)) yield at;
  };
}

export function forgetTold(database: DatabaseSync, names: Names): Operations['forgetTold'] {
  const destinations = destinationsOf(database);
  const remove = query<Gone>(
    database,
    `DELETE FROM told WHERE (computation, destination, user_id) IN
       (SELECT computation, destination, user_id FROM told WHERE computation = ? AND destination = ? LIMIT ?)
     RETURNING user_id AS user, sync, delivery`,
  );
  const end = endGone(database, names);
  const tellings = database.prepare(`
    DELETE FROM tellings WHERE delivery IN
      (SELECT delivery FROM tellings WHERE computation = ? LIMIT ?)`);
  const syncs = database.prepare(`
    DELETE FROM syncs WHERE (computation, number) IN
      (SELECT computation, number FROM syncs WHERE computation = ? ORDER BY number LIMIT ?)`);
  return ({ computation, keep, limit, now }) => {
    const id = names.idOf(computation);
    const kept = new Set(keep?.map((destination) => names.idOf(destination)));
    let left = limit;
    for (const at of destinations(id)) {
      if (kept.has(at.destination)) continue;
      const gone = remove.all(id, at.destination, left);
      if (keep !== undefined) end(gone, { computation: id, ...at, now });
      left -= gone.length;
      if (left === 0) return true;
    }
    if (keep !== undefined) return false;
    left -= Number(tellings.run(id, left).changes);
    return left === 0 || Number(syncs.run(id, left).changes) === left;
  };
}

/** What a destination was told of a user. */
interface Gone {
  readonly user: string;
  readonly sync: number;
  readonly delivery: number;
}

interface GoneFrom {
  readonly computation: number;
  readonly destination: number;
  readonly name: string;
  readonly now: number;
}

/** What waits of it is cancelled; what is just being sent is told behind it once more, whatever holds then. */
function endGone(database: DatabaseSync, names: Names): (gone: readonly Gone[], from: GoneFrom) => void {
  const cancel = cancelWaiting(database);
  const newTally = tallies(database, names);
  const keepTried = database.prepare(`
    INSERT INTO told (computation, destination, user_id, value, sync, delivery, held_in)
    SELECT ?, ?, ?, NULL, ?, id, 0 FROM deliveries WHERE id = ? AND state = 'trying'`);
  return (gone, { computation, destination, name, now }) => {
    const tally = newTally();
    const at = { destination, now, onCancel: () => tally.count(name, now, 'cancelled') };
    for (const { user, sync, delivery } of gone) {
      cancel(delivery, at);
      keepTried.run(computation, destination, user, sync, delivery);
    }
    tally.write();
  };
}

import type { DatabaseSync } from 'node:sqlite';
import type { TellingStorage } from '../../telling-storage.ts';
import type { SqliteOperations } from './calls.ts';
import type { Names } from './names.ts';
import { query } from './query.ts';
import { settle } from './settle.ts';
import type { StoredBytes } from './stored-bytes.ts';
import { syncOperations } from './syncs.ts';
import { tell } from './tell.ts';
import { forgetTold, told, toldDestinations } from './told.ts';

export function tellingOperations(
  database: DatabaseSync,
  names: Names,
  bytes: Pick<StoredBytes, 'addEvents'>,
): Pick<SqliteOperations, keyof TellingStorage> {
  return {
    ...syncOperations(database, names),
    told: told(database, names),
    toldDestinations: toldDestinations(database, names),
    tell: tell(database, names, bytes),
    waiting: waiting(database, names),
    settle: settle(database, names),
    forgetTold: forgetTold(database, names),
  };
}

function waiting(database: DatabaseSync, names: Names): SqliteOperations['waiting'] {
  const count = countWaiting(database);
  return ({ destination, limit }) => count(names.find(destination), limit);
}

/** How many deliveries wait for a destination, counted up to a limit. */
export function countWaiting(database: DatabaseSync): (destination: number, limit: number) => number {
  const waits = query<{ readonly count: number }>(
    database,
    `SELECT count(*) AS count FROM (SELECT 1 FROM deliveries WHERE state = 'pending' AND destination = ? LIMIT ?)`,
  );
  return (destination, limit) => waits.get(destination, limit)?.count ?? 0;
}

import type { DatabaseSync } from 'node:sqlite';
import { emptyLog } from './write-ahead-log.ts';

type Frozen = Pick<DatabaseSync, 'exec' | 'prepare'>;

/** SQLite's own default, in pages. */
const AUTOCHECKPOINT = 1_000;

/** Only a checkpoint writes into the file of a database in WAL mode; all else goes to its log. */
export function freeze(database: Frozen): number {
  emptyLog(database);
  database.exec('PRAGMA wal_autocheckpoint = 0');
  return numberOf(database, 'PRAGMA page_count') * numberOf(database, 'PRAGMA page_size');
}

/** The log is taken over at once: it may have grown large. Whoever stores something waits for that, a second for 340 MB. */
export function thaw(database: Frozen): void {
  database.exec(`PRAGMA wal_autocheckpoint = ${AUTOCHECKPOINT}`);
  emptyLog(database);
}

export function isFrozen(database: Frozen): boolean {
  return numberOf(database, 'PRAGMA wal_autocheckpoint') === 0;
}

function numberOf(database: Frozen, pragma: string): number {
  const [value] = Object.values(database.prepare(pragma).get() ?? {});
  return Number(value);
}

import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import type * as Sqlite from 'node:sqlite';
import { lockByProcess } from './process-lock.ts';

/** The codes of SQLite when another has the lock, and when the file is no database. */
const [BUSY, NOT_A_DATABASE] = [5, 26];

const LOCK = 'lock.sqlite';

/** Of several that begin at the same moment, one gets the lock within this time. */
const BEGINNING_MS = 100;

/** Takes a folder for one store; throws while another has it. */
export function lockFolder(folder: string): () => void {
  const sqlite = loadSqlite();
  return sqlite === undefined ? lockByProcess(folder) : lockBySystem(folder, sqlite);
}

/**
 * A lock that the system frees when the process or thread ends, however that comes, and that it shows to the processes of
 * other containers too: that of an empty SQLite file. It would also be freed if this process opened and closed the file in
 * another way. The file stays: one that was removed could be held beside its successor.
 */
function lockBySystem(folder: string, { DatabaseSync }: typeof Sqlite): () => void {
  const path = join(folder, LOCK);
  let database: Sqlite.DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    database.exec(`PRAGMA busy_timeout = ${BEGINNING_MS}; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE`);
    // Whoever can read it can keep others from locking it.
    chmodSync(path, 0o600);
  } catch (cause) {
    database?.close();
    throw new Error(wordsFor(cause, folder), { cause });
  }
  return () => {
    database?.close();
    database = undefined;
  };
}

function wordsFor(error: unknown, folder: string): string {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  if (code === BUSY) {
    return `The folder ${folder} is in use by another process, or another store of this one: give each its own`;
  }
  const damaged = `${join(folder, LOCK)} is damaged: remove it while no client runs`;
  const reason = error instanceof Error ? error.message : String(error);
  return `The folder ${folder} cannot be locked: ${code === NOT_A_DATABASE ? damaged : reason}`;
}

/**
 * Undefined before Node 22.13. Until Node 26 it is said to be experimental; users are spared that, as the little that is
 * used here has been the same all the time.
 */
function loadSqlite(): typeof Sqlite | undefined {
  // oxlint-disable-next-line typescript/unbound-method -- it is put back as it was
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule?.('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

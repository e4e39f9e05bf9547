import type { DatabaseSync } from 'node:sqlite';
import { type SqlMigration, stepsFrom, unreadable } from '../formats.ts';
import type { SqliteStore } from '../sqlite-stores.ts';
import { openDatabase } from './database.ts';
import { formatOf, lock } from './schema.ts';
import { messageOf } from '../../../thrown.ts';

/** A file of SQLite whose lock is held, in whatever format it is. */
export interface LockedDatabase extends Disposable {
  /** Writes all that it holds into another file, which is empty. */
  copyTo(file: string): void;
  /** Brings it to the current format, a transaction for each step: one that is killed goes on where it was. */
  migrate(): void;
}

/** Throws when the file is damaged, in use, or of a format from which no step leads on. */
export function lockDatabase(path: string, store: SqliteStore): LockedDatabase {
  const database = open(path, store);
  return {
    copyTo: (file) => void database.prepare('VACUUM INTO ?').run(file),
    migrate: () => {
      for (const step of stepsOf(database, store)) run(database, step);
    },
    [Symbol.dispose]: () => database.close(),
  };
}

function open(path: string, store: SqliteStore): DatabaseSync {
  try {
    return openDatabase(path, (database) => {
      lock(database);
      stepsOf(database, store);
    });
  } catch (cause) {
    const reason = messageOf(cause);
    throw new Error(`the ${store.what} ${path} cannot be migrated: ${reason}`, { cause });
  }
}

function stepsOf(database: DatabaseSync, { migrations, version }: SqliteStore): readonly SqlMigration[] {
  const format = formatOf(database);
  if (format === 0) return [];
  const steps = stepsFrom(migrations, format, version);
  if (steps === undefined) throw new Error(`it ${unreadable(format, version)}`);
  return steps;
}

function run(database: DatabaseSync, { from, sql }: SqlMigration): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(`${sql}; PRAGMA user_version = ${from + 1};`);
    database.exec('COMMIT');
  } catch (error) {
    // SQLite rolls back by itself what a full or broken disk ended.
    if (database.isTransaction) database.exec('ROLLBACK');
    if (!isOtherFormat(error)) throw error;
    throw new Error(`it is damaged (not of the format ${from} that it names); restore it from a copy`, {
      cause: error,
    });
  }
}

/** SQLite's plain error: the statement does not fit the tables. Full disks and broken files have codes of their own. */
function isOtherFormat(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 1;
}

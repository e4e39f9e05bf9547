import type { DatabaseSync } from 'node:sqlite';
import { stepsFrom, unreadable } from '../formats.ts';
import { openDatabase } from './database.ts';
import { formatOf, lock, SCHEMA_MIGRATIONS, SCHEMA_VERSION, type SchemaMigration } from './schema.ts';

/** A delivery store whose lock is held, in whatever format it is. */
export interface LockedDatabase extends Disposable {
  /** Writes all that it holds into another file, which is empty. */
  copyTo(file: string): void;
  /** Brings it to the current format, a transaction for each step: one that is killed goes on where it was. */
  migrate(): void;
}

/** Throws when the file is damaged, in use, or of a format from which no step leads on. */
export function lockDatabase(path: string): LockedDatabase {
  const database = open(path);
  return {
    copyTo: (file) => void database.prepare('VACUUM INTO ?').run(file),
    migrate: () => {
      for (const step of stepsOf(database)) run(database, step);
    },
    [Symbol.dispose]: () => database.close(),
  };
}

function open(path: string): DatabaseSync {
  try {
    return openDatabase(path, (database) => {
      lock(database);
      stepsOf(database);
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the delivery store ${path} cannot be migrated: ${reason}`, { cause });
  }
}

function stepsOf(database: DatabaseSync): readonly SchemaMigration[] {
  const format = formatOf(database);
  if (format === 0) return [];
  const steps = stepsFrom(SCHEMA_MIGRATIONS, format, SCHEMA_VERSION);
  if (steps === undefined) throw new Error(`it ${unreadable(format, SCHEMA_VERSION)}`);
  return steps;
}

function run(database: DatabaseSync, { from, sql }: SchemaMigration): void {
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

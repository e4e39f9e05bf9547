import { DatabaseSync } from 'node:sqlite';
import { prepare } from './schema.ts';

/** SQLite's own codes. */
const BUSY = 5;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** Opens the file, and makes it when there is none. Throws with why it cannot be used, and the way out. */
export function openDatabase(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    prepare(database);
    return database;
  } catch (cause) {
    database?.close();
    throw new Error(wordsFor(cause), { cause });
  }
}

function wordsFor(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  const code: unknown = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  if (code === BUSY) return 'another router uses it; stop that one, or choose another folder with --data-dir';
  return code === CORRUPT || code === NOT_A_DATABASE ? `it is damaged (${words}); restore it from a copy` : words;
}

import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqliteCodeOf, wordsOfDisk } from '../full-disk.ts';
import { prepare } from './schema.ts';
import { tearIn } from './write-ahead-log.ts';

/** SQLite's own codes. */
const BUSY = 5;
const READ_ONLY = 8;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** A second where the disk has them in memory, and half a minute where it has not: while a start takes so long, no event is taken. */
const LOOKED_THROUGH_BYTES = 512 * 2 ** 20;

/** Opens the file, and makes it when there is none. Throws with why it cannot be used, and the way out. */
export function openDatabase(
  path: string,
  ready: (database: DatabaseSync) => void = prepare,
  { readOnly = false }: { readonly readOnly?: boolean } = {},
): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    takeBack(path);
    if (!isEmpty(path)) requireWhole(path);
    database = new DatabaseSync(path, { readOnly });
    ready(database);
    return database;
  } catch (cause) {
    database?.close();
    throw new Error(wordsFor(cause, dirname(path)), { cause });
  }
}

/** A kill while the file was made, before it had a log, leaves a change half done; who may only read can neither use it nor take it back. */
function takeBack(path: string): void {
  if (isEmpty(`${path}-journal`)) return;
  using database = new DatabaseSync(path);
  database.prepare('SELECT 1 FROM sqlite_schema').get();
}

/**
 * Looks through a connection that may only read: whatever it finds, the file and its log stay as they are. In a file that is too large
 * to be looked through, damage is found when it is read.
 */
function requireWhole(path: string): void {
  using database = new DatabaseSync(path, { readOnly: true });
  if (statSync(path).size <= LOOKED_THROUGH_BYTES) requireSound(database);
  requireWholePages(path, database);
  const { user_version: format } = database.prepare('PRAGMA user_version').get() ?? {};
  const isFilled = database.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined;
  if (format === 0 && isFilled) throw new Error('it is damaged (it has lost its format); restore it from a copy');
  const tear = tearIn(`${path}-wal`);
  if (tear === undefined) return;
  const { lostCommits, wholeBytes } = tear;
  throw new Error(
    `its log ${path}-wal is damaged after ${wholeBytes} bytes, and ${lostCommits} or more transactions stand behind; ` +
      `restore both from a copy, or cut the log off there to go on without them`,
  );
}

function requireSound(database: DatabaseSync): void {
  const { quick_check: finding } = database.prepare('PRAGMA quick_check(1)').get() ?? {};
  if (finding !== 'ok') throw new Error(`it is damaged (${String(finding)}); restore it from a copy`);
}

/** SQLite fills a page that is cut off with zeros. A log that a crash has left makes up for it; without one it is lost. */
function requireWholePages(path: string, database: DatabaseSync): void {
  const { page_size: page } = database.prepare('PRAGMA page_size').get() ?? {};
  const isCut = statSync(path).size % Number(page) !== 0;
  if (isCut && isEmpty(`${path}-wal`))
    throw new Error('it is damaged (its last page is cut off); restore it from a copy');
}

function isEmpty(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/** Whether another process holds the lock of the file. */
export function isBusy(error: unknown): boolean {
  return sqliteCodeOf(error) === BUSY;
}

/** Whether a file is not what SQLite wrote. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCodeOf(error);
  return code === CORRUPT || code === NOT_A_DATABASE;
}

function wordsFor(error: unknown, folder: string): string {
  const words = wordsOfDisk(error, { folder });
  switch (sqliteCodeOf(error)) {
    case BUSY:
      return 'another router uses it; stop that one, or choose another folder with --data-dir';
    case READ_ONLY:
      return `it cannot be written (${words}); give this user the right to, or restore it from a copy`;
    case CORRUPT:
    case NOT_A_DATABASE:
      return `it is damaged (${words}); restore it from a copy`;
    default:
      return words;
  }
}

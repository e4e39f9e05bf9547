import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { SqlitePages } from './sqlite-pages.ts';

/**
 * What a file of SQLite keeps of rows that are gone: whole pages that are free, and parts of others, copies that were made
 * when rows moved among them. SQLite's own `secure_delete` overwrites a row where it stands, at the cost of every write, and
 * leaves such copies. So whoever erases a user overwrites all that is free afterwards (AUD-9).
 */
export interface FreeSpace {
  /** Pages of the file; 0 of one that is in memory only. */
  pages(): number;
  /** Overwrites what is free in these pages as soon as the transaction under way is stored. */
  wipe(from: number, count: number): void;
  committed(): void;
  rolledBack(): void;
  /** After the database. */
  close(): void;
}

export function freeSpaceOf(database: DatabaseSync): FreeSpace {
  const path = database.location();
  const count = database.prepare('PRAGMA page_count');
  let wanted: readonly [from: number, count: number] | undefined;
  /** To close any handle of the file would give up the lock that SQLite has of it: this one stays open as long as that. */
  let handle: number | undefined;
  return {
    pages: () => (path === null ? 0 : Number(count.get()?.['page_count'])),
    wipe: (...pages) => void (wanted = pages),
    committed() {
      if (wanted === undefined || path === null) return;
      emptyLog(database);
      handle ??= openSync(path, 'r+');
      // What SQLite has of them in memory would be written again.
      if (wipePages(handle, ...wanted)) database.exec('PRAGMA shrink_memory');
      wanted = undefined;
    },
    rolledBack: () => void (wanted = undefined),
    close() {
      if (handle !== undefined) closeSync(handle);
    },
  };
}

/** All that was stored is in the file then, and the log holds no pages as they were before. */
function emptyLog(database: DatabaseSync): void {
  const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {};
  if (busy !== 0) throw new Error('the log of the file cannot be emptied: something reads it');
}

/** Answers whether something was there. What a crash cuts off does no harm: nothing refers to it. */
function wipePages(handle: number, from: number, count: number): boolean {
  const file = new SqlitePages(handle);
  const [{ pageSize }, map] = [file, file.map()];
  const last = Math.min(file.count, from + count - 1);
  if (last < from) return false;
  const [pages, zeros] = [file.read(from, last - from + 1), Buffer.alloc(pageSize)];
  let isWritten = false;
  for (let number = from; number <= last; number += 1) {
    const at = (number - from) * pageSize;
    const page = pages.subarray(at, at + pageSize);
    for (const range of file.freeIn(number, page, map)) {
      const length = range.to - range.from;
      if (zeros.compare(page, range.from, range.to, 0, length) === 0) continue;
      writeSync(handle, zeros, 0, length, (number - 1) * pageSize + range.from);
      isWritten = true;
    }
  }
  if (isWritten) fdatasyncSync(handle);
  return isWritten;
}

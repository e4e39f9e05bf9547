import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { emptyLog } from '../deliveries/write-ahead-log.ts';
import { type PageMap, SqlitePages } from './sqlite-pages.ts';

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

/** So many are in memory at once (1 MB). */
const CHUNK = 256;

/** Answers whether something was there. What a crash cuts off does no harm: nothing refers to it. */
function wipePages(handle: number, from: number, count: number): boolean {
  const file = new SqlitePages(handle);
  const [map, last] = [file.map(), Math.min(file.count, from + count - 1)];
  let isWritten = false;
  for (let first = from; first <= last; first += CHUNK)
    isWritten = wipeChunk(handle, { file, map, first, count: Math.min(CHUNK, last - first + 1) }) || isWritten;
  if (isWritten) fdatasyncSync(handle);
  return isWritten;
}

interface Chunk {
  readonly file: SqlitePages;
  readonly map: PageMap;
  readonly first: number;
  readonly count: number;
}

function wipeChunk(handle: number, { file, map, first, count }: Chunk): boolean {
  const { pageSize } = file;
  const [pages, zeros] = [file.read(first, count), Buffer.alloc(pageSize)];
  let isWritten = false;
  for (let index = 0; index < count; index += 1) {
    const page = pages.subarray(index * pageSize, (index + 1) * pageSize);
    for (const range of file.freeIn(first + index, page, map)) {
      const length = range.to - range.from;
      if (zeros.compare(page, range.from, range.to, 0, length) === 0) continue;
      writeSync(handle, zeros, 0, length, (first + index - 1) * pageSize + range.from);
      isWritten = true;
    }
  }
  return isWritten;
}

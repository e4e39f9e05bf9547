import type { DatabaseSync } from 'node:sqlite';

/**
 * All that was stored is in the file then, and the log holds no pages as they were before. Throws where a part of the log is left:
 * a full disk may be the reason, or somebody who reads it.
 */
export function emptyLog(database: Pick<DatabaseSync, 'prepare'>): void {
  const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {};
  if (busy !== 0) throw new Error('the write-ahead log could not be emptied: the disk is full, or something reads it');
}

import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { freeBytesNow, megabytes } from './full-disk.ts';
import { PRIVATE_FOLDER } from './private-files.ts';
import { messageOf } from '../../thrown.ts';

/** One file, what is kept of it, and where. */
export interface Backup {
  readonly file: string;
  readonly backup: string;
  readonly bytes: number;
  /** Fills an empty file with what the file holds; a plain copy where it is absent. */
  readonly copyTo?: (target: string) => void;
}

const PRIVATE_FILE = 0o600;

/**
 * Makes all of them, or none, and has them on disk. A copy has the name of a backup only once it is whole. The last one of
 * a format holds: whoever goes back, and migrates again later, has what is then in the file.
 */
export function backUp(backups: readonly Backup[], folder: string): void {
  const made: string[] = [];
  try {
    for (const one of backups) {
      made.push(one.backup);
      make(one);
    }
    for (const place of new Set(made.map((backup) => dirname(backup)))) syncPlace(place);
  } catch (cause) {
    for (const backup of made) for (const file of [backup, draftOf(backup)]) rmSync(file, { force: true });
    const reason = messageOf(cause);
    throw new Error(`the backup before the migration of ${folder} failed, and nothing was changed: ${reason}`, {
      cause,
    });
  }
}

function make({ file, backup, copyTo = (target) => writeFileSync(target, readFileSync(file)) }: Backup): void {
  const draft = draftOf(backup);
  mkdirSync(dirname(backup), { recursive: true, mode: PRIVATE_FOLDER });
  // One that a kill left may be half of a copy.
  closeSync(openSync(draft, 'w', PRIVATE_FILE));
  copyTo(draft);
  syncPlace(draft);
  renameSync(draft, backup);
}

function draftOf(backup: string): string {
  return `${backup}.part`;
}

/** What was written to a file, or renamed in a folder, is on disk. */
export function syncPlace(place: string): void {
  const handle = openSync(place, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** To be asked before anything is written: a disk that a backup fills would stop everything else on it. */
export function requireRoom(backups: readonly Pick<Backup, 'bytes'>[], folder: string): void {
  const needed = backups.reduce((sum, { bytes }) => sum + bytes, 0);
  const free = freeBytesNow(folder);
  if (free >= needed) return;
  const way = 'free some, or move the folder to a larger disk. Nothing was changed';
  throw new Error(
    `no room for the backup before the migration of ${folder}: it takes ${megabytes(needed)}, and ${megabytes(free)} are free; ${way}`,
  );
}

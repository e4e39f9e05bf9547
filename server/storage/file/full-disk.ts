import { statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { constants } from 'node:os';
import { messageOf } from '../../thrown.ts';

/** SQLite's own codes; of an extended one the lowest byte is the code. */
const [INPUT_OUTPUT, FULL, CANNOT_OPEN] = [10, 13, 14];
/** As Node names it; what there is no room for in a quota, it only has a number for. */
const NO_SPACE = 'ENOSPC';
const BEYOND_QUOTA = -constants.errno.EDQUOT;
/** With less, SQLite may fail to make one of its files, and does not say why. */
const LITTLE_BYTES = 256 * 1_024;

/** There is room on the disk, but none for events, or for what is counted of them. */
export class NoRoomLeft extends Error {
  override readonly name = 'NoRoomLeft';
  /** As Node names it. */
  readonly code = 'ENOSPC';

  constructor(free: number, kept: number, leaving = 'events leave') {
    super(`${megabytes(free)} are left, and ${leaving} ${megabytes(kept)} for everything else`);
  }
}

/** There is room for events, but none for those of a workspace that has nearly all of it. */
export class TooMuchOfDisk extends Error {
  override readonly name = 'TooMuchOfDisk';

  constructor(workspace: string, { stored, left }: { readonly stored: number; readonly left: number }) {
    super(
      `${workspace} has ${megabytes(stored)} of the disk, and the ${megabytes(left)} that are left for events are for others: ` +
        'give it a quota by day, shorten --retention, or move the data folder to a larger disk',
    );
  }
}

/** There is room on the disk, but not for what a run of an audience or computed trait would store. */
export class NoRoomForRun extends Error {
  override readonly name = 'NoRoomForRun';
  readonly code = 'ENOSPC';

  constructor(bytes: number, { free, kept }: { readonly free: number; readonly kept: number }) {
    super(
      `the run would take ${megabytes(bytes)} of the ${megabytes(free)} that are left, and leaves ${megabytes(kept)} for everything else`,
    );
  }
}

interface Place {
  /** Looked at where the error does not tell that the disk is full. */
  readonly folder?: string;
  /** What else can be done than to free some space. */
  readonly way?: string;
}

/** Why something could not be written; of a full disk also the way out. */
export function wordsOfDisk(
  error: unknown,
  { folder, way = 'move the data folder to a larger disk' }: Place = {},
): string {
  const words = messageOf(error);
  if (isBeyondQuota(error)) return `the quota of the disk is used up (EDQUOT): raise it, free some space, or ${way}`;
  if (!isFull(error, folder)) return words;
  if (folder !== undefined && lacksInodes(folder))
    return `the disk can hold no more files, whatever room it has (no inodes are free): remove some, or ${way}`;
  return `the disk is full (${withoutCall(words)}): free some space, or ${way}`;
}

/** Node says first what is wrong (`ENOSPC: no space left on device`), then what it called, and with which path. */
export function withoutCall(words: string): string {
  return words.replace(/, \w+( '.*')?$/, '');
}

export function isFull(error: unknown, folder?: string): boolean {
  if (isBeyondQuota(error) || (error instanceof Error && 'code' in error && error.code === NO_SPACE)) return true;
  const code = sqliteCodeOf(error);
  if (code === FULL) return true;
  const isUnsure = (code === INPUT_OUTPUT || code === CANNOT_OPEN) && folder !== undefined;
  return isUnsure && (freeBytesNow(folder) < LITTLE_BYTES || lacksInodes(folder));
}

/** Some file systems count none, and a folder may be gone. */
function lacksInodes(folder: string): boolean {
  try {
    const { files, ffree } = statfsSync(folder);
    return files > 0 && ffree === 0;
  } catch {
    return false;
  }
}

function isBeyondQuota(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && error.errno === BEYOND_QUOTA;
}

/** 0 where the error is not SQLite's. */
export function sqliteCodeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
}

/** Bytes that the disk of a folder has room for, as far as it tells. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** The same, where nothing else waits for the answer. */
export function freeBytesNow(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

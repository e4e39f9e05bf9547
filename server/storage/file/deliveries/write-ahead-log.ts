import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/** SQLite's own layout (https://sqlite.org/fileformat2.html#walformat). */
const HEADER = 32;
const FRAME_HEADER = 24;
const MAGIC = 0x377f0682;

/** What a write-ahead log holds beyond the point up to which SQLite would read it. */
export interface TornLog {
  /** Bytes from the beginning that are whole. */
  readonly wholeBytes: number;
  /** Transactions behind that point of which it is certain that they were stored: SQLite would drop them without a word. */
  readonly lostCommits: number;
}

/**
 * Reads a log as SQLite does at a start, and goes on where it would stop. What a crash tears is the end of the last
 * transaction, which nobody was told of, and what crashes and failed writes before it left stands behind. None of that
 * was built upon: a transaction begins only once the one before is on disk, and its sums go on from those. So where a
 * transaction goes on from another one behind the tear, something that was stored has been damaged. Undefined when
 * nothing is lost.
 */
export function tearIn(file: string): TornLog | undefined {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return walk(new Reader(handle));
  } finally {
    closeSync(handle);
  }
}

function walk(log: Reader): TornLog | undefined {
  const header = log.read(0, HEADER);
  if (header === undefined) return undefined;
  const pageSize = header.readUInt32BE(8);
  const isBigEndian = (header.readUInt32BE(0) & 1) === 1;
  const sum = checksum(header.subarray(0, 24), isBigEndian, [0, 0]);
  const isWhole = (header.readUInt32BE(0) & ~1) === MAGIC && matches(header, 24, sum);
  // A header is on disk before the first frame is written: one that is damaged hides every transaction behind it.
  if (!isWhole) return log.size > HEADER && !log.isBlank() ? { wholeBytes: 0, lostCommits: 1 } : undefined;
  return walkFrames(log, { pageSize, isBigEndian, salt: header.subarray(16, 24), sum });
}

interface Start {
  readonly pageSize: number;
  readonly isBigEndian: boolean;
  readonly salt: Buffer;
  readonly sum: Sum;
}

function walkFrames(log: Reader, { pageSize, isBigEndian, salt, sum: first }: Start): TornLog | undefined {
  let [isWhole, wholeBytes, lostCommits, isBehindCommit] = [true, HEADER, 0, false];
  /** What the sums of the next frame may go on from. */
  let before: readonly Sum[] = [first];
  for (let at = HEADER; ; at += FRAME_HEADER + pageSize) {
    const frame = log.read(at, FRAME_HEADER + pageSize);
    if (frame === undefined) break;
    const wasWhole = isWhole;
    // Frames of an earlier life of the file carry another salt, and were taken over long ago.
    const isOfThisLog = frame.subarray(8, 16).equals(salt);
    const isCommit = frame.readUInt32BE(4) !== 0;
    const sums = wasWhole || (isOfThisLog && isBehindCommit) ? before.map((sum) => sumOf(frame, isBigEndian, sum)) : [];
    const goesOn = isOfThisLog && sums.some((sum) => matches(frame, 16, sum));
    isWhole = wasWhole && goesOn;
    if (isWhole && isCommit) wholeBytes = at + FRAME_HEADER + pageSize;
    if (!wasWhole && goesOn) lostCommits += 1;
    // At the tear it may be the sums themselves that are damaged, or the salt.
    before = isWhole || !wasWhole ? [sumIn(frame)] : [sumIn(frame), ...sums];
    isBehindCommit = !isWhole && isCommit && (wasWhole || isOfThisLog);
  }
  return lostCommits > 0 ? { wholeBytes, lostCommits } : undefined;
}

type Sum = readonly [number, number];

/** SQLite's running checksum over pairs of words. */
function checksum(bytes: Buffer, isBigEndian: boolean, [a, b]: Sum): Sum {
  let [one, two] = [a, b];
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    one = (one + wordAt(bytes, at, isBigEndian) + two) >>> 0;
    two = (two + wordAt(bytes, at + 4, isBigEndian) + one) >>> 0;
  }
  return [one, two];
}

/** The sums that a frame ought to hold, going on from those of the frame before. */
function sumOf(frame: Buffer, isBigEndian: boolean, before: Sum): Sum {
  return checksum(frame.subarray(FRAME_HEADER), isBigEndian, checksum(frame.subarray(0, 8), isBigEndian, before));
}

/** The sums that it holds. */
function sumIn(frame: Buffer): Sum {
  return [frame.readUInt32BE(16), frame.readUInt32BE(20)];
}

function wordAt(bytes: Buffer, at: number, isBigEndian: boolean): number {
  return isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
}

function matches(bytes: Buffer, at: number, [one, two]: Sum): boolean {
  return bytes.readUInt32BE(at) === one && bytes.readUInt32BE(at + 4) === two;
}

class Reader {
  readonly #handle: number;
  readonly size: number;

  constructor(handle: number) {
    this.#handle = handle;
    this.size = fstatSync(handle).size;
  }

  /** Undefined when the file ends before. */
  read(at: number, length: number): Buffer | undefined {
    if (at + length > this.size) return undefined;
    const bytes = Buffer.allocUnsafe(length);
    return readSync(this.#handle, bytes, 0, length, at) === length ? bytes : undefined;
  }

  /** True when it holds nothing but zeros, as a file that grew and was never written. */
  isBlank(): boolean {
    const step = 64 * 1024;
    for (let at = 0; at < this.size; at += step) {
      if (this.read(at, Math.min(step, this.size - at))?.some((byte) => byte !== 0) === true) return false;
    }
    return true;
  }
}

/**
 * All that was stored is in the file then, and the log holds no pages as they were before. Throws where a part of the log is left:
 * a full disk may be the reason, or somebody who reads it.
 */
export function emptyLog(database: Pick<DatabaseSync, 'prepare'>): void {
  const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {};
  if (busy !== 0) throw new Error('the write-ahead log could not be emptied: the disk is full, or something reads it');
}

/** Commits take a log over from 4 MB on. */
const OVERDUE_BYTES = 67_108_864;

/**
 * Where the file cannot be written and its log can, commits go on, and SQLite tells nobody: the log would grow until the disk is full.
 * Throws why one that has become large cannot be taken over.
 */
export function requireTakenOver(database: Pick<DatabaseSync, 'prepare'>, file: string, overdue = OVERDUE_BYTES): void {
  const { size = 0 } = statSync(`${file}-wal`, { throwIfNoEntry: false }) ?? {};
  if (size >= overdue) database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
}

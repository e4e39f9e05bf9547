import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { StorageUnusable } from '../errors.ts';
import { syncPlace } from '../file/backup.ts';
import { inspectFolder } from '../file/inspect.ts';
import { wordsOfDisk } from '../file/full-disk.ts';
import { DELIVERIES_FILE, MOVING_FILE, namesIn, PRIVATE_FOLDER } from '../file/private-files.ts';
import { ArchiveReader, type ArchiveSink, ArchiveUnusable } from './archive-reader.ts';

const PIECE_BYTES = 1024 * 1024;
const PRIVATE_FILE = 0o600;

export interface Restored {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Makes a data folder of an archive: whole, on disk, or not at all. Until it is whole, its delivery store has the name of a
 * half-finished move, with which no router starts; that stands there before any other file does.
 */
export function restoreArchive(file: string, folder: string): Restored {
  requireEmpty(folder);
  const made: string[] = [];
  try {
    const restored = unpack(file, folder, made);
    for (const place of new Set(made.map((path) => dirname(path)))) syncPlace(place);
    renameSync(join(folder, MOVING_FILE), join(folder, DELIVERIES_FILE));
    syncPlace(folder);
    return restored;
  } catch (cause) {
    for (const path of made.toReversed()) rmSync(path, { recursive: true, force: true });
    const reason = wordsOfDisk(cause, { way: 'choose another folder with --data-dir' });
    throw new StorageUnusable(`${file} was not restored, and ${folder} is as it was: ${reason}`, { cause });
  }
}

function unpack(file: string, folder: string, made: string[]): Restored {
  using opened = new DisposableStack();
  const source = openSync(file, 'r');
  opened.defer(() => closeSync(source));
  const target = intoFolder(folder, made, opened);
  const reader = new ArchiveReader(target.sink);
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  for (let read = readSync(source, piece); read > 0; read = readSync(source, piece))
    reader.push(piece.subarray(0, read));
  reader.end();
  if (!target.hasDeliveries()) throw new ArchiveUnusable('the backup has no delivery store');
  return target.restored();
}

/** For people who find it there, and no store of SQLite: a move would go on with one. */
const HALF_RESTORED = 'A backup was not restored to its end. Remove this folder, and restore it again.\n';

/** A router that starts on the configuration alone, or on a part of it, would take it for all there is. */
function markHalfRestored(folder: string, made: string[]): void {
  const mark = join(folder, MOVING_FILE);
  makeFolders(folder, made);
  made.push(mark);
  writeFileSync(mark, HALF_RESTORED, { flag: 'wx', mode: PRIVATE_FILE });
  syncPlace(folder);
}

function intoFolder(folder: string, made: string[], opened: DisposableStack) {
  markHalfRestored(folder, made);
  let handle: number | undefined;
  let [files, bytes, hasDeliveries] = [0, 0, false];
  const close = (): void => {
    if (handle !== undefined) closeSync(handle);
    handle = undefined;
  };
  opened.defer(close);
  const sink: ArchiveSink = {
    begin: (name) => {
      const takesMark = name === DELIVERIES_FILE;
      hasDeliveries ||= takesMark;
      const path = join(folder, takesMark ? MOVING_FILE : name);
      makeFolders(dirname(path), made);
      made.push(path);
      handle = openSync(path, takesMark ? 'w' : 'wx', PRIVATE_FILE);
    },
    write: (chunk) => {
      for (let at = 0; at < chunk.length;) at += writeSync(handle ?? -1, chunk, at);
      bytes += chunk.length;
    },
    finish: () => {
      fsyncSync(handle ?? -1);
      close();
      files += 1;
    },
  };
  return { sink, restored: (): Restored => ({ files, bytes }), hasDeliveries: () => hasDeliveries };
}

/** Notes each that it makes. */
function makeFolders(folder: string, made: string[]): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder), made);
  mkdirSync(folder, PRIVATE_FOLDER);
  made.push(folder);
}

function requireEmpty(folder: string): void {
  const found = namesIn(folder);
  if (found.length === 0) return;
  const way = 'restore into an empty folder, with --data-dir, or move these files away';
  if (found.includes(DELIVERIES_FILE) && inspectFolder(folder).isInUse)
    throw new StorageUnusable(`a router uses ${folder}: stop it first, and ${way}`);
  throw new StorageUnusable(`${folder} is not empty (${found.slice(0, 5).join(', ')}): ${way}`);
}

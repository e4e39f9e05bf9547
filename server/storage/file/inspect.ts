import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './deliveries/database.ts';
import { CONFIG_FOLDER } from './private-files.ts';
import { FORMAT } from './resources/migrations.ts';
import { formatIn } from './resources/shard-text.ts';
import { SQLITE_STORES } from './sqlite-stores.ts';
import { messageOf } from '../../thrown.ts';

/** The format that a file has, and the one that this Waybill writes. */
export interface StoredFormat {
  readonly file: string;
  readonly format: number;
  readonly current: number;
}

export interface FolderState {
  /** Whether a router uses the folder now. The formats of its SQLite files cannot be read then. */
  readonly isInUse: boolean;
  readonly formats: readonly StoredFormat[];
  /** Files whose format cannot be told, with the reason. */
  readonly faults: readonly string[];
}

/**
 * Looks at a data folder without its lock, and changes nothing; beside the log that a kill left, SQLite makes its index.
 * To be called by the user that owns the files: an index of another user would keep the router out.
 */
export function inspectFolder(folder: string): FolderState {
  const [formats, faults]: [StoredFormat[], string[]] = [[], []];
  let isInUse = false;
  const read = (file: string, current: number, formatOf: (file: string) => number): void => {
    try {
      formats.push({ file, format: formatOf(file), current });
    } catch (error) {
      if (isBusy(error)) isInUse = true;
      else faults.push(`${file}: ${messageOf(error)}`);
    }
  };
  for (const file of configFiles(join(folder, CONFIG_FOLDER))) read(file, FORMAT, configFormat);
  for (const { file: name, version } of SQLITE_STORES) {
    const file = join(folder, name);
    // SQLite makes an empty file first; a start fills it.
    if (existsSync(file) && statSync(file).size > 0) read(file, version, sqliteFormat);
  }
  return { isInUse, formats, faults };
}

function configFiles(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => join(folder, name));
}

/** Whoever stops takes the log along, and everything is in the file; then nobody has it open. */
function sqliteFormat(file: string): number {
  if (!existsSync(`${file}-wal`)) return beginningOf(file, HEADER_BYTES).readUInt32BE(USER_VERSION_AT);
  using database = new DatabaseSync(file, { readOnly: true });
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}

/** SQLite's own layout (https://sqlite.org/fileformat2.html#the_database_header). */
const [HEADER_BYTES, USER_VERSION_AT] = [100, 60];
/** The header of a file of the configuration is shorter, up to its format. */
const CONFIG_HEADER_BYTES = 1_000;

function configFormat(file: string): number {
  return formatIn(beginningOf(file, CONFIG_HEADER_BYTES).toString('utf8'));
}

/** Zeros where the file is shorter. */
export function beginningOf(file: string, size: number): Buffer {
  const [handle, bytes] = [openSync(file, 'r'), Buffer.alloc(size)];
  try {
    readSync(handle, bytes);
    return bytes;
  } finally {
    closeSync(handle);
  }
}

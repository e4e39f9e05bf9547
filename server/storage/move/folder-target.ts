import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../file/deliveries/database.ts';
import { syncPlace } from '../file/backup.ts';
import { isFull, wordsOfDisk } from '../file/full-disk.ts';
import { DataFolderUnusable, unusable } from '../file/open-file-storage.ts';
import {
  CONFIG_FOLDER,
  DELIVERIES_FILE,
  MOVING_FILE,
  namesIn,
  PRIVATE_FOLDER,
  PROFILES_FILE,
} from '../file/private-files.ts';
import { createDisk } from '../file/resources/disk.ts';
import { ROOT_FILE } from '../file/resources/low-config-store.ts';
import { ShardFile } from '../file/resources/shard-file.ts';
import { Replica } from '../resources/replica.ts';
import { type Keyring, NO_KEYS } from '../secrets/keyring.ts';
import { attachProfiles, hasProfiles, makeProfiles } from './attached-profiles.ts';
import { sqliteRows } from './sqlite-rows.ts';
import type { MovedResources, MoveTarget, Progress, Using } from './moving.ts';

/**
 * Fills a folder. The delivery store has another name until everything is there: a router that finds that one does not
 * start.
 */
export function folderTarget(folder: string, keyring: Keyring = NO_KEYS): Using<MoveTarget> {
  return async (work) => {
    requireEmpty(folder);
    mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
    const file = join(folder, MOVING_FILE);
    const database = openTarget(file);
    using closing = new DisposableStack();
    closing.defer(() => database.isOpen && database.close());
    const profiles = makeProfiles(folder);
    // Everything is in the files themselves, which a log would not follow.
    database.exec('PRAGMA journal_mode = DELETE');
    attachProfiles(database, profiles);
    const rows = sqliteRows(database);
    const moved = work({
      shown: folder,
      begin: async ({ identity, shown }) => begin(database, identity, { folder, shown }),
      write: async (table, page, progress) => {
        database.exec('BEGIN');
        rows.write(table, page);
        database.prepare('UPDATE moving SET progress = ?').run(JSON.stringify(progress));
        database.exec('COMMIT');
      },
      counts: async () => rows.counts(),
      finish: async (resources) => {
        await writeResources(join(folder, CONFIG_FOLDER), resources, keyring);
        const isFilled = hasProfiles(database);
        database.close();
        if (!isFilled) rmSync(profiles);
        renameSync(file, join(folder, DELIVERIES_FILE));
        syncPlace(folder);
        using finished = openTarget(join(folder, DELIVERIES_FILE));
        finished.exec('DROP TABLE moving');
      },
    });
    return await moved.catch((error: unknown) => refuseFull(error, folder));
  };
}

/** What was moved before stays, and the move goes on from there. */
function refuseFull(cause: unknown, folder: string): never {
  if (!isFull(cause, folder)) throw cause;
  const words = wordsOfDisk(cause, { folder, way: 'name another folder with --to' });
  throw new DataFolderUnusable(`${folder} cannot hold what is moved: ${words}`, { cause });
}

function requireEmpty(folder: string): void {
  const names = namesIn(folder);
  const isHalf = names.includes(MOVING_FILE);
  const others = isHalf ? names.filter((name) => !isOfAMove(name)) : names;
  if (others.length === 0) return;
  throw new DataFolderUnusable(
    `${folder} is not empty (${others.slice(0, 5).join(', ')}): name an empty or a new folder with --to`,
  );
}

function isOfAMove(name: string): boolean {
  return name.startsWith(MOVING_FILE) || name.startsWith(PROFILES_FILE) || name === CONFIG_FOLDER;
}

function openTarget(file: string): DatabaseSync {
  try {
    return openDatabase(file);
  } catch (error) {
    return unusable(error);
  }
}

function begin(
  database: DatabaseSync,
  identity: string,
  { folder, shown }: Record<'folder' | 'shown', string>,
): Progress {
  database.exec('CREATE TABLE IF NOT EXISTS moving (source TEXT NOT NULL, progress TEXT NOT NULL) STRICT');
  const row = database.prepare('SELECT source, progress FROM moving').get();
  if (row === undefined) database.prepare("INSERT INTO moving VALUES (?, '{}')").run(identity);
  if (row !== undefined && row['source'] !== identity)
    throw new DataFolderUnusable(
      `${folder} has a half-finished move of another storage, or ${shown} was used since: remove the folder, and begin anew`,
    );
  const progress: Progress = JSON.parse(String(row?.['progress'] ?? '{}'));
  return progress;
}

/** The root comes last: without it a folder has no configuration. */
async function writeResources(folder: string, { commits, sequence }: MovedResources, keyring: Keyring): Promise<void> {
  const [replica, disk] = [new Replica(), createDisk()];
  for (const commit of commits) replica.apply(commit);
  await disk.names(folder);
  const workspaces = replica.stateOf('')?.tables.workspaces.children('') ?? [];
  const files = workspaces.map(({ resource: { id, name } }) => ({ home: name, file: join(folder, `${id}.json`) }));
  for (const { home, file } of [...files, { home: '', file: join(folder, ROOT_FILE) }]) {
    const state = replica.stateOf(home);
    if (state !== undefined) await new ShardFile({ disk, file, home, left: [], keyring }).write({ ...state, sequence });
  }
}

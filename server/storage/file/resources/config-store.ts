import { join } from 'node:path';
import type { Log } from '../../../ports/log.ts';
import { type Keyring, NO_KEYS } from '../../secrets/keyring.ts';
import { Versions } from '../../versions.ts';
import { wordsOfDisk } from '../full-disk.ts';
import { createDisk, type Disk } from './disk.ts';
import { idOf, isUnused, refuseLostRoot } from './lost-files.ts';
import { LowConfigStore, ROOT_FILE } from './low-config-store.ts';

export interface OpenConfigStoreOptions {
  /** Holds the store's files and nothing else; made when it is missing. One process at a time. */
  readonly folder: string;
  readonly log: Log;
  readonly disk?: Disk;
  /** Raised with each commit; of its own when not given. */
  readonly versions?: Versions;
  /** Without one, secrets are stored in clear. */
  readonly keyring?: Keyring;
}

/**
 * Opens the store of a folder, with all that was ever answered as done. Throws, and touches nothing, when a file in it
 * is damaged, foreign or missing, or when the folder cannot be used; the message names it and the way out.
 */
export async function openConfigStore({
  folder,
  log,
  disk = createDisk(),
  versions = new Versions(),
  keyring = NO_KEYS,
}: OpenConfigStoreOptions): Promise<LowConfigStore> {
  const names = await namesIn(folder, disk);
  const fresh = !names.has(ROOT_FILE);
  if (fresh) refuseLostRoot(join(folder, ROOT_FILE), names);
  const store = new LowConfigStore({ folder, names, disk, log, versions, keyring });
  await store.load();
  await store.settle();
  if (fresh) await proveWritable(store, folder);
  else await sweep({ folder, names, store, disk, log });
  return store;
}

async function namesIn(folder: string, disk: Disk): Promise<ReadonlySet<string>> {
  try {
    return new Set(await disk.names(folder));
  } catch (error) {
    throw unusable(folder, error);
  }
}

async function proveWritable(store: LowConfigStore, folder: string): Promise<void> {
  try {
    await store.complete();
  } catch (error) {
    throw unusable(folder, error);
  }
}

function unusable(folder: string, error: unknown): Error {
  return new Error(
    `the config store cannot use the folder ${folder}: ${wordsOfDisk(error)}. Give one that can be written.`,
    {
      cause: error,
    },
  );
}

interface Sweep extends Pick<OpenConfigStoreOptions, 'folder' | 'log'> {
  readonly disk: Disk;
  readonly names: ReadonlySet<string>;
  readonly store: LowConfigStore;
}

/** Clears what a crash left over. Only what is known to be garbage is removed: the rest is named in the log. */
async function sweep({ folder, names, store, disk, log }: Sweep): Promise<void> {
  const { tables, removed } = store.root.state;
  const workspaces = new Set(tables.workspaces.children('').map(({ resource }) => resource.id));
  for (const id of removed) {
    if ([...names].some((name) => idOf(name) === id))
      log.warn({ file: join(folder, `${id}.json`) }, 'removing a removed workspace');
    await store.removeFile(id);
  }
  for (const name of names) {
    const id = idOf(name);
    if (id === undefined || workspaces.has(id) || removed.includes(id)) continue;
    const file = join(folder, name);
    if (isUnused(await disk.read(file))) await disk.remove([file]);
    else log.warn({ file }, 'this file belongs to no workspace in root.json; left alone, and not read');
  }
  await store.complete().catch((error: unknown) => {
    log.warn(
      { folder, reason: wordsOfDisk(error) },
      'files of workspaces could not be made; the next start makes them',
    );
  });
}

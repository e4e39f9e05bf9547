import { join } from 'node:path';
import type { Log } from '../../../ports/log.ts';
import { type Keyring, NO_KEYS } from '../../secrets/keyring.ts';
import { Versions } from '../../versions.ts';
import { wordsOfDisk } from '../full-disk.ts';
import { createDisk, type Disk } from './disk.ts';
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
  if (fresh) refuseLostRoot(folder, names);
  const store = new LowConfigStore({ folder, names, disk, log, versions, keyring });
  await store.load();
  await store.settle();
  if (fresh) await proveWritable(store, folder);
  else await sweep({ folder, names, store, log });
  return store;
}

async function namesIn(folder: string, disk: Disk): Promise<ReadonlySet<string>> {
  try {
    return new Set(await disk.names(folder));
  } catch (error) {
    throw unusable(folder, error);
  }
}

/** Starting empty here would make a new, empty store of one that lost a file. */
function refuseLostRoot(folder: string, names: ReadonlySet<string>): void {
  const lost = [...names].filter((name) => idOf(name) !== undefined);
  if (lost.length === 0) return;
  throw new Error(
    `${join(folder, ROOT_FILE)} is missing, and files of workspaces are there: ${lost.join(', ')}. Nothing was touched. ` +
      'Put a good copy of it back, or move those files away to start with an empty store.',
  );
}

async function proveWritable(store: LowConfigStore, folder: string): Promise<void> {
  try {
    await store.root.writeNow();
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

interface Sweep extends Omit<OpenConfigStoreOptions, 'disk'> {
  readonly names: ReadonlySet<string>;
  readonly store: LowConfigStore;
}

/** Clears what a crash left over. Only what is known to be garbage is removed: the rest is named in the log. */
async function sweep({ folder, names, store, log }: Sweep): Promise<void> {
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
    log.warn({ file: join(folder, name) }, 'this file belongs to no workspace in root.json; left alone, and not read');
  }
}

/** The workspace id that names a file, or what stands beside it; undefined for every other file. */
function idOf(name: string): string | undefined {
  return /^([0-9a-f]{10})\.(?:json(?:\.[ab])?|audit\.jsonl(?:\.new)?)$/.exec(name)?.[1];
}

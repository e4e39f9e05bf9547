import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Log } from '../../ports/log.ts';
import { StorageUnusable } from '../errors.ts';
import type { Storage } from '../storage.ts';
import { isFull, wordsOfDisk } from './full-disk.ts';
import { openConfigStore } from './resources/config-store.ts';
import { createDisk } from './resources/disk.ts';
import { checkedDisk } from './resources/checked-disk.ts';
import { ROOT_FILE } from './resources/low-config-store.ts';
import { openDatabase } from './deliveries/database.ts';
import { openSqliteStorage } from './deliveries/sqlite-storage.ts';
import { type Keyring, NO_KEYS } from '../secrets/keyring.ts';
import { migrateFolder } from './migrate.ts';
import { Versions } from '../versions.ts';
import {
  CONFIG_FOLDER,
  DELIVERIES_FILE,
  keepPrivate,
  MOVING_FILE,
  PRIVATE_FOLDER,
  PROFILES_FILE,
} from './private-files.ts';
import { openPutBack, sealBackups } from './sealed-backups.ts';
import { openLazyProfiles } from './profiles/lazy-profiles.ts';
import { Snapshots } from './snapshots.ts';
import { messageOf } from '../../thrown.ts';

/** The data folder, or a file in it, cannot be used. The message names it, and the way out. */
export class DataFolderUnusable extends StorageUnusable {
  override readonly name = 'DataFolderUnusable';
}

export interface FileParts {
  /** The file that runs as the thread of the delivery store, other than the production's own; for tests of its failures. */
  readonly thread?: URL;
  /** Without one, secrets are stored in clear. */
  readonly keyring?: Keyring;
}

/** Whether a router has kept its configuration in this folder. */
export function holdsConfiguration(folder: string): boolean {
  return existsSync(join(folder, CONFIG_FOLDER, ROOT_FILE));
}

/** Opens a data folder. What holds its lock is opened first, and closed last. */
export async function openFileStorage(
  folder: string,
  log: Log,
  { thread, keyring = NO_KEYS }: FileParts = {},
): Promise<Storage> {
  const [file, configFolder] = [join(folder, DELIVERIES_FILE), join(folder, CONFIG_FOLDER)];
  const { disk, check } = checkedDisk(createDisk(), configFolder);
  await readyFolder(folder, log, keyring);
  await using opened = new AsyncDisposableStack();
  const versions = new Versions();
  const sqlite = await openSqliteStorage(file, { thread, versionOf: versions.of }).catch(unusable);
  opened.defer(() => sqlite.close());
  const profiles = await openLazyProfiles(join(folder, PROFILES_FILE), sqlite).catch(unusable);
  opened.defer(() => profiles.close());
  const resources = await openConfigStore({ folder: configFolder, log, disk, versions, keyring }).catch(unusable);
  opened.defer(() => resources.close());
  const snapshots = new Snapshots({ folder, resources, profiles, deliveries: sqlite });
  const own = { attempt: () => sqlite.proveWritable(), failures: () => sqlite.failures() };
  const checks = [{ name: 'delivery store', ...own }, check];
  const running = opened.move();
  return {
    resources,
    deliveries: sqlite,
    log: sqlite,
    counting: sqlite,
    usedIds: sqlite,
    jobs: sqlite,
    tellings: sqlite,
    profiles,
    members: sqlite,
    resealing: resources.resealing,
    checks,
    snapshot: () => snapshots.take(),
    close: async () => {
      await snapshots.end();
      await running.disposeAsync();
      await snapshots.close();
    },
  };
}

/** Makes the folder, or refuses it, and brings what is in it up to date. */
async function readyFolder(folder: string, log: Log, keyring: Keyring): Promise<void> {
  makeFolder(folder);
  refuseHalfMoved(folder);
  refuseClosed(folder);
  keepPrivate(folder, log);
  const deliveries = join(folder, DELIVERIES_FILE);
  if (holdsConfiguration(folder)) refuseLostDeliveries(deliveries, log);
  else if ((sizeOf(deliveries) ?? 0) > 0) refuseLostConfiguration(join(folder, CONFIG_FOLDER), deliveries);
  await openPutBack(join(folder, CONFIG_FOLDER), keyring).catch(unusable);
  await migrateFolder(folder, log, keyring).catch(unusable);
  await sealBackups(join(folder, CONFIG_FOLDER), keyring, log).catch(unusable);
}

/** The page with which SQLite begins a file, before there is anything in it. */
const FIRST_PAGE = 4_096;

/**
 * The configuration is written after the delivery store was made. So where there is one, an empty delivery store is one
 * that has lost what it held; SQLite would fill it anew. Who removes the file means to.
 */
function refuseLostDeliveries(file: string, log: Log): void {
  const size = sizeOf(file);
  if (size === undefined) {
    log.warn({ file }, 'there is a configuration but no delivery store: starting with an empty one');
  } else if (size <= FIRST_PAGE && (sizeOf(`${file}-wal`) ?? 0) === 0) {
    const way = 'restore it and its log from a copy, or remove it to go on without what it held';
    throw new DataFolderUnusable(`the delivery store ${file} has lost what it held (${size} bytes are left): ${way}`);
  }
}

/** A router writes its configuration before it joins its store. One with an empty configuration would cancel all that waits. */
function refuseLostConfiguration(config: string, file: string): void {
  using database = openToRead(file);
  const has = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?');
  const tables = ['messages', 'members'].filter((table) => has.get(table) !== undefined);
  if (tables.every((table) => database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined)) return;
  const way = `put a good copy of the folder ${config} back, or move ${file} away as well to start with nothing`;
  throw new DataFolderUnusable(`the configuration of the delivery store ${file} is gone: ${way}. Nothing was touched`);
}

function openToRead(file: string): DatabaseSync {
  try {
    return openDatabase(file, () => undefined, { readOnly: true });
  } catch (cause) {
    throw new DataFolderUnusable(`the delivery store ${file} cannot be opened: ${messageOf(cause)}`, { cause });
  }
}

/** SQLite says no more than that it cannot open such a file, and a folder that cannot be read looks as if it were empty. */
function refuseClosed(folder: string): void {
  const { R_OK, W_OK, X_OK } = constants;
  const stores = [DELIVERIES_FILE, PROFILES_FILE].flatMap((name) => [name, `${name}-wal`, `${name}-shm`]);
  const needs = [[CONFIG_FOLDER, R_OK | X_OK] as const, ...stores.map((name) => [name, R_OK | W_OK] as const)];
  for (const [name, mode] of needs) {
    const place = join(folder, name);
    if (!existsSync(place) || isAccessible(place, mode)) continue;
    const { uid } = statSync(place);
    const who = process.getuid?.() ?? uid;
    const way = who === uid ? `chmod u+rwX ${place}` : `chown -R ${who} ${folder}, or run it as the user ${uid}`;
    throw new DataFolderUnusable(`${place} cannot be read and written by this user: ${way}`);
  }
}

function isAccessible(place: string, mode: number): boolean {
  try {
    accessSync(place, mode);
    return true;
  } catch {
    return false;
  }
}

/** Throws where a move or a restore was begun and not finished: a part of everything is less than it seems. */
function refuseHalfMoved(folder: string): void {
  if (!existsSync(join(folder, MOVING_FILE))) return;
  const way = 'finish it with "waybill migrate-storage", or remove the folder and begin again';
  throw new DataFolderUnusable(`${folder} has a half-finished move, or restore of a backup: ${way}`);
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}

function makeFolder(folder: string): void {
  try {
    makeWithParents(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const way = 'give this user the right to write there, or choose another folder with --data-dir';
    const words = isFull(cause) ? wordsOfDisk(cause) : way;
    throw new DataFolderUnusable(`the data folder ${folder} cannot be written: ${words}`, { cause });
  }
}

/** As Node does by itself, which goes on for ever where no folder can be made at all (below `/proc`). */
function makeWithParents(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  if (!existsSync(dirname(folder))) makeWithParents(dirname(folder));
  mkdirSync(folder, PRIVATE_FOLDER);
}

/** Whatever the reason is, an operator can do something about it. */
export function unusable(cause: unknown): never {
  throw new DataFolderUnusable(messageOf(cause), { cause });
}

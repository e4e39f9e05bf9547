import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ConfigStore } from '../config-store.ts';
import type { DeliveryLog } from '../delivery-log.ts';
import type { DeliveryStore } from '../delivery-store.ts';
import type { Log } from '../../ports/log.ts';
import type { ReplayStore } from '../replay-store.ts';
import type { RetentionStore } from '../retention-store.ts';
import type { UserDataStore } from '../user-data-store.ts';
import type { WriteCheck } from '../write-check.ts';
import { openConfigStore } from './resources/config-store.ts';
import { createDisk } from './resources/disk.ts';
import { checkedDisk } from './resources/write-check.ts';
import { ROOT_FILE } from './resources/low-config-store.ts';
import { openSqliteDeliveryStore } from './deliveries/sqlite-delivery-store.ts';
import { CONFIG_FOLDER, DELIVERIES_FILE, keepPrivate, PRIVATE_FOLDER } from './private-files.ts';

/** The data folder, or a file in it, cannot be used. The message names it, and the way out. */
export class DataFolderUnusable extends Error {
  override readonly name = 'DataFolderUnusable';
}

export interface Stores {
  readonly deliveries: DeliveryStore;
  /** The same store, as those see it who look back. */
  readonly journal: DeliveryLog & ReplayStore & RetentionStore & UserDataStore;
  readonly config: ConfigStore;
  /** Whether each of the two can write now. */
  readonly checks: readonly WriteCheck[];
}

/** Other than the production's own; for tests of what happens when they fail. */
export interface StoreParts {
  /** The file that runs as the thread of the delivery store. */
  readonly thread?: URL;
}

/** Whether a router has kept its configuration in this folder. */
export function holdsConfiguration(folder: string): boolean {
  return existsSync(join(folder, CONFIG_FOLDER, ROOT_FILE));
}

/** Opens the embedded stores of a data folder. The delivery store is opened first: it holds the lock of the folder. */
export async function openStores(
  folder: string,
  log: Log,
  opened: AsyncDisposableStack,
  { thread }: StoreParts = {},
): Promise<Stores> {
  makeFolder(folder);
  keepPrivate(folder, log);
  const [file, configFolder] = [join(folder, DELIVERIES_FILE), join(folder, CONFIG_FOLDER)];
  const { disk, check } = checkedDisk(createDisk(), configFolder);
  if (holdsConfiguration(folder)) refuseLostDeliveries(file, log);
  const deliveries = await openSqliteDeliveryStore(file, thread).catch(unusable);
  opened.defer(() => deliveries.close());
  const config = await openConfigStore({ folder: configFolder, log, disk }).catch(unusable);
  opened.defer(() => config.close());
  const checks = [{ name: 'delivery store', attempt: () => deliveries.proveWritable() }, check];
  return { deliveries, journal: deliveries, config, checks };
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

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}

function makeFolder(folder: string): void {
  try {
    makeWithParents(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const way = 'give this user the right to write there, or choose another folder with --data-dir';
    throw new DataFolderUnusable(`the data folder ${folder} cannot be written: ${way}`, { cause });
  }
}

/** As Node does by itself, which goes on for ever where no folder can be made at all (below `/proc`). */
function makeWithParents(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  if (!existsSync(dirname(folder))) makeWithParents(dirname(folder));
  mkdirSync(folder, PRIVATE_FOLDER);
}

function unusable(cause: unknown): never {
  throw new DataFolderUnusable(cause instanceof Error ? cause.message : String(cause), { cause });
}

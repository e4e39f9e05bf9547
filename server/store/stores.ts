import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfigStore } from '../ports/config-store.ts';
import type { DeliveryLog } from '../ports/delivery-log.ts';
import type { DeliveryStore } from '../ports/delivery-store.ts';
import type { Log } from '../ports/log.ts';
import type { ReplayStore } from '../ports/replay-store.ts';
import type { RetentionStore } from '../ports/retention-store.ts';
import type { UserDataStore } from '../ports/user-data-store.ts';
import { openConfigStore } from './config/config-store.ts';
import { openSqliteDeliveryStore } from './deliveries/sqlite-delivery-store.ts';

/** The data folder, or a file in it, cannot be used. The message names it, and the way out. */
export class DataFolderUnusable extends Error {
  override readonly name = 'DataFolderUnusable';
}

export interface Stores {
  readonly deliveries: DeliveryStore;
  /** The same store, as those see it who look back. */
  readonly journal: DeliveryLog & ReplayStore & RetentionStore & UserDataStore;
  readonly config: ConfigStore;
}

/** Opens the embedded stores of a data folder. The delivery store is opened first: it holds the lock of the folder. */
export async function openStores(folder: string, log: Log, opened: AsyncDisposableStack): Promise<Stores> {
  makeFolder(folder);
  const deliveries = await openSqliteDeliveryStore(join(folder, 'deliveries.sqlite')).catch(unusable);
  opened.defer(() => deliveries.close());
  const config = await openConfigStore({ folder: join(folder, 'config'), log }).catch(unusable);
  opened.defer(() => config.close());
  return { deliveries, journal: deliveries, config };
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const way = 'give this user the right to write there, or choose another folder with --data-dir';
    throw new DataFolderUnusable(`the data folder ${folder} cannot be written: ${way}`, { cause });
  }
}

function unusable(cause: unknown): never {
  throw new DataFolderUnusable(cause instanceof Error ? cause.message : String(cause), { cause });
}

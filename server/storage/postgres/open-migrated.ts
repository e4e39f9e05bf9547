import type { Log } from '../../ports/log.ts';
import { StoreUnavailable } from '../config-store.ts';
import { StorageUnusable } from '../errors.ts';
import { readAddress } from './connection/address.ts';
import { type Database, openDatabase } from './connection/database.ts';
import { formatOf, migrateDatabase, placeOf, stepsFrom } from './migrations/migrate.ts';
import type { PostgresMigration } from './migrations/migrations.ts';

/** A step may go through a whole table. */
const STEP_MS = 3_600_000;

/** Opens a database whose tables have our format; throws StorageUnusable. */
export async function openMigrated(url: string, log: Log): Promise<Database> {
  const database = openDatabase(readAddress(url));
  try {
    await database.refusePooler();
    const steps = stepsFrom(await formatOf(database), placeOf(database));
    const done = steps.length === 0 ? [] : await migratePlace(url);
    for (const { version: to, what } of done)
      log.warn({ place: placeOf(database), to, what }, 'the database was migrated');
    return database;
  } catch (error) {
    await database.close();
    throw unusable(error);
  }
}

/** What has to be done with a database before a router of this version can use it; nothing is changed. */
export async function planMigration(url: string): Promise<readonly PostgresMigration[]> {
  const database = openDatabase(readAddress(url));
  try {
    await database.refusePooler();
    return stepsFrom(await formatOf(database), placeOf(database));
  } catch (error) {
    throw unusable(error);
  } finally {
    await database.close();
  }
}

/** Does it, once, whoever else begins at the same time; answers what was done here. */
export async function migratePlace(url: string): Promise<readonly PostgresMigration[]> {
  const database = openDatabase(readAddress(url), STEP_MS);
  try {
    await database.refusePooler();
    return await migrateDatabase(database);
  } catch (error) {
    throw unusable(error);
  } finally {
    await database.close();
  }
}

/** A start that cannot reach its database ends; a router that runs waits for it. */
function unusable(error: unknown): unknown {
  return error instanceof StoreUnavailable ? new StorageUnusable(error.message, { cause: error }) : error;
}

import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Log } from '../../ports/log.ts';
import { openDatabase } from '../file/deliveries/database.ts';
import { NODE } from '../file/deliveries/members.ts';
import { formatOf, SCHEMA_VERSION } from '../file/deliveries/schema.ts';
import { aheadIn } from '../file/deliveries/set-clock.ts';
import { DataFolderUnusable, holdsConfiguration, unusable } from '../file/open-file-storage.ts';
import { CONFIG_FOLDER, DELIVERIES_FILE } from '../file/private-files.ts';
import { createDisk } from '../file/resources/disk.ts';
import { LowConfigStore } from '../file/resources/low-config-store.ts';
import { planMigration } from '../file/migrate.ts';
import { type Keyring, NO_KEYS } from '../secrets/keyring.ts';
import { Versions } from '../versions.ts';
import type { Commit } from '../config-store.ts';
import { attachReadProfiles } from './attached-profiles.ts';
import { sqliteRows } from './sqlite-rows.ts';
import type { MovedResources, MoveSource, Using } from './moving.ts';

/** Reads a data folder. As long as it does, no router can use it, and it is as it was afterwards. */
export function folderSource(folder: string, log: Log, keyring: Keyring = NO_KEYS): Using<MoveSource> {
  return async (work) => {
    requireUsable(folder);
    using closing = new DisposableStack();
    const database = openRead(join(folder, DELIVERIES_FILE));
    closing.defer(() => database.close());
    attachReadProfiles(database, folder, closing);
    // From here on SQLite lets nobody write.
    database.exec('BEGIN; SELECT 1 FROM sqlite_schema; SELECT 1 FROM profiles.sqlite_schema');
    const rows = sqliteRows(database, aheadIn(database));
    return await work({
      shown: folder,
      identity: `file:${realpathSync(folder)}, life ${lifeOf(database)}, state ${stateOf(database)}`,
      read: async (table, after, limit) => rows.read(table, after, limit),
      counts: async () => rows.counts(),
      resources: () => resourcesOf(folder, log, keyring),
    });
  };
}

function requireUsable(folder: string): void {
  if (!holdsConfiguration(folder) || !existsSync(join(folder, DELIVERIES_FILE)))
    throw new DataFolderUnusable(`${folder} holds no data of a router: name another folder with --from`);
  const { isInUse, files } = planned(folder);
  if (isInUse) throw new DataFolderUnusable(`another router uses ${folder}: stop it first`);
  const way = `bring it to the format of this version first: waybill migrate --data-dir ${folder}`;
  if (files.length > 0) throw new DataFolderUnusable(`${folder} is of an earlier version of Waybill: ${way}`);
}

function planned(folder: string): ReturnType<typeof planMigration> {
  try {
    return planMigration(folder);
  } catch (error) {
    return unusable(error);
  }
}

function openRead(file: string): DatabaseSync {
  try {
    return openDatabase(file, refuseOtherFormat, { readOnly: true });
  } catch (error) {
    return unusable(error);
  }
}

function refuseOtherFormat(database: DatabaseSync): void {
  const format = formatOf(database);
  if (format !== SCHEMA_VERSION) throw new Error(`the delivery store has format ${format}, and not ${SCHEMA_VERSION}`);
}

/** Counted up by each start of a router. */
function lifeOf(database: DatabaseSync): number {
  return Number(database.prepare('SELECT epoch FROM members WHERE node = ?').get(NODE)?.['epoch'] ?? 0);
}

/** Which moment of its life it is: a folder that was restored from another backup may have the same. */
function stateOf(database: DatabaseSync): string {
  const parts = database.prepare(`SELECT (SELECT count FROM erasures) AS erasures,
    (SELECT max(id) FROM deliveries) AS delivery, (SELECT sum(count) FROM counts) AS counted`);
  return Object.values(parts.get() ?? {})
    .map((part) => Number(part ?? 0))
    .join('-');
}

async function resourcesOf(folder: string, log: Log, keyring: Keyring): Promise<MovedResources> {
  const config = join(folder, CONFIG_FOLDER);
  const options = { folder: config, names: new Set(readdirSync(config)), disk: createDisk(), log, keyring };
  const store = new LowConfigStore({ ...options, versions: new Versions() });
  await store.load().catch(unusable);
  const commits: Commit[] = [];
  await store.watch((commit) => void commits.push(commit));
  return { commits, sequence: store.sequence };
}

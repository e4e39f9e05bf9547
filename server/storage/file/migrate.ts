import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Log } from '../../ports/log.ts';
import { type Keyring, NO_KEYS } from '../secrets/keyring.ts';
import { type Backup, backUp, requireRoom } from './backup.ts';
import { type LockedDatabase, lockDatabase } from './deliveries/migrate.ts';
import { type Migration, stepsFrom, unreadable } from './formats.ts';
import { isFull, wordsOfDisk } from './full-disk.ts';
import { inspectFolder, type StoredFormat } from './inspect.ts';
import { auditFileOf } from './resources/audit-file.ts';
import { openOlderShards } from './resources/migrate.ts';
import { SHARD_MIGRATIONS } from './resources/migrations.ts';
import { SQLITE_STORES, sqliteStoreOf } from './sqlite-stores.ts';

/** What is done with one file of an older format. */
export interface FileMigration extends Omit<Backup, 'copyTo'> {
  readonly from: number;
  readonly to: number;
  /** What the steps change, in their order. */
  readonly changes: readonly string[];
}

export interface MigrationPlan {
  /** Whether a router uses the folder now; the plan is not complete then. */
  readonly isInUse: boolean;
  readonly files: readonly FileMigration[];
}

/** What would be done with a folder. Throws for what is newer, and where there is something to do but a file is damaged. */
export function planMigration(folder: string): MigrationPlan {
  const { isInUse, formats, faults } = inspectFolder(folder);
  // A first start that was killed leaves a file without a format; the next one fills it.
  const files = formats.filter(({ format, current }) => format !== current && format !== 0).map(planFile);
  if (files.length > 0 && faults.length > 0) throw new Error(faults.join('; '));
  return { isInUse, files };
}

function planFile({ file, format: from, current: to }: StoredFormat): FileMigration {
  const store = sqliteStoreOf(file);
  const migrations: readonly Migration[] = store?.migrations ?? SHARD_MIGRATIONS;
  const steps = stepsFrom(migrations, from, to);
  if (steps === undefined) throw new Error(`${file} ${unreadable(from, to)}`);
  const backup =
    store === undefined
      ? join(dirname(file), `format-${from}.backup`, basename(file))
      : `${file}.format-${from}.backup`;
  return { file, from, to, changes: steps.map(({ what }) => what), backup, bytes: sizeOf(file) };
}

/** What is in the log of a file of SQLite is in its backup too. */
function sizeOf(file: string): number {
  return statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0);
}

/**
 * Brings a folder to the current formats (NODE-7). It reads everything first, then backs everything up, and only then
 * changes anything: each step is one transaction or one renamed file, so that who is killed goes on at the next start.
 * Answers what was done; nothing where a router uses the folder, which its next start finds.
 */
export async function migrateFolder(
  folder: string,
  log: Log,
  keyring: Keyring = NO_KEYS,
): Promise<readonly FileMigration[]> {
  const { isInUse, files } = planMigration(folder);
  if (isInUse || files.length === 0) return [];
  requireRoom([...files, ...files.flatMap(besides)], folder);
  using locks = new DisposableStack();
  const databases = new Map<string, LockedDatabase>();
  for (const store of SQLITE_STORES) {
    const file = join(folder, store.file);
    if (statSync(file, { throwIfNoEntry: false }) !== undefined)
      databases.set(file, locks.use(lockDatabase(file, store)));
  }
  const configFiles = files.map(({ file }) => file).filter((file) => !databases.has(file));
  const shards = await openOlderShards(configFiles, keyring);
  const older = new Set([...shards.map(({ file }) => file), ...databases.keys()]);
  const found = files.filter(({ file }) => older.has(file));
  backUp(
    found.flatMap((one) => [withCopy(one, databases.get(one.file)), ...besides(one)]),
    folder,
  );
  tell(found, log);
  try {
    for (const { file } of found) databases.get(file)?.migrate();
    for (const shard of shards) await shard.migrate();
  } catch (error) {
    unfinished(error, folder);
  }
  log.warn({ folder, files: found.length }, 'the data folder was migrated');
  return found;
}

/** Steps take room as well, which nobody knows before. */
function unfinished(cause: unknown, folder: string): never {
  if (!isFull(cause, folder)) throw cause;
  const words = wordsOfDisk(cause, { folder });
  throw new Error(`the migration of ${folder} is not finished, and goes on at the next start: ${words}`, { cause });
}

function withCopy(migration: FileMigration, database: LockedDatabase | undefined): Backup {
  return database === undefined ? migration : { ...migration, copyTo: (target) => database.copyTo(target) };
}

/** Older entries of the audit, which the file of an older format may count on. */
function besides({ file, backup }: FileMigration): readonly Backup[] {
  const beside = auditFileOf(file);
  if (beside === file || !existsSync(beside)) return [];
  return [{ file: beside, backup: join(dirname(backup), basename(beside)), bytes: sizeOf(beside) }];
}

/** A line for each place of backups: a folder may have a file for each of many workspaces. */
function tell(files: readonly FileMigration[], log: Log): void {
  const places = Map.groupBy(files, ({ file, backup }) =>
    sqliteStoreOf(file) === undefined ? dirname(backup) : backup,
  );
  for (const [backup, [first, ...others]] of places) {
    if (first === undefined) continue;
    const { from, to, changes } = first;
    log.warn(
      { backup, files: 1 + others.length, from, to, changes },
      'migrating to a newer format; its backup is kept',
    );
  }
}

import { basename } from 'node:path';
import { PROFILES_MIGRATIONS, PROFILES_VERSION } from '../profiles/sqlite/schema.ts';
import { SCHEMA_MIGRATIONS, SCHEMA_VERSION } from './deliveries/schema.ts';
import type { SqlMigration } from './formats.ts';
import { DELIVERIES_FILE, PROFILES_FILE } from './private-files.ts';

/** A file of SQLite in a data folder. */
export interface SqliteStore {
  readonly file: string;
  /** As operators know it. */
  readonly what: string;
  readonly version: number;
  readonly migrations: readonly SqlMigration[];
}

/** The first has the lock of the folder. */
export const SQLITE_STORES: readonly SqliteStore[] = [
  { file: DELIVERIES_FILE, what: 'delivery store', version: SCHEMA_VERSION, migrations: SCHEMA_MIGRATIONS },
  { file: PROFILES_FILE, what: 'profile store', version: PROFILES_VERSION, migrations: PROFILES_MIGRATIONS },
];

export function sqliteStoreOf(path: string): SqliteStore | undefined {
  return SQLITE_STORES.find(({ file }) => file === basename(path));
}

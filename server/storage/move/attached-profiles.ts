import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../file/deliveries/database.ts';
import { PROFILES_FILE } from '../file/private-files.ts';
import { prepareProfiles } from '../profiles/sqlite/schema.ts';

/** Beside deliveries, so that one transaction has both: no table of one has a name of the other. */
export function attachProfiles(database: DatabaseSync, file: string): void {
  database.prepare('ATTACH ? AS profiles').run(file);
}

/** Those of a folder that is only read; where a router never made any, there are none in them. */
export function attachReadProfiles(database: DatabaseSync, folder: string, closing: DisposableStack): void {
  const file = join(folder, PROFILES_FILE);
  if (existsSync(file)) return attachProfiles(database, file);
  const place = mkdtempSync(join(tmpdir(), 'waybill-move-'));
  closing.defer(() => rmSync(place, { recursive: true, force: true }));
  attachProfiles(database, makeProfiles(place));
}

/** Makes them in a folder, unless they are there. Transactions with another file are atomic only without a log. */
export function makeProfiles(folder: string): string {
  const file = join(folder, PROFILES_FILE);
  using database = openDatabase(file, prepareProfiles);
  database.exec('PRAGMA journal_mode = DELETE');
  return file;
}

/** A router that has no audiences has no such file. */
export function hasProfiles(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM profiles.spaces LIMIT 1').get() !== undefined;
}

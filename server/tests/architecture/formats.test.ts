import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { prepare } from '../../storage/file/deliveries/schema.ts';
import { prepareProfiles } from '../../storage/profiles/sqlite/schema.ts';
import { migrateFolder } from '../../storage/file/migrate.ts';
import { newFolder } from '../support/delivery-world.ts';
import { currentFormats, describeModel, describeSchema, formatFault } from '../support/format-descriptions.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { fileOfFormat2, toProfilesFormat1 } from '../support/older-formats.ts';

test('NODE-7: what is stored is what was recorded of the current formats', () => {
  for (const format of currentFormats()) expect(formatFault(format)).toBeUndefined();
});

test('NODE-7: a column without a migration is found, and what to do is said', () => {
  using database = new DatabaseSync(':memory:');
  prepare(database);
  database.exec('ALTER TABLE messages ADD COLUMN color TEXT');
  const [deliveries] = currentFormats();
  const fault = deliveries && formatFault({ ...deliveries, description: describeSchema(database) });
  expect(fault).toContain('+ messages.color TEXT');
  expect(fault).toContain('Add a migration and count up (SCHEMA_MIGRATIONS and SCHEMA_VERSION');
});

test('NODE-7: a field of a resource without a migration is found', () => {
  const before = 'export interface Source {\n  /** Its name. */\n  readonly name: string;\n}\n';
  const after = before.replace('readonly name', 'readonly color?: string;\n  readonly name');
  expect(describeModel(before)).toEqual([expect.stringContaining('readonly name: string;')]);
  const [, config] = currentFormats();
  expect(config?.description.join(' ')).toContain('readonly write_keys: string[];');
  const fault = config && formatFault({ ...config, description: [...config.description, ...describeModel(after)] });
  expect(fault).toMatch(/^\+ export interface Source \{ readonly color\?: string;/m);
  expect(fault).toContain('SHARD_MIGRATIONS and FORMAT');
});

test('NODE-7: a number that was counted up has to be recorded', () => {
  const [deliveries] = currentFormats();
  const fault = deliveries && formatFault({ ...deliveries, number: 99, file: '/nowhere/deliveries-99.json' });
  expect(fault).toContain('format 99 has no description: record it with');
});

test('NODE-7: a migrated file is of the same shape as a new one', async () => {
  const folder = newFolder();
  const file = fileOfFormat2(folder);
  await migrateFolder(folder, new RecordingLog());
  using database = new DatabaseSync(file, { readOnly: true });
  expect(describeSchema(database)).toEqual(currentFormats()[0]?.description);
});

test('NODE-7: a migrated profile store is of the same shape as a new one', async () => {
  const folder = newFolder();
  const file = join(folder, 'profiles.sqlite');
  const database = new DatabaseSync(file);
  prepareProfiles(database);
  database.close();
  toProfilesFormat1(file);
  await migrateFolder(folder, new RecordingLog());
  using migrated = new DatabaseSync(file, { readOnly: true });
  expect(describeSchema(migrated)).toEqual(currentFormats()[2]?.description);
});

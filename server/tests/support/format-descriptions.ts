import { existsSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { prepare, SCHEMA_VERSION } from '../../storage/file/deliveries/schema.ts';
import { PROFILES_VERSION, prepareProfiles } from '../../storage/profiles/sqlite/schema.ts';
import { FORMAT } from '../../storage/file/resources/migrations.ts';

/** What a format has, a line each. */
export type Description = readonly string[];

interface DescribedFormat {
  readonly number: number;
  /** Where its description is, once it was recorded. */
  readonly file: string;
  /** Where a change adds a migration, and counts up. */
  readonly place: string;
  readonly description: Description;
}

/** The formats that today's code writes. */
export function currentFormats(): readonly DescribedFormat[] {
  using database = new DatabaseSync(':memory:');
  prepare(database);
  using profiles = new DatabaseSync(':memory:');
  prepareProfiles(profiles);
  return [
    {
      number: SCHEMA_VERSION,
      file: fileOf('deliveries', SCHEMA_VERSION),
      place: 'SCHEMA_MIGRATIONS and SCHEMA_VERSION in server/storage/file/deliveries/schema.ts',
      description: describeSchema(database),
    },
    {
      number: FORMAT,
      file: fileOf('config', FORMAT),
      place: 'SHARD_MIGRATIONS and FORMAT in server/storage/file/resources/migrations.ts',
      description: ['definition', 'resources'].flatMap(modelFile).toSorted(),
    },
    {
      number: PROFILES_VERSION,
      file: fileOf('profiles', PROFILES_VERSION),
      place: 'PROFILES_MIGRATIONS and PROFILES_VERSION in server/storage/profiles/sqlite/schema.ts',
      description: describeSchema(profiles),
    },
  ];
}

function modelFile(name: string): Description {
  return describeModel(readFileSync(new URL(`../../model/${name}.ts`, import.meta.url), 'utf8'));
}

function fileOf(store: string, number: number): string {
  return fileURLToPath(new URL(`../formats/${store}-${number}.json`, import.meta.url));
}

/** Tables with their columns, and indexes; in an order that does not tell a migrated file from a new one. */
export function describeSchema(database: DatabaseSync): Description {
  const objects = database.prepare("SELECT name, type, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").all();
  return objects
    .flatMap(({ name, type, sql }) => (type === 'table' ? columnsOf(database, String(name)) : [String(sql)]))
    .toSorted();
}

function columnsOf(database: DatabaseSync, table: string): string[] {
  const columns = database.prepare(`PRAGMA table_info(${table})`).all();
  return columns.map(({ name, type, notnull, pk }) => {
    const parts = [
      `${table}.${String(name)}`,
      type,
      notnull === 1 ? 'NOT NULL' : '',
      pk === 0 ? '' : `key ${String(pk)}`,
    ];
    return parts.filter((part) => part !== '').join(' ');
  });
}

/** The types of the stored resources, each in a line: the JSON of a row is that of its resource. */
export function describeModel(code: string): Description {
  const declarations = code.replaceAll(/\/\*\*[^]*?\*\//g, '').split(/\n\n+/);
  return declarations
    .map((declaration) => declaration.replaceAll(/\s+/g, ' ').trim())
    .filter((declaration) => /^export (interface|type|const) /.test(declaration))
    .toSorted();
}

/** What is wrong with a description, and what to do; undefined when it is the recorded one. */
export function formatFault(format: DescribedFormat): string | undefined {
  const { number, file, place, description } = format;
  const record = 'npx node scripts/upgrade/record-formats.ts';
  if (!existsSync(file)) return `format ${number} has no description: record it with ${record}`;
  const recorded: Description = JSON.parse(readFileSync(file, 'utf8'));
  const changes = [
    ...recorded.filter((line) => !description.includes(line)).map((line) => `- ${line}`),
    ...description.filter((line) => !recorded.includes(line)).map((line) => `+ ${line}`),
  ];
  if (changes.length === 0) return undefined;
  return [
    `what is stored is not format ${number} any more:`,
    ...changes,
    `Add a migration and count up (${place}), then record the new format with ${record}.`,
  ].join('\n');
}

import { StorageUnusable } from '../../errors.ts';
import type { Database, Queries, Transactions } from '../connection/database.ts';
import { driver } from '../connection/driver.ts';
import { DatabaseUnfit, LockNotGiven } from '../connection/failures.ts';
import { reads, script, writes } from '../connection/statement.ts';
import { isThere } from '../deliveries/new-rows.ts';
import { MIGRATIONS, type PostgresMigration } from './migrations.ts';

/** What a schema has. */
export interface DatabaseFormat {
  /** 0: no tables. */
  readonly version: number;
  /** The oldest format whose routers can work with it. */
  readonly oldest: number;
}

const NO_FORMAT: DatabaseFormat = { version: 0, oldest: 0 };
/** Steps wait so long for those who use a table. Who comes meanwhile waits behind them, and routers give up after four seconds … */
const LOCK_TIMEOUT = '1s';
/** … and are tried so often, with a rest for those who waited. */
const TRIES = 10;
const REST = reads('rest_of_steps', 'SELECT pg_sleep(2)');

/** Without the right to use the schema, its tables look as if they were not there. */
const FIND_FORMAT = reads(
  'find_format',
  `SELECT to_regclass('waybill_format') IS NOT NULL AS found,
    coalesce(has_schema_privilege(to_regnamespace($1)::oid, 'USAGE'), true) AS usable`,
);
const READ_FORMAT = reads('read_format', 'SELECT version, oldest FROM waybill_format');
const FIND_SCHEMA = reads('find_schema', 'SELECT to_regnamespace($1) IS NOT NULL AS found');
const LOCK = writes('lock_format', "SELECT pg_advisory_xact_lock(hashtextextended('waybill format ' || $1, 0))");
const HURRY = reads('hurry', `SELECT set_config('lock_timeout', '${LOCK_TIMEOUT}', true)`);
const MAKE_FORMAT = script(
  'CREATE TABLE waybill_format (version integer NOT NULL, oldest integer NOT NULL); INSERT INTO waybill_format VALUES (0, 0)',
);
/** Where there is a publication of all tables, no step could be written down without it. */
const IDENTIFY_FORMAT = script('ALTER TABLE waybill_format REPLICA IDENTITY FULL');
const WRITE_FORMAT = writes('write_format', 'UPDATE waybill_format SET version = $1, oldest = greatest(oldest, $2)');

export async function formatOf(database: Database, queries: Queries = database): Promise<DatabaseFormat> {
  const [table] = await queries.run<{ readonly found: boolean; readonly usable: boolean }>(FIND_FORMAT, [
    database.schema,
  ]);
  if (table?.usable === false)
    throw new StorageUnusable(`this role may not use ${placeOf(database)}: grant it USAGE on the schema`);
  if (table?.found !== true) return NO_FORMAT;
  const [format] = await queries.run<DatabaseFormat>(READ_FORMAT);
  return format ?? NO_FORMAT;
}

/** The steps that lead from a format to ours. Throws when it is so new that this version cannot work with it. */
export function stepsFrom(
  { version, oldest }: DatabaseFormat,
  place: string,
  migrations: readonly PostgresMigration[] = MIGRATIONS,
): readonly PostgresMigration[] {
  const current = migrations.length;
  if (oldest > current) {
    const found = `${place} has format ${version}, for versions of Waybill that know format ${oldest}`;
    throw new StorageUnusable(`${found}; this one knows format ${current}: start a newer version of Waybill`);
  }
  return migrations.filter((migration) => migration.version > version);
}

/**
 * Brings a schema to our format, and makes it where there is none; answers what was done. Each step is one transaction, after
 * one for each of its parts, and one process at a time does them. Its database waits as long as a step may take.
 */
export async function migrateDatabase(
  database: Database,
  migrations: readonly PostgresMigration[] = MIGRATIONS,
  tries = TRIES,
): Promise<readonly PostgresMigration[]> {
  const done: PostgresMigration[] = [];
  const alone = <T>(work: (queries: Queries) => Promise<T>): Promise<T> => aloneWithin(tries, database, work);
  for (;;) {
    const step = await nextStep(database, migrations, alone).catch((error: unknown) => refused(error, database));
    if (step === undefined) return done;
    done.push(step);
  }
}

async function nextStep(
  database: Database,
  migrations: readonly PostgresMigration[],
  alone: Transactions['transaction'],
): Promise<PostgresMigration | undefined> {
  let prepared: PostgresMigration | undefined;
  for (;;) {
    const step = await alone((queries) => take(database, queries, { migrations, prepared }));
    if (step === undefined || step.isTaken) return step?.migration;
    prepared = step.migration;
    for (const part of prepared.parts ?? []) await alone((queries) => queries.run(script(part)));
  }
}

/** No other process takes a step meanwhile. */
async function aloneWithin<T>(tries: number, database: Database, work: (queries: Queries) => Promise<T>): Promise<T> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await database.transaction(async (queries) => {
        await queries.run(LOCK, [database.schema]);
        await queries.run(HURRY);
        return work(queries);
      });
    } catch (error) {
      if (!(error instanceof LockNotGiven) || left === 0) throw error;
      await database.run(REST);
    }
  }
}

interface Wanted {
  readonly migrations: readonly PostgresMigration[];
  /** Its parts are done. */
  readonly prepared: PostgresMigration | undefined;
}

/** The step that comes next, taken where nothing has to be done before. */
async function take(
  database: Database,
  queries: Queries,
  { migrations, prepared }: Wanted,
): Promise<{ readonly migration: PostgresMigration; readonly isTaken: boolean } | undefined> {
  const format = await formatOf(database, queries);
  const [migration] = stepsFrom(format, placeOf(database), migrations);
  if (migration === undefined) return undefined;
  if (migration.parts !== undefined && migration !== prepared) return { migration, isTaken: false };
  if (format.version === 0) await makeSchema(database, queries);
  await queries.run(script(migration.sql));
  await queries.run(IDENTIFY_FORMAT);
  await queries.run(WRITE_FORMAT, [migration.version, migration.oldest]);
  return { migration, isTaken: true };
}

async function makeSchema({ schema }: Database, queries: Queries): Promise<void> {
  const [found] = await queries.run<{ readonly found: boolean }>(FIND_SCHEMA, [schema]);
  if (found?.found !== true) await queries.run(script(`CREATE SCHEMA ${driver().escapeIdentifier(schema)}`));
  await queries.run(MAKE_FORMAT);
}

export function placeOf({ shown, schema }: Pick<Database, 'shown' | 'schema'>): string {
  return `the schema ${schema} of ${shown}`;
}

/** SQLSTATE: insufficient privilege. */
const NOT_ALLOWED = '42501';

function refused(error: unknown, database: Database): never {
  const way = wayOut(error);
  if (way === undefined) throw error;
  throw new StorageUnusable(`${placeOf(database)} ${way}`, { cause: error });
}

/** What is in the way of a step, and what to do about it, where that is known. */
function wayOut(error: unknown): string | undefined {
  if (error instanceof DatabaseUnfit && error.code === NOT_ALLOWED)
    return `cannot be changed by this role (${error.message}): run "waybill migrate" as the role that owns the schema`;
  if (error instanceof LockNotGiven)
    return `is in use by a transaction that does not end (${error.message}): end it, or wait for it, and begin again; pg_stat_activity shows open transactions (xact_start), and what was done stays`;
  // What is to be unique is there twice.
  if (isThere(error))
    return `has something twice that is there once (${error.message}), as when the server sorted texts by another library than its indexes were made with: restore a backup of before that, or delete the rows that are wrong`;
  return undefined;
}

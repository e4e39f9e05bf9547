import { randomUUID } from 'node:crypto';
import { StorageUnusable } from '../errors.ts';
import type { Log } from '../../ports/log.ts';
import type { Database, Queries } from '../postgres/connection/database.ts';
import { reads, type Statement, writes } from '../postgres/connection/statement.ts';
import { firstIdOf } from '../postgres/deliveries/ids.ts';
import { isThere } from '../postgres/deliveries/new-rows.ts';
import { READ_MOVING } from '../postgres/half-moved.ts';
import { makeDays, today } from '../postgres/jobs/days.ts';
import { placeOf } from '../postgres/migrations/migrate.ts';
import { openMigrated } from '../postgres/open-migrated.ts';
import { columnsOf } from '../postgres/resources/postgres-config-store.ts';
import { headOf, LOCK_HEAD, WRITE_COMMIT } from '../postgres/resources/statements.ts';
import { SHUT_OUT_OLDER } from '../postgres/resources/resealing.ts';
import { type Keyring, NO_KEYS } from '../secrets/keyring.ts';
import { laterBy, refuseRouters, withDatabase } from './database-place.ts';
import type { MovedTable } from './moved-table.ts';
import type { MovedResources, MovedRow, MoveSource, MoveTarget, Progress, Using } from './moving.ts';
import { postgresRows } from './postgres-rows.ts';

const IS_FILLED = reads(
  'move_is_filled',
  `SELECT EXISTS (SELECT FROM resources) OR EXISTS (SELECT FROM names) OR EXISTS (SELECT FROM messages)
     OR EXISTS (SELECT FROM commits) AS filled`,
);
const BEGIN = writes('move_begin', "INSERT INTO moving (source, progress) VALUES ($1, '{}')");
/** Where another move has come further meanwhile, or to its end, there is no such row. As text: keys may have the character 0. */
const NOTE = writes(
  'move_note',
  'UPDATE moving SET progress = $1::json WHERE progress::text = $2 RETURNING 1 AS noted',
);
const FINISH = writes('move_finish', 'DELETE FROM moving');
const MAKE_DAY = writes('move_make_day', 'SELECT make_days($1, $1)');
/** Numbers of blocks that ids of the days from `$1` on have; their days come again, and so would they. */
const LAST_BLOCK = reads(
  'move_last_block',
  `SELECT max((id & ((1::bigint << 38) - 1)) >> 16) AS last FROM (
     SELECT id FROM queue UNION ALL SELECT id FROM log UNION ALL SELECT id FROM commits) one WHERE id >= $1`,
);
/** The role of a router may take the numbers of a sequence, and not set it. */
const ADVANCE = writes(
  'move_advance',
  `SELECT count(nextval($1::regclass)) AS taken
   FROM generate_series(coalesce(pg_sequence_last_value($1::regclass), $2::bigint) + 1, $3::bigint)`,
);

/** Fills a database. Until everything is there, routers that start on it end. */
export function databaseTarget(url: string, log: Log, keyring: Keyring = NO_KEYS): Using<MoveTarget> {
  return async (work) => {
    await (await openMigrated(url, log)).close();
    return withDatabase(url, async (database) => work(await targetOf(database, keyring)));
  };
}

async function targetOf(database: Database, keyring: Keyring): Promise<MoveTarget> {
  const [shown, laterMs, days] = [placeOf(database), await laterBy(database), new Set<number>()];
  let noted = '';
  return {
    shown,
    async begin(source) {
      const progress = await database.transaction((queries) => begin(queries, source, shown));
      noted = JSON.stringify(progress);
      return progress;
    },
    async write(table, rows, progress) {
      for (const day of daysOf(table, rows)) {
        if (!days.has(day)) await database.run(MAKE_DAY, [day]);
        days.add(day);
      }
      const next = JSON.stringify(progress);
      const writing = database.transaction(async (queries) => {
        // First: whoever else moves waits for this row, and finds it changed.
        if ((await queries.run(NOTE, [next, noted])).length === 0) throw movedByAnother(shown);
        await postgresRows(queries, laterMs).write(table, rows);
      });
      await writing.catch((error: unknown) => refuseAlike(error, { shown, table, rows }));
      noted = next;
    },
    counts: () => postgresRows(database, laterMs).counts(),
    async finish(resources) {
      await makeDays(database);
      await passNumbers(database);
      await database.transaction((queries) => finish(queries, resources, { shown, keyring }));
    },
  };
}

function movedByAnother(shown: string): StorageUnusable {
  return new StorageUnusable(`another "waybill migrate-storage" moves into ${shown}: wait until it has ended`);
}

/** PostgreSQL has no character 0: texts that a data folder tells apart may be one for it, and no two users have one id. */
function refuseAlike(
  error: unknown,
  { shown, table, rows }: { readonly shown: string; readonly table: MovedTable; readonly rows: readonly MovedRow[] },
): never {
  const text = rows
    .flatMap((row) => Object.values(row))
    .find((value) => typeof value === 'string' && /[\0\uFFFD]/.test(value));
  if (!isThere(error) || text === undefined) throw error;
  const what = `two of ${table.name} differ only by the character 0, which is U+FFFD there (as in ${JSON.stringify(text)})`;
  throw new StorageUnusable(
    `${shown} cannot hold both: ${what}; delete the profile of one of them in the source, and begin anew`,
    { cause: error },
  );
}

async function begin(queries: Queries, source: MoveSource, shown: string): Promise<Progress> {
  await headOf(queries, LOCK_HEAD);
  await refuseRouters(queries, shown);
  const [found] = await queries.run<{ readonly source: string; readonly progress: Progress }>(READ_MOVING);
  if (found === undefined) {
    const [state] = await queries.run<{ readonly filled: boolean }>(IS_FILLED);
    if (state?.filled === true) throw new StorageUnusable(`${shown} is not empty: name another schema with ?schema=`);
    await queries.run(BEGIN, [source.identity]);
    return {};
  }
  if (found.source === source.identity) return found.progress;
  const what = `has a half-finished move of another storage, or ${source.shown} was used since`;
  throw new StorageUnusable(`${shown} ${what}: drop the schema, and begin anew`);
}

/** The ids of deliveries are also those by which their attempts are stored. */
function daysOf({ name }: MovedTable, rows: readonly MovedRow[]): ReadonlySet<number> {
  return new Set(name === 'deliveries' ? rows.flatMap(({ id, message }) => [dayIn(id), dayIn(message)]) : []);
}

const DAY = firstIdOf(1);

function dayIn(id: unknown): number {
  return Math.floor(Number(id) / DAY);
}

/** What the database numbers itself goes on behind what was moved. */
async function passNumbers(database: Database): Promise<void> {
  const yesterday = firstIdOf((await today(database)) - 1);
  await pass(database, 'ids', -1, (await database.run<Last>(LAST_BLOCK, [yesterday]))[0]);
  await pass(database, 'names_id_seq', 0, (await database.run<Last>(lastOf('names', 'max(id)')))[0]);
  await pass(database, 'replay_jobs_id_seq', 0, (await database.run<Last>(lastOf('replay_jobs', 'max(id)')))[0]);
  for (const table of ['spaces', 'measures', 'users', 'trait_names', 'computations'])
    await pass(database, `${table}_id_seq`, 0, (await database.run<Last>(lastOf(table, 'max(id)')))[0]);
  await pass(database, 'anonymous_ids', 0, (await database.run<Last>(lastOf('anonymous', '-min(id)')))[0]);
}

function lastOf(table: string, last: string): Statement {
  return reads(`move_last_of_${table}`, `SELECT ${last} AS last FROM ${table}`);
}

interface Last {
  readonly last: number | null;
}

async function pass(database: Database, sequence: string, before: number, found: Last | undefined): Promise<void> {
  if (found !== undefined && found.last !== null) await database.run(ADVANCE, [sequence, before, found.last]);
}

/** One commit for each workspace, the root first, as if they had been made one after another. */
async function finish(
  queries: Queries,
  { commits, sequence }: MovedResources,
  { shown, keyring }: { readonly shown: string; readonly keyring: Keyring },
): Promise<void> {
  const head = await headOf(queries, LOCK_HEAD);
  await refuseRouters(queries, shown);
  if (head.version > 0)
    throw new StorageUnusable(`a router began to use ${shown} during the move: drop the schema, and begin anew`);
  if (keyring.current !== undefined) await queries.run(SHUT_OUT_OLDER);
  for (const [index, { workspace, changes }] of commits.entries()) {
    const commit = { workspace, version: index + 1, changes };
    await queries.run(WRITE_COMMIT, columnsOf(commit, { key: randomUUID(), sequence, keyring }));
  }
  await queries.run(FINISH);
}

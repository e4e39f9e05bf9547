import { StorageUnusable } from '../errors.ts';
import type { Database, Queries } from '../postgres/connection/database.ts';
import { reads, script } from '../postgres/connection/statement.ts';
import { placeOf } from '../postgres/migrations/migrate.ts';
import { planMigration } from '../postgres/open-migrated.ts';
import { refuseHalfMoved } from '../postgres/half-moved.ts';
import { load } from '../postgres/resources/load.ts';
import { Replica } from '../resources/replica.ts';
import { type Keyring, NO_KEYS } from '../secrets/keyring.ts';
import { laterBy, refuseRouters, withDatabase } from './database-place.ts';
import type { MovedResources, MoveSource, Using } from './moving.ts';
import { postgresRows } from './postgres-rows.ts';

/** Everything is read as it stood at one moment, and nothing can be changed by what reads. */
const READ_ONLY = script(
  'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0',
);
const LIVES = reads('move_lives', 'SELECT coalesce(sum(epoch), 0)::bigint AS lives FROM nodes');
/** Which moment of these lives it is: a database that was restored from another dump may have the same. */
const STATE = reads(
  'move_state',
  `SELECT concat_ws('-', (SELECT count FROM erasures), greatest((SELECT max(id) FROM queue), (SELECT max(id) FROM tries),
     (SELECT max(id) FROM log)), (SELECT sum(count) FROM counts)) AS state`,
);

/** Reads a database that no router uses. */
export function databaseSource(url: string, keyring: Keyring = NO_KEYS): Using<MoveSource> {
  return async (work) => {
    if ((await planMigration(url)).length > 0)
      throw new StorageUnusable('the source has not the format of this version: run "waybill migrate" first');
    return withDatabase(url, (database) =>
      database.transaction((queries) => using({ database, queries, keyring }, work)),
    );
  };
}

interface Opened {
  readonly database: Database;
  readonly queries: Queries;
  readonly keyring: Keyring;
}

async function using<T>({ database, queries, keyring }: Opened, work: (source: MoveSource) => Promise<T>): Promise<T> {
  await queries.run(READ_ONLY);
  const shown = placeOf(database);
  await refuseHalfMoved(queries, shown);
  await refuseRouters(queries, shown);
  const [lives, rows] = [await livesOf(queries), postgresRows(queries, await laterBy(queries))];
  const [moment] = await queries.run<{ readonly state: string }>(STATE);
  return work({
    shown,
    identity: `${shown}, lives ${lives}, state ${moment?.state}`,
    read: (table, after, limit) => rows.read(table, after, limit),
    counts: () => rows.counts(),
    resources: async () => {
      // What was read before is only worth something where nobody has changed anything meanwhile.
      if ((await livesOf(database)) !== lives) throw usedMeanwhile(shown);
      return resourcesOf(queries, keyring);
    },
  });
}

async function livesOf(queries: Queries): Promise<number> {
  return (await queries.run<{ readonly lives: number }>(LIVES))[0]?.lives ?? 0;
}

async function resourcesOf(queries: Queries, keyring: Keyring): Promise<MovedResources> {
  const { head, commits } = await load(queries, new Replica(), keyring);
  return { commits, sequence: head.sequence };
}

function usedMeanwhile(shown: string): StorageUnusable {
  return new StorageUnusable(
    `a router began to use ${shown} during the move: stop it, empty the target, and begin anew`,
  );
}

import { Semaphore } from '../../../fairness/semaphore.ts';
import { Shares } from '../../../fairness/shares.ts';
import type { Database, Queries } from '../connection/database.ts';
import { reads, writes } from '../connection/statement.ts';

const ALL = "hashtextextended('waybill profiles ' || current_schema(), 0)";
const OF_WORKSPACE = "hashtextextended('waybill profiles ' || current_schema() || ' ' || workspace, 0)";

/** Routers of versions before this one lock all profiles: they and we wait for each other. */
const SHARE = writes('share_profiles', `SELECT pg_advisory_xact_lock_shared(${ALL})`);
const LOCK = writes(
  'lock_profiles',
  `SELECT pg_advisory_xact_lock(${OF_WORKSPACE}) FROM (SELECT $1::text AS workspace) one`,
);
const TRY = writes(
  'try_profiles',
  `SELECT workspace FROM unnest($1::text[]) workspace WHERE pg_try_advisory_xact_lock(${OF_WORKSPACE})`,
);
const NOW = reads('locked_at', 'SELECT extract(epoch FROM clock_timestamp())::double precision AS seconds');

/** The server keeps the locks of everybody in some thousand places, of which one transaction takes no more than these. */
export const WORKSPACES_AT_ONCE = 50;

/**
 * One transaction at a time changes the profiles of a workspace, over all routers: who erases users waits for a fold, and it for whoever
 * erases. Until the transaction ends. Answers when it was there, in seconds by the clock of the server.
 */
export async function lockProfiles(queries: Queries, workspace: string): Promise<number> {
  await queries.run(SHARE);
  await queries.run(LOCK, [workspace]);
  const [now] = await queries.run<{ readonly seconds: number }>(NOW);
  return now?.seconds ?? 0;
}

/** Those of the workspaces whose profiles nobody changes now; nobody else does until the transaction ends. */
export async function tryProfiles(queries: Queries, workspaces: readonly string[]): Promise<ReadonlySet<string>> {
  await queries.run(SHARE);
  const free = await queries.run<{ readonly workspace: string }>(TRY, [workspaces]);
  return new Set(free.map(({ workspace }) => workspace));
}

/**
 * Those of the workspaces whose profiles nobody changes now; else the first of them, once it is there. Whoever holds one waits for no
 * other, so that no two wait for each other.
 */
export async function lockSomeProfiles(queries: Queries, workspaces: readonly string[]): Promise<ReadonlySet<string>> {
  const free = await tryProfiles(queries, workspaces);
  const [first] = workspaces;
  if (free.size > 0 || first === undefined) return free;
  await queries.run(LOCK, [first]);
  return new Set([first]);
}

/** The part of the connections that may wait for locks at once: what is delivered meanwhile has the others. */
const MOST_AT_ONCE = 3;
const OF_POOL = 1 / 4;

/**
 * Transactions of this router under these locks: one of each workspace, as whoever waits for it here has no connection meanwhile, and a few
 * in all, for which workspaces have turns.
 */
export function transactionsInTurn(database: Database): (workspace?: string) => Database {
  const ofEach = new Shares(1);
  const places = new Semaphore(Math.min(MOST_AT_ONCE, Math.ceil(database.pool * OF_POOL)));
  return (workspace) => ({
    ...database,
    transaction(work) {
      const placed = () => places.run(() => database.transaction(work), workspace);
      return workspace === undefined ? placed() : ofEach.run(placed, workspace, 1);
    },
  });
}

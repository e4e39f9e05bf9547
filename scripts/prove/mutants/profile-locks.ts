import type { Mutant } from '../mutant.ts';

const LOCKS = 'server/storage/postgres/profiles/locks.ts';
const TIDY = 'server/storage/postgres/profiles/tidy.ts';
const ERASE = 'server/storage/postgres/profiles/erase.ts';
const TILES = 'server/storage/postgres/profiles/tiles.ts';

/** Faults by which, on PostgreSQL, one would keep the profiles of others waiting, or for long, or two change the same ones (SAFE-2, AUD-9). */
export const PROFILE_LOCKS: readonly Mutant[] = [
  {
    rule: 'SAFE-2',
    file: LOCKS,
    find: "current_schema() || ' ' || workspace, 0)",
    replace: "current_schema() || ' ', 0)",
    breaks: 'on PostgreSQL, the audiences of all workspaces wait for a deletion of users of one',
  },
  {
    rule: 'SAFE-2',
    file: LOCKS,
    find: 'free.size > 0 || first === undefined',
    replace: 'free.size >= 0 || first === undefined',
    breaks: 'on PostgreSQL, upkeep asks for the profiles of a busy workspace again and again',
  },
  {
    rule: 'SAFE-2',
    file: LOCKS,
    find: 'pg_advisory_xact_lock_shared(${ALL})',
    replace: 'pg_advisory_xact_lock_shared(1)',
    breaks: 'on PostgreSQL, a router of the version before changes the profiles that this one changes',
  },
  {
    rule: 'SAFE-2',
    file: LOCKS,
    find: 'workspace === undefined ? placed() :',
    replace: 'workspace !== undefined ? placed() :',
    breaks: 'on PostgreSQL, whoever waits for the profiles of one workspace keeps those of others from their turn',
  },
  {
    rule: 'SAFE-2',
    file: LOCKS,
    find: 'new Semaphore(Math.min(MOST_AT_ONCE, Math.ceil(database.pool * OF_POOL)))',
    replace: 'new Semaphore(1_000)',
    breaks: 'on PostgreSQL, deletions of profiles wait for locks with all connections, which nobody else has then',
  },
  {
    rule: 'SAFE-2',
    file: 'server/storage/postgres/profiles/fold.ts',
    find: 'workspaces.slice(0, WORKSPACES_AT_ONCE)',
    replace: 'workspaces',
    breaks: 'on PostgreSQL, upkeep of many workspaces takes more locks than the server has room for',
  },
  {
    rule: 'SAFE-2',
    file: 'server/storage/postgres/profiles/fold.ts',
    find: 'lot < waiting.length || isCut',
    replace: 'isCut',
    breaks: 'on PostgreSQL, what upkeep left, as somebody had it, waits for a minute',
  },
  {
    rule: 'SAFE-2',
    file: TIDY,
    find: 'await lockProfiles(queries, workspace);',
    replace: '',
    breaks: 'on PostgreSQL, what is tidied of a workspace is removed beneath a fold',
  },
  {
    rule: 'SAFE-2',
    file: TIDY,
    find: '(await tryProfiles(queries, [one.workspace])).size > 0',
    replace: '(await tryProfiles(queries, [one.workspace])).size >= 0',
    breaks: 'on PostgreSQL, what is tidied of a busy workspace is removed beneath whoever has it',
  },
  {
    rule: 'SAFE-2',
    file: TIDY,
    find: 'FOR UPDATE SKIP LOCKED',
    replace: 'FOR UPDATE',
    breaks: 'on PostgreSQL, the folds of a workspace wait for the run of an audience that was deleted',
  },
  {
    rule: 'SAFE-2',
    file: TIDY,
    find: '({ space }) => space > last',
    replace: '({ space }) => space > last.slice(0, 0)',
    breaks: 'on PostgreSQL, of two workspaces that are always busy one is never tidied',
  },
  {
    rule: 'SAFE-2',
    file: TIDY,
    find: 'failure ??= error;',
    replace: 'throw error;',
    breaks: 'on PostgreSQL, workspaces behind one that cannot be tidied are never tidied',
  },
  {
    rule: 'SAFE-2',
    file: TIDY,
    find: 'if (failure !== undefined) throw failure;',
    replace: '',
    breaks: 'on PostgreSQL, nobody hears that a workspace cannot be tidied',
  },
  {
    rule: 'SAFE-2',
    file: TIDY,
    find: 'after <= 0 || busy.length > 1',
    replace: 'after <= 0',
    breaks: 'on PostgreSQL, workspaces that were busy wait for a minute to be tidied',
  },
  {
    rule: 'AUD-9',
    file: ERASE,
    find: 'const IDS_AT_ONCE = 1_000;',
    replace: 'const IDS_AT_ONCE = 1_000_000;',
    breaks: 'on PostgreSQL, each step of a deletion looks up all of its users, however few it removes',
  },
  {
    rule: 'AUD-9',
    file: ERASE,
    find: 'if (hasRemoved && (await',
    replace: 'if ((await',
    breaks: 'on PostgreSQL, a deletion of very many users that are gone goes on for ever',
  },
  {
    rule: 'AUD-9',
    file: ERASE,
    find: '(isShared ? [] : [id])',
    replace: '[isShared ? id : id]',
    breaks: 'on PostgreSQL, a deletion removes what others did on a device that they share',
  },
  {
    rule: 'AUD-9',
    file: ERASE,
    find: 'if (shared.length > 0)',
    replace: 'if (shared.length < 0)',
    breaks: 'on PostgreSQL, what a deleted user did on a shared device counts for others',
  },
  {
    rule: 'AUD-9',
    file: ERASE,
    find: 'o.owner <> ALL($1::bigint[])',
    replace: 'o.owner = ANY($1::bigint[])',
    breaks: 'on PostgreSQL, a deletion asks of each count of a device whose it is, which it knows',
  },
  {
    rule: 'AUD-9',
    file: ERASE,
    find: '(SELECT true FROM ${table} WHERE measure = m.id LIMIT 1)',
    replace: 'true',
    breaks: 'on PostgreSQL, a deletion looks for counts of each kind in all measures',
  },
  {
    rule: 'AUD-9',
    file: TILES,
    find: 'until - since < ${SPAN_DAYS}',
    replace: 'until - since < -${SPAN_DAYS}',
    breaks: 'on PostgreSQL, a deletion looks several times at each day in which others have counts',
  },
  {
    rule: 'AUD-9',
    file: TILES,
    find: 'const SPAN_DAYS = 400;',
    replace: 'const SPAN_DAYS = 4_000_000;',
    breaks: 'on PostgreSQL, an event of the year 1 has a deletion look at each day since',
  },
];

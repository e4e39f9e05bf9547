import type { Mutant } from '../mutant.ts';

const LOCKS = 'server/storage/postgres/profiles/locks.ts';

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
    find: 'free.length > 0 || first === undefined',
    replace: 'free.length >= 0 || first === undefined',
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
    file: 'server/storage/postgres/profiles/tidy.ts',
    find: 'await lockProfiles(queries, workspace);',
    replace: '',
    breaks: 'on PostgreSQL, what is tidied of a workspace is removed beneath a fold',
  },
  {
    rule: 'AUD-9',
    file: 'server/storage/postgres/profiles/erase.ts',
    find: 'const IDS_AT_ONCE = 1_000;',
    replace: 'const IDS_AT_ONCE = 1_000_000;',
    breaks: 'on PostgreSQL, each step of a deletion looks up all of its users, however few it removes',
  },
  {
    rule: 'AUD-9',
    file: 'server/storage/postgres/profiles/erase.ts',
    find: 'if (hasRemoved && (await',
    replace: 'if ((await',
    breaks: 'on PostgreSQL, a deletion of very many users that are gone goes on for ever',
  },
];

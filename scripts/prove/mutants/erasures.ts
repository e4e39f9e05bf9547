import type { Mutant } from '../mutant.ts';

/** Of the deletion of users. */
export const ERASURES: readonly Mutant[] = [
  {
    rule: 'AUD-9',
    file: 'server/directory/directory.ts',
    find: 'if (this.erasures.users.has(message)) return false;',
    replace: '',
    breaks: 'what a router holds in memory of a user is sent after the user was deleted',
  },
  {
    rule: 'AUD-9',
    file: 'server/directory/erased-users.ts',
    find: 'receivedAt <= (last.get(id)?.begunAt ?? -Infinity)',
    replace: 'receivedAt < (last.has(id) ? Infinity : 0)',
    breaks: 'what comes of a user who was deleted before is not sent for some minutes',
  },
  {
    rule: 'AUD-9',
    file: 'server/directory/erased-users.ts',
    find: 'for (const id of erasedIds(regulation)) {',
    replace: 'for (const id of regulation.user_ids) {',
    breaks: 'what a router holds in memory of a user under another id is sent after the user was deleted',
  },
  {
    rule: 'CFG-25',
    file: 'server/directory/erased-users.ts',
    find: 'const scope = scopeOf(regulation);',
    replace: 'const scope = regulation.parent;',
    breaks: 'a deletion in one source keeps what others have sent from its destinations',
  },
  {
    rule: 'SAFE-2',
    file: 'server/directory/erased-users.ts',
    find: 'this.#idsOver <= KEPT_IDS && endedAt',
    replace: 'endedAt',
    breaks: 'whoever deletes many users fills the memory of a router with their ids',
  },
  {
    rule: 'AUD-9',
    file: 'server/storage/postgres/profiles/compute.ts',
    find: 'if (counts.entered > 0)',
    replace: 'if (counts.entered < 0)',
    breaks: 'on PostgreSQL, a user who is deleted while an audience is computed stays a member',
  },
  {
    rule: 'AUD-9',
    file: 'server/storage/postgres/profiles/erased-meanwhile.ts',
    find: 'await database.transaction((queries) => lockProfiles(queries, workspace));',
    replace: 'lockProfiles.bind(undefined, database, workspace);',
    breaks: 'on PostgreSQL, a user whose deletion is under way as an audience is computed stays a member',
  },
  {
    rule: 'AUD-9',
    file: 'server/storage/postgres/profiles/erased-meanwhile.ts',
    find: 'u.id <= $4',
    replace: '$4 >= 0',
    breaks: 'on PostgreSQL, a user who comes back while an audience is computed is a member by what was deleted',
  },
  {
    rule: 'AUD-9',
    file: 'server/storage/postgres/profiles/erase.ts',
    find: 'await haveAcceptsEnded(database);',
    replace: 'haveAcceptsEnded.length > 0;',
    breaks: 'on PostgreSQL, an event that is being accepted while its user is deleted brings the profile back',
  },
  {
    rule: 'AUD-9',
    file: 'server/storage/postgres/profiles/erase.ts',
    find: 'erased.isMore || !isAllCaught',
    replace: 'erased.isMore',
    breaks: 'on PostgreSQL, an event whose accept is held up while its user is deleted brings the profile back',
  },
  {
    rule: 'AUD-9',
    file: 'server/storage/postgres/jobs/wait-for-accepts.ts',
    find: 'looks < MOST_LOOKS;',
    replace: 'looks > 0;',
    breaks: 'on PostgreSQL, an accept that is held up keeps all deletions of users from going on',
  },
  {
    rule: 'SAFE-2',
    file: 'server/jobs/regulations.ts',
    find: 'Math.max(1, Math.floor(room / destinations))',
    replace: 'room',
    breaks: 'a deletion of many users is told to all destinations of a source in one accept, for which others wait',
  },
];

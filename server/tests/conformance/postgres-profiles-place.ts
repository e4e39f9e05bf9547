import { reads, writes } from '../../storage/postgres/connection/statement.ts';
import { postgresProfiles } from '../../storage/postgres/profiles/profiles.ts';
import type { PostgresPlace } from '../support/postgres-schema.ts';
import type { ProfilePlace } from './profile-place.ts';

/** Profiles of a schema, with the inbox of its accepts. The schema ends with them. */
export function postgresProfilesPlace({ database, superuser, ...place }: PostgresPlace): ProfilePlace {
  return {
    isShared: true,
    nul: 'replaced',
    profiles: postgresProfiles(database),
    catches: async (rows) => {
      const sources = rows.map(({ source }) => source);
      await superuser.run(ADD_SOURCES, [sources]);
      await superuser.run(CATCH, [sources, rows.map((row) => row.caught)]);
    },
    waiting: async () => (await superuser.run(COUNT_INBOX)).length,
    reopen: async () => postgresProfiles(database),
    restoreInbox: async () => undefined,
    end: async () => place[Symbol.asyncDispose](),
  };
}

const ADD_SOURCES = writes('', 'INSERT INTO names (name) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING');
const CATCH = writes(
  '',
  `INSERT INTO inbox (source, caught) SELECT (SELECT id FROM names WHERE name = one.source), one.caught
   FROM unnest($1::text[], $2::text[]) WITH ORDINALITY one (source, caught, n) ORDER BY n`,
);
const COUNT_INBOX = reads('', 'SELECT id FROM inbox');

import { reads, writes } from '../../storage/postgres/connection/statement.ts';
import { postgresProfiles } from '../../storage/postgres/profiles/profiles.ts';
import { postgresPlace } from '../support/postgres-place.ts';
import type { ProfilePlace } from './profile-place.ts';

/** A schema of its own, with the inbox of its accepts. */
export async function postgresProfilesPlace(): Promise<ProfilePlace> {
  const { database, superuser, ...place } = await postgresPlace();
  return {
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

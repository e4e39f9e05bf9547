import type { PostgresMigration } from './migrations.ts';

/** Routers of earlier versions still write it; it goes with a step that raises `oldest`. */
export const traits: PostgresMigration = {
  version: 7,
  oldest: 1,
  what: 'a trait no longer needs the id of the message that said it',
  sql: 'ALTER TABLE traits ALTER COLUMN message DROP NOT NULL',
};

import type { PostgresMigration } from './migrations.ts';

/**
 * The table is begun anew with a standby that is promoted, and its sequence was, too, as it was that of an unlogged table. A standby that
 * had not written the sequence's first page to disk by then begins it with zeros: it is no sequence any more, for ever, and no router
 * hears of another.
 *
 * It is made anew, as one that is broken cannot be read. What was left in the table would have numbers of before: routers that are told
 * too little read what waits within a minute.
 */
export const loggedNews: PostgresMigration = {
  version: 13,
  oldest: 1,
  what: 'routers hear of each other on a standby that is promoted soon after the tables were made',
  sql: `
TRUNCATE news;
ALTER TABLE news ALTER COLUMN id DROP IDENTITY;
ALTER TABLE news ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY;
ALTER SEQUENCE news_id_seq SET LOGGED;
`,
};

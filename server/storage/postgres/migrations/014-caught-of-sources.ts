import type { PostgresMigration } from './migrations.ts';

/** A run of audiences folds what its own workspace caught, which may stand behind millions of others. */
export const caughtOfSources: PostgresMigration = {
  version: 14,
  oldest: 1,
  what: 'what a workspace caught for its audiences is found among any number that others caught',
  parts: ['CREATE INDEX IF NOT EXISTS inbox_of_source ON inbox (source, id)'],
  sql: 'SELECT',
};

import type { PostgresMigration } from './migrations.ts';

/** How a router divides limits, as it has told in this life; null of versions that tell nothing. */
export const divisions: PostgresMigration = {
  version: 2,
  oldest: 1,
  what: 'how routers divide the limits of destinations',
  sql: 'ALTER TABLE nodes ADD COLUMN division jsonb;',
};

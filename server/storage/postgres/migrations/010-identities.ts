import type { PostgresMigration } from './migrations.ts';

/** For publications, which let nobody change a table whose rows have no identity; its primary key, where it has one. */
export const identities: PostgresMigration = {
  version: 10,
  oldest: 1,
  what: 'rows of all tables have an identity, so that a publication of all tables stops no change',
  sql: ['config_head', 'counted_values', 'loss_began', 'moving']
    .map((table) => `ALTER TABLE ${table} REPLICA IDENTITY FULL;`)
    .join('\n'),
};

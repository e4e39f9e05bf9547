import type { PostgresMigration } from './migrations.ts';

/** No table changes: who encrypts raises `oldest` (`resources/resealing.ts`), and who does not can go back. */
export const sealedSecrets: PostgresMigration = {
  version: 5,
  oldest: 1,
  what: 'secrets may be encrypted; once they are, routers of earlier versions cannot read them',
  sql: 'SELECT',
};

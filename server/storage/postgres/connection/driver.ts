/** The client of PostgreSQL: optional, and loaded where a storage is a database (decisions/035). */
import { createRequire } from 'node:module';
import type pg from 'pg';
import { StorageUnusable } from '../../errors.ts';

const load = createRequire(import.meta.url);

/** Throws StorageUnusable where it is not installed. Node keeps what was loaded once. */
export function driver(): typeof pg {
  try {
    const loaded: typeof pg = load('pg');
    return loaded;
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'MODULE_NOT_FOUND')) throw cause;
    throw new StorageUnusable(
      'the storage is a PostgreSQL database, and its client is not installed: run npm install pg beside waybill (npm install -g pg where waybill was installed with -g), or name a data folder (file:./data)',
      { cause },
    );
  }
}

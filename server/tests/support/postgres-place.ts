import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, inject } from 'vitest';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { type Database, openDatabase } from '../../storage/postgres/connection/database.ts';
import { script } from '../../storage/postgres/connection/statement.ts';
import { migrateDatabase } from '../../storage/postgres/migrations/migrate.ts';

/** `describe`, for tests that need a PostgreSQL server; skipped where none can be had. */
// oxlint-disable-next-line vitest/valid-describe-callback -- it is called where it is used
export const describeWithPostgres = describe.skipIf(inject('postgres') === '');

export interface PostgresPlace extends AsyncDisposable {
  /** Of its schema, as WAYBILL_STORAGE has it. */
  readonly url: string;
  /** Its tables are made. */
  readonly database: Database;
}

/** A schema of its own in the server of this run; it goes with its tables. */
export async function postgresPlace(): Promise<PostgresPlace> {
  const place = await emptyPlace();
  await migrateDatabase(place.database);
  return place;
}

/** The same without tables, or a schema. */
export async function emptyPlace(): Promise<PostgresPlace> {
  const schema = `t_${randomBytes(8).toString('hex')}`;
  const url = `${await serverUrl()}schema=${schema}&pool=5`;
  const database = openDatabase(readAddress(url));
  return {
    url,
    database,
    [Symbol.asyncDispose]: async () => {
      await database.run(script(`DROP SCHEMA IF EXISTS ${schema} CASCADE`));
      await database.close();
    },
  };
}

/** The URL of the server of this run, which ends where its parameters begin. */
export async function serverUrl(): Promise<string> {
  const answer = await text(connect(inject('postgres')));
  if (!answer.startsWith('postgres://')) throw new Error(answer);
  return answer;
}

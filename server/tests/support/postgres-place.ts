import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, inject } from 'vitest';
import { emptySchema, type PostgresPlace, schemaWithTables } from './postgres-schema.ts';

/** `describe`, for tests that need a PostgreSQL server; skipped where none can be had. */
// oxlint-disable-next-line vitest/valid-describe-callback -- it is called where it is used
export const describeWithPostgres: ReturnType<typeof describe.skipIf> = describe.skipIf(inject('postgres') === '');

export async function emptyPlace(): Promise<PostgresPlace> {
  return emptySchema(await serverUrl());
}

export async function postgresPlace(): Promise<PostgresPlace> {
  return schemaWithTables(await serverUrl());
}

/** The URL of the server of this run, which ends where its parameters begin. */
export async function serverUrl(): Promise<string> {
  const answer = await text(connect(inject('postgres')));
  if (!answer.startsWith('postgres://')) throw new Error(answer);
  return answer;
}

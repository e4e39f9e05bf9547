import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Database } from '../../server/storage/postgres/connection/database.ts';
import { script } from '../../server/storage/postgres/connection/statement.ts';
import type { PostgresServer } from '../../server/tests/support/postgres-server.ts';
import { numberedEvent } from './numbered-event.ts';

export interface CopyOptions {
  readonly events: number;
  readonly batch: number;
  readonly writers: number;
  /** Where the rows are written before they are copied. */
  readonly folder: string;
}

/** The rows that are left of a delivered event, in tables without an index. */
const TABLES = script(`
CREATE TABLE copied_messages (LIKE messages); CREATE TABLE copied_log (LIKE log); CREATE TABLE copied_attempts (LIKE attempts)`);

/** The physical limit: bare COPY of the same rows, a commit for each batch. Answers how to run it, once. */
export async function preparedCopy(
  server: PostgresServer,
  database: Database,
  { events, batch, writers, folder }: CopyOptions,
): Promise<() => Promise<void>> {
  await database.run(TABLES);
  const files = Array.from({ length: writers }, (_, writer) => {
    const file = join(folder, `copy-${writer}.sql`);
    const texts = [`SET search_path = ${database.schema};\n`];
    for (let from = writer * batch; from < events; from += batch * writers) texts.push(commitOf(from, batch));
    writeFileSync(file, texts.join(''));
    return file;
  });
  const to = ['-h', server.folder, '-p', String(server.port), '-U', server.user, '-d', 'postgres'];
  const psql = (file: string): Promise<unknown> =>
    promisify(execFile)(join(server.bin, 'psql'), ['-q', '-v', 'ON_ERROR_STOP=1', ...to, '-f', file]);
  return async () => void (await Promise.all(files.map(psql)));
}

function commitOf(from: number, batch: number): string {
  const numbers = Array.from({ length: batch }, (_, index) => from + index);
  const copy = (table: string, row: (number: number) => readonly (string | number)[]): string =>
    `COPY copied_${table} FROM STDIN;\n${numbers.map((number) => `${row(number).join('\t')}\n`).join('')}\\.\n`;
  const now = Date.now();
  return [
    'BEGIN;\n',
    copy('messages', (number) => [number, 1, now, JSON.stringify(numberedEvent(number)).replaceAll('\\', '\\\\'), 0]),
    copy('log', (number) => [
      `${number}\t${number}\t${number % 100}\tdelivered\t1\t0\t${now}\t${now}\t860\ttrack\tBench\tuser-1\t\\N`,
    ]),
    copy('attempts', (number) => [
      `${number}\t1\t0\t${now}\thttps://webhook.example.test/path/1\t12\tdelivered\t200\tok`,
      'success_ends_delivery\t\\N\t1\t0\t10\t1',
    ]),
    'COMMIT;\n',
  ].join('');
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAddress } from '../../server/storage/postgres/connection/address.ts';
import { openDatabase } from '../../server/storage/postgres/connection/database.ts';
import { reads } from '../../server/storage/postgres/connection/statement.ts';
import { migrateDatabase } from '../../server/storage/postgres/migrations/migrate.ts';
import { describeWithPostgres } from '../../server/tests/support/postgres-place.ts';
import { startPostgres } from '../../server/tests/support/postgres-server.ts';
import { preparedCopy } from './postgres-copy.ts';

const ROWS = reads(
  'test_copied_rows',
  `SELECT (SELECT count(*) FROM copied_messages) AS messages, (SELECT count(*) FROM copied_log) AS log,
     (SELECT count(*) FROM copied_attempts) AS attempts`,
);

describeWithPostgres('the rows that benches compare with', () => {
  test('fit the tables of today', async () => {
    await using opened = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), 'waybill-copy-'));
    opened.defer(() => rmSync(folder, { recursive: true }));
    const server = await startPostgres();
    opened.defer(() => server.stop());
    const database = openDatabase(readAddress(server.url()));
    opened.defer(() => database.close());
    await migrateDatabase(database);
    const copyAll = await preparedCopy(server, database, { events: 200, batch: 50, writers: 2, folder });
    await copyAll();
    expect(await database.run(ROWS)).toEqual([{ messages: 200, log: 200, attempts: 200 }]);
  });
});

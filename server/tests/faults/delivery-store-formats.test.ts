import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { SCHEMA_VERSION } from '../../storage/file/deliveries/schema.ts';
import { openSqliteStorage } from '../../storage/file/deliveries/sqlite-storage.ts';
import { migrateFolder } from '../../storage/file/migrate.ts';
import { unfinished } from '../conformance/delivery-store-events.ts';
import { newFolder } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { messageOf } from '../support/engine.ts';
import { batchOf } from '../support/memory-storage.ts';
import { fileOfFormat2 } from '../support/older-formats.ts';

const NOW = Date.UTC(2026, 0, 1);
const A = 'workspaces/main/sources/js/destinations/webhooks';

async function migratedFile(): Promise<string> {
  const path = fileOfFormat2(newFolder());
  await migrateFolder(dirname(path), new RecordingLog());
  return path;
}

test('HOOK-20: a file of an earlier format opens, and knows what was attempted', async () => {
  const path = await migratedFile();
  const migrated = await openSqliteStorage(path);
  await migrated.join({ now: NOW + 5 });
  await migrated.close();
  const store = await openSqliteStorage(path);
  expect(await store.join({ now: NOW + 5 })).toMatchObject({ epoch: 2, freed: 0 });
  expect(await unfinished(store)).toMatchObject([{ state: 'pending', count: 2 }, { count: 0 }]);
  const { claims } = await store.claim({ which: 'due', destination: A, now: NOW + 9_000, limit: 9 });
  expect(claims).toMatchObject([
    { round: 2, tries: 0, message: { event: { messageId: 'trying' } } },
    // One of its rounds with an attempt was before a replay.
    { round: 5, earlierRounds: 1, tries: 2, message: { event: { messageId: 'waits' } } },
  ]);
  await store.close();
});

const OF_ONE = 'DROP INDEX inbox_of_source; DROP INDEX replay_jobs_ended;';
const USED = `${OF_ONE} DROP TABLE used_ids;`;
const LINES = `${USED} DROP INDEX deliveries_lines; ALTER TABLE deliveries DROP COLUMN line;`;
const AUDIENCES = `${LINES} DROP TABLE inbox; DROP TABLE syncs; DROP TABLE told; DROP TABLE tellings; DROP TABLE erasures;`;

test.each([
  { format: 7, undo: OF_ONE, epoch: 2 },
  { format: 6, undo: USED, epoch: 2 },
  { format: 5, undo: LINES, epoch: 2 },
  { format: 4, undo: AUDIENCES, epoch: 2 },
  { format: 3, undo: `${AUDIENCES} DROP TABLE members;`, epoch: 1 },
])('a file of format $format opens with all that it has, and its lives go on', async ({ format, undo, epoch }) => {
  const path = join(newFolder(), 'deliveries.sqlite');
  const first = await openSqliteStorage(path);
  await first.join({ now: NOW });
  const routes = [{ destination: A, claimed: true }];
  await first.accept(batchOf([{ message: messageOf({ now: () => NOW }, { messageId: 'm1' }), routes }]));
  await first.close();
  const before = new DatabaseSync(path);
  before.exec(`${undo} PRAGMA user_version = ${format}`);
  before.close();
  await migrateFolder(dirname(path), new RecordingLog());
  const store = await openSqliteStorage(path);
  expect(await store.join({ now: NOW })).toEqual({ node: 'local', epoch, freed: 1 });
  const { claims } = await store.claim({ which: 'due', destination: A, now: NOW, limit: 9 });
  expect(claims).toMatchObject([{ round: 2, message: { event: { messageId: 'm1' } } }]);
  expect(await store.told({ computation: 'workspaces/main/audiences/a', destination: A, limit: 1 })).toEqual({
    erasures: 0,
    told: [],
  });
  const use = { owner: A, id: 'used', now: NOW, forMs: 1, limit: 1 };
  expect([await store.useOnce(use), await store.useOnce(use)]).toEqual(['first', 'again']);
  await store.close();
});

test('HOOK-21: what an earlier format had waiting is due under a clock from before its acceptance', async () => {
  const store = await openSqliteStorage(await migratedFile());
  await store.join({ now: NOW - 60_000 });
  const { claims } = await store.claim({ which: 'due', destination: A, now: NOW - 60_000, limit: 9 });
  expect(claims.map(({ message }) => message.receivedAt)).toEqual([NOW - 60_000, NOW - 60_000]);
  await store.close();
});

test.each([1, 2, 9999])('NODE-7: a delivery store of format %i is not opened as it is', async (format) => {
  const path = fileOfFormat2(newFolder());
  const set = (): void => {
    using database = new DatabaseSync(path);
    database.exec(`PRAGMA user_version = ${format}`);
  };
  set();
  const versions = `it has format ${format}, and this Waybill \\w+( \\w+)? format ${SCHEMA_VERSION}: `;
  await expect(openSqliteStorage(path)).rejects.toThrow(new RegExp(versions));
  using database = new DatabaseSync(path);
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: format });
});

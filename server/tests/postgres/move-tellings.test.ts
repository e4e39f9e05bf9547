import { expect, test } from 'vitest';
import { databaseSource } from '../../storage/move/database-source.ts';
import { databaseTarget } from '../../storage/move/database-target.ts';
import { folderSource } from '../../storage/move/folder-source.ts';
import { folderTarget } from '../../storage/move/folder-target.ts';
import { moveStorage } from '../../storage/move/move-storage.ts';
import { A } from '../conformance/delivery-store-events.ts';
import { AUDIENCE, telling } from '../conformance/telling-events.ts';
import { newFolder } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { batchOf } from '../support/memory-storage.ts';
import { count } from '../support/postgres-jobs.ts';
import { withStorage } from '../support/with-storage.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';

const log = new RecordingLog();
const USERS = ['a', 'Z', '\u{1F600}', '\uFFFD', 'é', '9'];

/** A sync that was told to some when the router died, and what was caught meanwhile. */
async function folderOfTellings(): Promise<string> {
  const folder = newFolder();
  await withStorage(`file:${folder}`, async ({ tellings, deliveries }) => {
    const now = Date.now();
    await tellings.startSync({ computation: AUDIENCE, now });
    const request = { computation: AUDIENCE, sync: 1, destination: A, erasures: 0, forgotten: [], silenced: [], now };
    const cursor = { destinations: [A], after: 'é' };
    await tellings.tell({ ...request, tellings: USERS.map((user) => telling(user)), cursor });
    await deliveries.accept(batchOf(USERS.map((user) => ({ ...telling(user), routes: [], caught: `"${user}"` }))));
  });
  return folder;
}

function toldIn(place: string): Promise<unknown> {
  return withStorage(place, async ({ tellings }) => {
    const { told } = await tellings.told({ computation: AUDIENCE, destination: A, limit: 100 });
    const { isMore, ...settled } = await tellings.settle({ computation: AUDIENCE, sync: 1, limit: 9 });
    return { told, settled, isMore, open: await tellings.openSyncs() };
  });
}

describeWithPostgres('moving what destinations were told', () => {
  test('AUD-8: a sync goes on in another storage, and tells nobody again', async () => {
    await using place = await postgresPlace();
    const [folder, back] = [await folderOfTellings(), newFolder()];
    const before = await toldIn(`file:${folder}`);
    expect(before).toMatchObject({
      told: { length: USERS.length },
      settled: { sync: { sent: USERS.length, delivered: 0 } },
    });
    const there = await folderSource(
      folder,
      log,
    )((source) => databaseTarget(place.url, log)((target) => moveStorage(source, target, 2)));
    expect(there.counts).toMatchObject({ inbox: 6, syncs: 1, told: 6, tellings: 6 });
    expect(await toldIn(place.url)).toEqual(before);
    expect(await count(place.database, 'inbox')).toBe(USERS.length);
    await databaseSource(place.url)((source) => folderTarget(back)((target) => moveStorage(source, target, 2)));
    expect(await toldIn(`file:${back}`)).toEqual(before);
  });
});

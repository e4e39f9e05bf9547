import { expect, test } from 'vitest';
import { databaseSource } from '../../storage/move/database-source.ts';
import { databaseTarget } from '../../storage/move/database-target.ts';
import { folderSource } from '../../storage/move/folder-source.ts';
import { folderTarget } from '../../storage/move/folder-target.ts';
import type { MovedTable } from '../../storage/move/moved-table.ts';
import { MOVED } from '../../storage/move/moved-tables.ts';
import { moveStorage } from '../../storage/move/move-storage.ts';
import type { MoveSource, MoveTarget } from '../../storage/move/moving.ts';
import { caught, space } from '../conformance/profile-place.ts';
import { newFolder } from '../support/delivery-world.ts';
import { eventOf } from '../support/engine.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { batchOf } from '../support/memory-storage.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';
import { withStorage } from '../support/with-storage.ts';

const log = new RecordingLog();

function tableNamed(wanted: string): MovedTable {
  const table = MOVED.find(({ name }) => name === wanted);
  if (table === undefined) throw new Error(`no table ${wanted} is moved`);
  return table;
}

/** With a profile of each of these users. */
async function folderOf(...users: readonly string[]): Promise<string> {
  const folder = newFolder();
  await withStorage(`file:${folder}`, async ({ deliveries, profiles }) => {
    const acceptances = users.map((userId, index) => {
      const { source, caught: json } = caught(-1, { type: 'identify', userId, traits: { plan: 'pro' } });
      const message = { source, receivedAt: 0, event: eventOf(0, { messageId: `m${index}`, userId }) };
      return { message, routes: [], caught: json };
    });
    await deliveries.accept(batchOf(acceptances));
    await profiles.fold({ spaces: async () => [space()], limit: 100 });
  });
  return folder;
}

/** A router of the same life, of which this storage is a restored copy, has deleted a user. */
async function erase(place: string): Promise<void> {
  await withStorage(place, async ({ jobs }) => {
    await jobs.eraseUsers({ scope: 'workspaces/main', userIds: ['ada'], now: 0, limit: 10 });
  });
}

/** Ends once everything was compared. */
function dying(source: MoveSource): (target: MoveTarget) => Promise<unknown> {
  return (target) => moveStorage(source, { ...target, finish: () => Promise.reject(new Error('killed')) });
}

describeWithPostgres('moves that are refused', () => {
  test('NODE-6: of two moves into one database at once one is refused, and nothing is stored twice', async () => {
    await using place = await postgresPlace();
    const [inbox, row] = [tableNamed('inbox'), { id: 1, source: 1, caught: '{}' }];
    await folderSource(
      await folderOf('ada'),
      log,
    )((source) =>
      databaseTarget(
        place.url,
        log,
      )((one) =>
        databaseTarget(
          place.url,
          log,
        )(async (other) => {
          expect([await one.begin(source), await other.begin(source)]).toEqual([{}, {}]);
          await one.write(inbox, [row], { inbox: [1] });
          const words = /another "waybill migrate-storage" moves into .*: wait until it has ended$/;
          await expect(other.write(inbox, [row], { inbox: [1] })).rejects.toThrow(words);
          await one.write(inbox, [{ ...row, id: 2 }], { inbox: [2] });
          expect(await one.counts()).toMatchObject({ inbox: 2 });
        }),
      ),
    );
  });

  test('AUD-9: where people were deleted since, a move does not go on, also in a copy that nobody joined', async () => {
    await using place = await postgresPlace();
    const [folder, back] = [await folderOf('ada', 'bob'), newFolder()];
    const there = () => folderSource(folder, log)((source) => databaseTarget(place.url, log)(dying(source)));
    await expect(there()).rejects.toThrow('killed');
    await expect(there()).rejects.toThrow('killed');
    await erase(`file:${folder}`);
    await expect(there()).rejects.toThrow(`or ${folder} was used since: drop the schema`);
    await using other = await postgresPlace();
    await folderSource(
      folder,
      log,
    )((source) => databaseTarget(other.url, log)((target) => moveStorage(source, target)));
    const here = () => databaseSource(other.url)((source) => folderTarget(back)(dying(source)));
    await expect(here()).rejects.toThrow('killed');
    await expect(here()).rejects.toThrow('killed');
    await erase(other.url);
    await expect(here()).rejects.toThrow('was used since: remove the folder');
  });

  test('users that are one for PostgreSQL, which has no character 0, are told with the way out', async () => {
    await using place = await postgresPlace();
    const from = folderSource(await folderOf('ada', 'a\0b', 'a\uFFFDb'), log);
    const moved = from((source) => databaseTarget(place.url, log)((target) => moveStorage(source, target)));
    await expect(moved).rejects.toMatchObject({ name: 'StorageUnusable' });
    await expect(moved).rejects.toThrow(
      / cannot hold both: two of users differ only by the character 0, .*\(as in "a.*b"\); delete the profile of one of them/,
    );
  });
});

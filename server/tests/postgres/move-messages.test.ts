import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { databaseSource } from '../../storage/move/database-source.ts';
import { databaseTarget } from '../../storage/move/database-target.ts';
import { folderSource } from '../../storage/move/folder-source.ts';
import { folderTarget } from '../../storage/move/folder-target.ts';
import { moveStorage } from '../../storage/move/move-storage.ts';
import { unfinished } from '../conformance/delivery-store-events.ts';
import { newFolder } from '../support/delivery-world.ts';
import { eventOf } from '../support/engine.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { count } from '../support/postgres-jobs.ts';
import { withStorage } from '../support/with-storage.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';

const WORKSPACE = 'workspaces/main';
const SOURCE = `${WORKSPACE}/sources/js`;
const DESTINATIONS = ['a', 'b', 'c'].map((id) => `${SOURCE}/destinations/${id}`);
const IDS = ['m0', 'm1', 'm2', 'm3'];
const HOUR = 3_600_000;
const log = new RecordingLog();

/** Each message for all destinations; those of users with odd numbers are being tried when the router dies. */
async function folderOfMessages(): Promise<string> {
  const folder = newFolder();
  await withStorage(`file:${folder}`, async ({ deliveries, members }) => {
    const at = Date.now();
    await members.join({ now: at });
    const acceptances = IDS.map((messageId, index) => ({
      message: { source: SOURCE, receivedAt: at, event: eventOf(at, { messageId, userId: `u${index % 2}` }) },
      routes: DESTINATIONS.map((destination) => ({ destination, claimed: index % 2 === 1 })),
    }));
    await deliveries.accept({ key: 'k', workspace: WORKSPACE, version: 0, acceptances });
  });
  return folder;
}

/** The messages that each destination has, the newest first, all of them waiting. */
function waitingIn(place: string): Promise<readonly unknown[]> {
  return withStorage(place, async ({ deliveries, log: deliveryLog, members }) => {
    await members.join({ now: Date.now() });
    const [pending] = await unfinished(deliveries);
    expect(pending?.count).toBe(IDS.length * DESTINATIONS.length);
    const lists = DESTINATIONS.map(async (destination) => {
      const page = await deliveryLog.list({ destination, filter: {}, limit: 100 });
      return page.deliveries.map(({ delivery, messageId, state }) => ({ delivery, messageId, state }));
    });
    return Promise.all(lists);
  });
}

async function erase(place: string, userId: string): Promise<void> {
  await withStorage(place, async ({ jobs }) => {
    let after: string | undefined;
    do {
      const request = { scope: WORKSPACE, userIds: [userId], now: Date.now(), limit: 5, after };
      after = (await jobs.eraseUsers(request)).next;
    } while (after !== undefined);
  });
}

/** As a life leaves a folder that began while the wall was behind: its times are, and so much the wall was set forward since. */
function setForward(folder: string, ms: number): void {
  using database = new DatabaseSync(join(folder, 'deliveries.sqlite'));
  database.exec(`
    UPDATE deliveries SET due_at = due_at - ${ms}, set_at = set_at - ${ms}, window_from = window_from - ${ms};
    UPDATE seen SET seen_at = seen_at - ${ms};
    INSERT INTO members VALUES ('clock', ${ms}) ON CONFLICT DO UPDATE SET epoch = ${ms};
    INSERT INTO used_ids VALUES ('owner', x'00', 7)`);
}

describeWithPostgres('moving messages for many destinations', () => {
  test('HOOK-21: where the wall was set forward in the last life of a folder, what is moved is as old as it was', async () => {
    await using place = await postgresPlace();
    const [folder, began] = [await folderOfMessages(), Date.now()];
    setForward(folder, 5 * HOUR);
    await folderSource(
      folder,
      log,
    )((source) => databaseTarget(place.url, log)((target) => moveStorage(source, target, 5)));
    const isOld = `< now_ms() - ${Date.now() - began + 600_000}`;
    const old = ['queue WHERE window_from', 'queue WHERE set_at', 'queue WHERE due_at', 'commits WHERE at'];
    const counts = old.map((where) => count(place.database, `${where} ${isOld}`));
    expect(await Promise.all(counts)).toEqual([0, 0, 0, 0]);
    // This one is of the wall, and stays. The clock of the database is this machine's.
    expect(await count(place.database, 'used_ids WHERE until = 7')).toBe(1);
  });

  test('a message is moved once, wherever a page ends, and goes with its last delivery', async () => {
    await using place = await postgresPlace();
    const [folder, back] = [await folderOfMessages(), newFolder()];
    const there = await folderSource(
      folder,
      log,
    )((source) => databaseTarget(place.url, log)((target) => moveStorage(source, target, 2)));
    expect(there.counts).toMatchObject({ messages: 4, deliveries: 12, message_ids: 4 });
    const waiting = await waitingIn(place.url);
    expect(waiting[0]).toEqual(
      IDS.toReversed().map((messageId) => ({ delivery: expect.any(String), messageId, state: 'pending' })),
    );
    await databaseSource(place.url)((source) => folderTarget(back)((target) => moveStorage(source, target, 2)));
    expect(await waitingIn(`file:${back}`)).toEqual(waiting);
    await erase(place.url, 'u1');
    expect([await count(place.superuser, 'queue'), await count(place.superuser, 'messages')]).toEqual([6, 2]);
    await erase(place.url, 'u0');
    expect([await count(place.superuser, 'queue'), await count(place.superuser, 'messages')]).toEqual([0, 0]);
  });
});

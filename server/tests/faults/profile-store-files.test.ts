import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { createConfigClient } from '../../../client/config/index.ts';
import { startRouterProcess } from '../../../scripts/router/router-process.ts';
import { inspectFolder } from '../../storage/file/inspect.ts';
import { openFileProfiles } from '../../storage/file/profiles/file-profiles.ts';
import { openFileStorage } from '../../storage/file/open-file-storage.ts';
import { migrateFolder, planMigration } from '../../storage/file/migrate.ts';
import { placesOpenToOthers, PRIVATE_UMASK } from '../../storage/file/private-files.ts';
import type { ProfileStorage } from '../../storage/profile-storage.ts';
import { ArrayInbox, caught, EVERYBODY, inboxOf, membersOf, space, tell } from '../conformance/profile-place.ts';
import { PROFILES_VERSION } from '../../storage/profiles/sqlite/schema.ts';
import { newFolder } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { toProfilesFormat1 } from '../support/older-formats.ts';
import { isPossible } from '../support/possible.ts';
import { canMount, mountSmallDisk } from '../support/small-disk.ts';

function refusal(bytes: string): RegExp {
  return new RegExp(
    `the disk is full \\(the run would take ${bytes} MB of the \\d\\.\\d MB that are left, and leaves 0\\.5 MB for everything else\\)`,
  );
}

const PREVIEW = { space: space().id, members: EVERYBODY, sample: 1 };

async function withProfiles(folder: string, use: (profiles: ProfileStorage) => Promise<unknown>): Promise<void> {
  const storage = await openFileStorage(folder, new RecordingLog());
  try {
    if (storage.profiles === undefined) throw new Error('a data folder keeps profiles');
    await use(storage.profiles);
  } finally {
    await storage.close();
  }
}

test('a router without audiences makes no profile store; the first who asks for profiles does', async () => {
  const folder = newFolder();
  const file = join(folder, 'profiles.sqlite');
  await withProfiles(folder, async () => expect(existsSync(file)).toBe(false));
  await withProfiles(folder, async (profiles) => {
    expect(await Promise.all([profiles.preview(PREVIEW), profiles.preview(PREVIEW)])).toHaveLength(2);
  });
  expect(inspectFolder(folder).formats).toContainEqual({ file, format: PROFILES_VERSION, current: PROFILES_VERSION });
});

test('NODE-7: what was said of users before a migration is known after it', async () => {
  const folder = newFolder();
  const [file, inbox] = [join(folder, 'profiles.sqlite'), new ArrayInbox()];
  const traits = { plan: 'pro', seats: 3 };
  const before = await openFileProfiles(file, inbox);
  await tell(
    { profiles: before, ...inboxOf(inbox) },
    [space()],
    caught(-9, { type: 'identify', userId: 'ada', traits }),
  );
  await before.close();
  toProfilesFormat1(file);
  await migrateFolder(folder, new RecordingLog());
  const after = await openFileProfiles(file, inbox);
  expect(await after.profile({ space: space().id, user: 'ada', measures: [] })).toMatchObject({ user: 'ada', traits });
  await after.close();
});

test('NODE-7: a profile store of a newer Waybill is refused at the start, with the way out', async () => {
  const folder = newFolder();
  await withProfiles(folder, (profiles) => profiles.preview(PREVIEW));
  const file = join(folder, 'profiles.sqlite');
  const database = new DatabaseSync(file);
  database.exec('PRAGMA user_version = 99');
  database.close();
  const newer = `${file} has format 99, and this Waybill reads format ${PROFILES_VERSION}: start the newer version of Waybill`;
  expect(() => planMigration(folder)).toThrow(newer);
  await expect(openFileStorage(folder, new RecordingLog())).rejects.toThrow(newer);
});

test('a damaged profile store is refused at the start, and named', async () => {
  const folder = newFolder();
  await withProfiles(folder, (profiles) => profiles.preview(PREVIEW));
  const file = join(folder, 'profiles.sqlite');
  writeFileSync(file, readFileSync(file).fill('x', 4_096));
  await expect(openFileStorage(folder, new RecordingLog())).rejects.toThrow(
    /profiles\.sqlite cannot be .*it is damaged/,
  );
});

test.runIf(isPossible(process.platform !== 'win32', 'modes of files'))(
  'SAFE-3: a profile store that others may read is found and made private',
  async () => {
    const folder = newFolder();
    const before = process.umask(0o022);
    try {
      await withProfiles(folder, (profiles) => profiles.preview(PREVIEW));
    } finally {
      process.umask(before);
    }
    const file = join(folder, 'profiles.sqlite');
    expect(placesOpenToOthers(folder)).toContain(file);
    await withProfiles(folder, async () => expect(statSync(file).mode & PRIVATE_UMASK).toBe(0));
  },
);

test.runIf(canMount())(
  'AUD-4: a run that would take what audiences leave of the disk is made once there is room, and users can be deleted',
  async () => {
    const disk = mountSmallDisk();
    const inbox = new ArrayInbox();
    const profiles = await openFileProfiles(join(disk.folder, 'profiles.sqlite'), inbox);
    onTestFinished(() => profiles.close());
    const users = Array.from({ length: 10_000 }, (_, number) => `user-${number}`.padEnd(70, '-'));
    const events = users.map((userId) => caught(-9, { type: 'identify', userId }));
    while (events.length > 0) await tell({ profiles, ...inboxOf(inbox) }, [space()], ...events.splice(0, 1_000));
    const request = { space: space().id, computation: 'workspaces/main/audiences/aud_all', of: { members: EVERYBODY } };
    disk.fill(1_200_000);
    await expect(profiles.compute({ ...request, run: 1 })).rejects.toThrow(refusal('1.0'));
    await expect(profiles.preview(PREVIEW)).rejects.toThrow(refusal('1.0'));
    disk.fill(2_000_000);
    expect(await profiles.preview(PREVIEW)).toMatchObject({ size: users.length });
    await expect(profiles.compute({ ...request, run: 1 })).rejects.toThrow(refusal('2.1'));
    await profiles.erase({ workspace: 'workspaces/main', userIds: [users[1] ?? ''], spaces: async () => [space()] });
    disk.free();
    expect(await profiles.compute({ ...request, run: 1 })).toMatchObject({ size: users.length - 1 });
  },
);

test.runIf(canMount())(
  'AUD-10: where events would be counted in room that is kept, they wait, and users can be deleted',
  async () => {
    const disk = mountSmallDisk();
    const inbox = new ArrayInbox();
    const profiles = await openFileProfiles(join(disk.folder, 'profiles.sqlite'), inbox);
    onTestFinished(() => profiles.close());
    disk.fill(600_000);
    const place = { profiles, ...inboxOf(inbox) };
    const events = ['ada', 'eve'].map((userId) => caught(-9, { type: 'identify', userId }));
    await expect(tell(place, [space()], ...events)).rejects.toThrow(
      'the disk is full (0.6 MB are left, and what is counted of events leaves 0.8 MB for everything else)',
    );
    expect(await place.waiting()).toBe(2);
    await profiles.erase({ workspace: 'workspaces/main', userIds: ['eve'], spaces: async () => [space()] });
    disk.fill(200_000);
    await expect(tell(place, [space()], ...events)).rejects.toThrow('leaves 0.8 MB');
    await expect(
      profiles.erase({ workspace: 'workspaces/main', userIds: ['eve'], spaces: async () => [space()] }),
    ).rejects.toThrow('leaves 0.3 MB');
    disk.free();
    await tell(place, [space()]);
    expect(await membersOf(place, EVERYBODY)).toEqual(['ada', 'eve']);
  },
);

test.runIf(canMount())(
  'AUD-4: users of a large audience are sorted in the data folder, however small the place for temporary files is',
  async () => {
    const token = 'large-audience-token-0123456789';
    const flags = { port: '0', 'data-dir': newFolder(), token };
    await using router = await startRouterProcess(flags, { env: { TMPDIR: mountSmallDisk(1).folder } });
    const client = createConfigClient({ baseUrl: router.url, token });
    const { write_keys: keys } = await client.sources.create({ name: 'workspaces/main/sources/web' });
    const definition = { trait: 'plan', is: { exists: true } } as const;
    await client.audiences.create('workspaces/main', { display_name: 'Everybody', definition });
    const users = Array.from({ length: 20_000 }, (_, number) => `user-${number}`.padEnd(200, '-'));
    for (let first = 0; first < users.length; first += 500) {
      const batch = users
        .slice(first, first + 500)
        .map((userId) => ({ type: 'identify', userId, traits: { plan: 'pro' } }));
      const body = JSON.stringify({ writeKey: keys[0], batch });
      expect((await fetch(`${router.url}/v1/batch`, { method: 'POST', body })).status).toBe(200);
    }
    const preview = async (): Promise<number> => (await client.audiences.preview('workspaces/main', definition)).size;
    await expect.poll(preview).toBe(users.length);
  },
);

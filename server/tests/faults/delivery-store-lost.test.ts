import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { PRIVATE_UMASK } from '../../storage/file/private-files.ts';
import { openFileStorage } from '../../storage/file/open-file-storage.ts';
import { newFolder } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';

/** A data folder that has been used. */
async function usedFolder(): Promise<{ folder: string; file: string; open: () => Promise<RecordingLog> }> {
  const folder = newFolder();
  const file = join(folder, 'deliveries.sqlite');
  const open = async (): Promise<RecordingLog> => {
    const log = new RecordingLog();
    await (await openFileStorage(folder, log)).close();
    return log;
  };
  await open();
  return { folder, file, open };
}

test.each([
  ['without a byte', 0],
  ['with its first page alone', 4_096],
])('a delivery store %s beside a configuration is refused', async (_title, length) => {
  const { file, open } = await usedFolder();
  truncateSync(file, length);
  await expect(open()).rejects.toThrow(`the delivery store ${file} has lost what it held (${length} bytes are left)`);
  expect(readFileSync(file)).toHaveLength(length);
});

test('a delivery store that was removed is begun anew, and that is said', async () => {
  // As the router's own process has it: files that others may read would be told as well.
  const before = process.umask(PRIVATE_UMASK);
  onTestFinished(() => void process.umask(before));
  const { file, open } = await usedFolder();
  rmSync(file);
  expect((await open()).lines).toMatchObject([
    { level: 'warn', message: expect.stringContaining('no delivery store') },
  ]);
  expect((await open()).lines).toEqual([]);
});

test('ING-10: a delivery store whose configuration is gone is refused, and does not cancel what waits', async () => {
  const { folder, file, open } = await usedFolder();
  const storage = await openFileStorage(folder, new RecordingLog());
  await storage.members.join({ now: 0 });
  await storage.close();
  rmSync(join(folder, 'config'), { recursive: true });
  const before = readFileSync(file);
  await expect(open()).rejects.toThrow(`the configuration of the delivery store ${file} is gone`);
  expect(readFileSync(file)).toEqual(before);
  rmSync(file);
  await open();
});

test('a first start that was killed before it wrote its configuration is started again', async () => {
  const { folder, open } = await usedFolder();
  rmSync(join(folder, 'config'), { recursive: true });
  await open();
  expect(readdirSync(join(folder, 'config'))).toEqual(['root.json']);
});

test.each(['deliveries.sqlite', 'profiles.sqlite'])(
  'a kill while %s was made leaves what the next start takes back',
  async (name) => {
    const [making, { folder, file, open }] = [newFolder(), await usedFolder()];
    if (name === 'deliveries.sqlite')
      for (const place of [file, join(folder, 'config')]) rmSync(place, { recursive: true });
    using database = new DatabaseSync(join(making, name));
    // What does not fit in memory is in the file before the change is done.
    database.exec('PRAGMA cache_size = 1; BEGIN; CREATE TABLE filling AS SELECT hex(randomblob(100000))');
    database.exec('INSERT INTO filling SELECT hex(randomblob(100000))');
    for (const one of [name, `${name}-journal`]) copyFileSync(join(making, one), join(folder, one));
    expect(statSync(join(folder, name)).size).toBeGreaterThan(100_000);
    await open();
    expect(readdirSync(folder)).not.toContain(`${name}-journal`);
  },
);

test('a first start that was killed before it wrote anything is started again', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'deliveries.sqlite'), '');
  const storage = await openFileStorage(folder, new RecordingLog());
  onTestFinished(() => storage.close());
  expect(await storage.deliveries.backlog({ limit: 1 })).toEqual({ queues: [], next: undefined });
});

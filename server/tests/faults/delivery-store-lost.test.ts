import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

test('a first start that was killed before it wrote anything is started again', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'deliveries.sqlite'), '');
  const storage = await openFileStorage(folder, new RecordingLog());
  onTestFinished(() => storage.close());
  expect(await storage.deliveries.backlog({ limit: 1 })).toEqual({ queues: [], next: undefined });
});

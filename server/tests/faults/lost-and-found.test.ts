import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DELIVERIES_FILE, keepPrivate } from '../../storage/file/private-files.ts';
import { folderTarget } from '../../storage/move/folder-target.ts';
import { newFolder } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';

/** As the root of a file system is when it was just made. */
function newFileSystem(): string {
  const folder = newFolder();
  mkdirSync(join(folder, 'lost+found'));
  return folder;
}

const begun = (folder: string): Promise<string> => folderTarget(folder)(async ({ shown }) => shown);

test('a storage moves into the root of a new file system', async () => {
  const folder = newFileSystem();
  expect(await begun(folder)).toBe(folder);
  // A move that was interrupted goes on.
  expect(await begun(folder)).toBe(folder);
});

test('a storage does not move beside files of others, which are named', async () => {
  const folder = newFileSystem();
  writeFileSync(join(folder, 'notes.txt'), '');
  await expect(begun(folder)).rejects.toThrow(`${folder} is not empty (notes.txt): name an empty`);
});

test('SAFE-3: the root of a file system is closed to others as every folder of the router is', () => {
  const [folder, log] = [newFileSystem(), new RecordingLog()];
  writeFileSync(join(folder, DELIVERIES_FILE), '');
  chmodSync(folder, 0o755);
  keepPrivate(folder, log);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(log.lines).toMatchObject([{ message: 'others could read the data folder; only this user can now' }]);
});

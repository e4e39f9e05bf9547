import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../support/delivery-world.ts';
import { MARK, POLL, storedUser } from '../support/stored-user.ts';

function traces(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files
    .filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(MARK))
    .map(({ name }) => name)
    .toSorted();
}

test('AUD-9: once a user is deleted, no file of a data folder names that user', async () => {
  const folder = newFolder();
  const user = await storedUser(`file:${folder}`);
  const named = ['deliveries.sqlite-wal', 'profiles.sqlite-wal'];
  await expect.poll(() => traces(folder), POLL).toEqual(expect.arrayContaining(named));
  await user.remove();
  expect(traces(folder)).toEqual([]);
}, 120_000);

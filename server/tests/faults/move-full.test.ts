import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderTarget } from '../../storage/move/folder-target.ts';
import { canMount, mountSmallDisk } from '../support/small-disk.ts';

test.runIf(canMount())('a move onto a disk that fills up says so, with the folder and the way out', async () => {
  const disk = mountSmallDisk();
  const folder = join(disk.folder, 'data');
  const source = { identity: 'a database', shown: 'postgres://localhost/waybill' };
  const moved = folderTarget(folder)(async (target) => {
    disk.fill();
    return target.begin(Object.assign(Object.create(null), source));
  });
  await expect(moved).rejects.toMatchObject({ name: 'DataFolderUnusable' });
  await expect(moved).rejects.toThrow(
    /^\/.*\/data cannot hold what is moved: the disk is full \(.*\): free some space, or name another folder with --to$/,
  );
});

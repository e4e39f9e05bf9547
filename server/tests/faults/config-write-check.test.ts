import { constants } from 'node:os';
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { openConfigStore } from '../../storage/file/resources/config-store.ts';
import { checkedDisk, type FreeBytes } from '../../storage/file/resources/checked-disk.ts';
import type { Disk } from '../../storage/file/resources/disk.ts';
import { memoryDisk, textOf } from '../support/config-disk.ts';
import { source, workspace } from '../support/config-resources.ts';
import { RecordingLog } from '../support/ingestion-log.ts';

interface Room {
  /** Of one file. */
  bytes: number;
  /** What was written to prove that it can be. */
  readonly proofs: number[];
}

/** A disk with room for files of so many bytes. */
function diskWithRoom(room: Room): Disk {
  const inner = memoryDisk();
  return {
    ...inner,
    async replace(file, content, draft) {
      const text = textOf(content);
      if (Buffer.byteLength(text) > room.bytes) throw new Error(`ENOSPC: no space left on device, write '${draft}'`);
      if (file.endsWith('written-by-readyz')) room.proofs.push(Buffer.byteLength(text));
      await inner.replace(file, text, draft);
    },
  };
}

/** A disk that tells nothing, unless another is given. */
async function openFilled(free: FreeBytes = () => Promise.reject(new Error('ENOSYS'))) {
  const room: Room = { bytes: Infinity, proofs: [] };
  const inner = diskWithRoom(room);
  const { disk, check } = checkedDisk(inner, '/store', free);
  const store = await openConfigStore({ folder: '/store', disk, log: new RecordingLog() });
  await store.create('workspaces', workspace('main', '00000000aa'));
  for (let number = 0; number < 200; number += 1) await store.create('sources', source('main', `s${number}`));
  return { room, inner, check, store };
}

test.each([0, 100, 1_000, 10_000, 50_000])(
  'CFG-20: a disk with room for %d bytes, on which creates fail, is not ready',
  async (bytes) => {
    const { room, check, store } = await openFilled();
    room.bytes = bytes;
    expect(check.failures()).toBe(0);
    await expect(store.create('sources', source('main', 'one-more'))).rejects.toThrow(StoreUnavailable);
    expect(check.failures()).toBe(1);
    await expect(check.attempt()).rejects.toThrow(/^it cannot write: ENOSPC: no space left on device$/);
    room.bytes = Infinity;
    expect(check.failures()).toBe(1);
    await expect(check.attempt()).resolves.toBeUndefined();
    expect(await store.create('sources', source('main', 'one-more'))).toBe('created');
  },
);

test('CFG-20: a quota that is used up is told as one: the disk may have room, and Node has no name for it', async () => {
  const words = 'Unknown system error -122';
  const error = Object.assign(new Error(`${words}: ${words}, write`), { errno: -constants.errno.EDQUOT, code: words });
  const { check } = checkedDisk({ ...memoryDisk(), replace: () => Promise.reject(error) }, '/store', async () => 1e12);
  const way = 'raise it, free some space, or move the data folder to a larger disk';
  await expect(check.attempt()).rejects.toThrow(`it cannot write: the quota of the disk is used up (EDQUOT): ${way}`);
});

test('where the disk says that it has room for the largest file, the proof is a small one', async () => {
  const told = { bytes: Infinity };
  const { room, check, store } = await openFilled(async () => told.bytes);
  await check.attempt();
  // Root may write where the disk says that it is full; nobody else can.
  told.bytes = 100_000;
  await check.attempt();
  await store.remove('workspaces', 'workspaces/main');
  await check.attempt();
  expect(room.proofs).toEqual([65_536, expect.any(Number), 65_536]);
  expect(room.proofs[1]).toBeGreaterThan(100_000);
});

test('CFG-20: after a write that failed the proof is whole once, whatever the disk says, as with a quota', async () => {
  const { room, check, store } = await openFilled(() => Promise.resolve(Infinity));
  room.bytes = 70_000;
  await check.attempt();
  await expect(store.create('sources', source('main', 'one-more'))).rejects.toThrow(StoreUnavailable);
  await expect(check.attempt()).rejects.toThrow('ENOSPC');
  await expect(check.attempt()).rejects.toThrow('ENOSPC');
  room.bytes = Infinity;
  await check.attempt();
  await check.attempt();
  expect(room.proofs.map((bytes) => bytes > 70_000)).toEqual([false, true, false]);
});

test('CFG-20: a start knows how large the files are, and a check leaves nothing behind', async () => {
  const { room, inner } = await openFilled();
  const { disk, check } = checkedDisk(inner, '/store');
  await openConfigStore({ folder: '/store', disk, log: new RecordingLog() });
  const names = await inner.names('/store');
  await check.attempt();
  expect(await inner.names('/store')).toEqual(names);
  // As much as nearly any file has room for, and too little for that of the workspace.
  room.bytes = 70_000;
  await expect(check.attempt()).rejects.toThrow('ENOSPC');
});

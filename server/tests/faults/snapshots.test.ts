import { execFileSync } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { ArchiveReader, ArchiveUnusable } from '../../storage/archive/archive-reader.ts';
import { restoreArchive } from '../../storage/archive/restore.ts';
import { headerOf, readHeader } from '../../storage/archive/tar.ts';
import { archiveOf } from '../../storage/archive/write-archive.ts';
import { openFileStorage } from '../../storage/file/open-file-storage.ts';
import { allRows } from '../../storage/config-store.ts';
import { type Snapshot, SnapshotUnderWay } from '../../storage/snapshot.ts';
import type { Storage } from '../../storage/storage.ts';
import { author } from '../conformance/config-store-audit.ts';
import { EVERYBODY, space } from '../conformance/profile-place.ts';
import { source, workspace } from '../support/config-resources.ts';
import { newFolder } from '../support/delivery-world.ts';
import { DESTINATION, messageOf } from '../support/engine.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { batchOf } from '../support/memory-storage.ts';
import { canMount, mountSmallDisk } from '../support/small-disk.ts';

const FILES = ['deliveries.sqlite', 'profiles.sqlite'];
const ABOUT = { version: '0.0.0', now: 0 };

async function openIn(folder: string): Promise<Storage> {
  const storage = await openFileStorage(folder, new RecordingLog());
  onTestFinished(() => storage.close());
  await storage.deliveries.accept(acceptOf(0));
  return storage;
}

function acceptOf(index: number, padding = '') {
  const message = messageOf({ now: () => index }, { messageId: `m${index}`, properties: { padding } });
  return batchOf([{ message, routes: [{ destination: DESTINATION, claimed: false }] }]);
}

async function snapshotOf(storage: Storage): Promise<Snapshot> {
  if (storage.snapshot === undefined) throw new Error('a data folder has snapshots');
  return storage.snapshot();
}

async function archiveIn(storage: Storage): Promise<Buffer> {
  const snapshot = await snapshotOf(storage);
  const bytes = Buffer.concat(await Array.fromAsync(archiveOf(snapshot, ABOUT)));
  await snapshot.release();
  return bytes;
}

async function entriesIn({ resources }: Storage) {
  return (await allRows(resources, 'audit-entries', 'workspaces/main')).map(({ resource }) => resource);
}

test('CFG-27, NODE-8: a backup has all entries of the audit, and so has what is restored', async () => {
  const [folder, restored] = [newFolder(), join(newFolder(), 'restored')];
  const storage = await openIn(folder);
  await storage.resources.create('workspaces', workspace('main'));
  for (let number = 0; number < 100; number += 1) {
    const name = `s${number}`;
    await storage.resources.create('sources', source('main', name), undefined, undefined, author(name));
  }
  const file = join(newFolder(), 'backup.tar');
  writeFileSync(file, await archiveIn(storage));
  restoreArchive(file, restored);
  const again = await openFileStorage(restored, new RecordingLog());
  onTestFinished(() => again.close());
  expect(await entriesIn(again)).toHaveLength(100);
  expect(await entriesIn(again)).toEqual(await entriesIn(storage));
});

test('ING-10, NODE-8: what is stored while a snapshot is read is in no file of it, and is stored all the same', async () => {
  const folder = newFolder();
  const storage = await openIn(folder);
  await storage.profiles.preview({ space: space().id, members: EVERYBODY, sample: 1 });
  const snapshot = await snapshotOf(storage);
  const contents = (): Buffer[] => FILES.map((name) => readFileSync(join(folder, name)));
  const before = contents();
  // More pages than SQLite leaves in a log by itself.
  for (let index = 1; index <= 3; index += 1) await storage.deliveries.accept(acceptOf(index, 'x'.repeat(3_000_000)));
  // They overwrite what is free in the files themselves.
  const userIds = ['u1'];
  const erased = Promise.all([
    storage.profiles.erase({ workspace: 'workspaces/main', userIds, spaces: async () => [] }),
    storage.jobs.eraseUsers({ scope: 'workspaces/main', userIds, now: 0, limit: 10 }),
  ]);
  expect(contents().map((file, index) => file.equals(before[index] ?? file))).toEqual([true, true]);
  await snapshot.release();
  await snapshot.release();
  await erased;
  expect(Math.max(...FILES.map((name) => statSync(join(folder, `${name}-wal`)).size))).toBeLessThan(1_000_000);
  expect(statSync(join(folder, 'deliveries.sqlite')).size).toBeGreaterThan(9_000_000);
});

test('NODE-8: there is one snapshot at a time; a storage that closes ends it, and what is read of it fails', async () => {
  const storage = await openIn(newFolder());
  const snapshot = await snapshotOf(storage);
  await expect(snapshotOf(storage)).rejects.toThrow(SnapshotUnderWay);
  await snapshot.release();
  const second = await snapshotOf(storage);
  const reading = archiveOf(second, ABOUT);
  await reading.next();
  await storage.close();
  await expect(Array.fromAsync(reading)).rejects.toThrow('the snapshot was released');
});

test('NODE-8: an archive that lacks any part of its end, or has any byte changed, is recognized', async () => {
  const archive = await archiveIn(await openIn(newFolder()));
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 5_000 }), (piece) => check(archive, piece)),
    { numRuns: 10 },
  );
  // Behind the last checksum there is only padding.
  const end = archive.lastIndexOf('\n') - 1;
  const places = fc.integer({ min: 0, max: end });
  const cut = fc.property(places, (at) => {
    expect(() => check(archive.subarray(0, at))).toThrow(ArchiveUnusable);
  });
  fc.assert(cut, { numRuns: 200, examples: [[0], [end]] });
  const read = places.filter((at) => isRead(archive, at));
  const flipped = fc.property(read, (at) => {
    const bytes = Buffer.from(archive);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    expect(() => check(bytes)).toThrow(ArchiveUnusable);
  });
  fc.assert(flipped, { numRuns: 200 });
});

/** Throws what a reader finds who gets the bytes in pieces. */
function check(bytes: Uint8Array, piece = bytes.length): void {
  const reader = new ArchiveReader({ begin: () => {}, write: () => {}, finish: () => {} });
  for (let at = 0; at < bytes.length; at += piece) reader.push(bytes.subarray(at, at + piece));
  reader.end();
}

/** A file of one byte. */
function open() {
  return { bytes: 1, chunks: [Buffer.from('x')] };
}

/** Whether anything depends on a byte: padding is skipped. */
function isRead(archive: Buffer, at: number): boolean {
  for (let place = 0; place < archive.length;) {
    const bytes = readHeader(archive.subarray(place, place + 512))?.bytes ?? 0;
    if (at < place + 512 + bytes) return at >= place;
    place += 512 + Math.ceil(bytes / 512) * 512;
    if (at < place) return false;
  }
  return false;
}

test('NODE-8: tar and sha256sum read an archive too', async () => {
  const folder = newFolder();
  const storage = await openIn(folder);
  writeFileSync(join(folder, 'saved.tar'), await archiveIn(storage));
  const unpacked = join(folder, 'unpacked');
  mkdirSync(unpacked);
  execFileSync('tar', ['-xf', join(folder, 'saved.tar'), '-C', unpacked]);
  expect(execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: unpacked }).toString()).toBe(
    ['waybill-backup.json', 'config/root.json', 'deliveries.sqlite'].map((name) => `${name}: OK\n`).join(''),
  );
});

test('a file of more than 8 GB has a header as all tools read it', () => {
  for (const bytes of [0, 2 ** 33 - 1, 2 ** 33, 2 ** 41])
    expect(readHeader(headerOf({ name: 'deliveries.sqlite', bytes }, 0))).toEqual({ name: 'deliveries.sqlite', bytes });
});

test('SAFE-3: no name of an archive leads out of the folder', async () => {
  const folder = newFolder();
  for (const name of ['../deliveries.sqlite', '/etc/deliveries.sqlite', 'config/../../root.json', 'config/a.json']) {
    const file = join(folder, 'saved.tar');
    await pipeline(Readable.from(archiveOf({ files: [{ name, open }] }, ABOUT)), createWriteStream(file));
    expect(() => restoreArchive(file, join(folder, 'data'))).toThrow('it is no backup');
    expect(readdirSync(folder)).toEqual(['saved.tar']);
  }
});

test.skipIf(!canMount())(
  'NODE-8: a disk that is full in the middle of a restore leaves the folder as it was',
  async () => {
    const disk = mountSmallDisk();
    const folder = newFolder();
    const storage = await openIn(folder);
    for (let index = 1; index <= 3; index += 1) await storage.deliveries.accept(acceptOf(index, 'x'.repeat(4_000_000)));
    const file = join(folder, 'saved.tar');
    writeFileSync(file, await archiveIn(storage));
    const words = /was not restored, .* as it was: the disk is full \(ENOSPC: .*\): free some space, or choose another/;
    expect(() => restoreArchive(file, join(disk.folder, 'data'))).toThrow(words);
    expect(readdirSync(disk.folder)).toEqual([]);
  },
);

test.skipIf(!canMount())(
  'NODE-8: a snapshot is given up before its logs take the room that events need, also when nobody reads on',
  async () => {
    const disk = mountSmallDisk();
    const storage = await openIn(join(disk.folder, 'data'));
    const snapshot = await snapshotOf(storage);
    const reading = archiveOf(snapshot, ABOUT);
    await reading.next();
    for (const index of [3, 4]) await storage.deliveries.accept(acceptOf(index, 'x'.repeat(1_300_000)));
    await expect.poll(() => snapshot.signal.aborted).toBe(true);
    // What its logs hold is in the files again.
    await expect.poll(() => statSync(join(disk.folder, 'data/deliveries.sqlite-wal')).size).toBe(0);
    await expect(Array.fromAsync(reading)).rejects.toThrow('a quarter of the room on the disk was used up');
    await snapshot.release();
    expect(existsSync(join(disk.folder, 'data/deliveries.sqlite'))).toBe(true);
    await storage.deliveries.accept(acceptOf(2));
  },
);

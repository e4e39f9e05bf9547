import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { migrateFolder } from '../../storage/file/migrate.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { newFolder } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { readReleased, unpack } from '../support/released-folder.ts';
import { canMount, mountSmallDisk } from '../support/small-disk.ts';

const MIGRATING = fileURLToPath(new URL('../support/migrating-process.ts', import.meta.url));
const DELIVERIES = 'deliveries.sqlite';

const oldFolder = (): string => unpack(readReleased('0.1.0'));
const migrate = (folder: string) => migrateFolder(folder, new RecordingLog());

/** All rows of the delivery store, and all resources, as a folder of any state gives them. */
function contentOf(folder: string): unknown {
  using database = new DatabaseSync(join(folder, DELIVERIES), { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  const rows = tables.map(({ name }) => [name, database.prepare(`SELECT * FROM ${String(name)}`).all()]);
  return { rows, resources: configOf(folder).map((file) => rowsIn(readFileSync(file, 'utf8'))) };
}

function configOf(folder: string): string[] {
  return globSync('config/*.json', { cwd: folder })
    .toSorted()
    .map((name) => join(folder, name));
}

function rowsIn(text: string): unknown {
  const { format, rows }: { format: number; rows: unknown } = JSON.parse(text);
  return { format, rows };
}

/** Every file with the digest of its bytes; the index of SQLite's log is made by whoever looks. */
function bytesOf(folder: string): Record<string, string> {
  const names = globSync('**/*', { cwd: folder }).filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(
    names
      .filter((name) => !name.endsWith('-shm'))
      .toSorted()
      .map((name) => [name, hash('sha256', readFileSync(join(folder, name)))]),
  );
}

/** Kills a process in the midst of its migration. */
async function killMidway(folder: string, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [MIGRATING, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  await sleep(afterMs);
  child.kill('SIGKILL');
  await ended;
}

test('NODE-7: a migration that is killed at any moment goes on at the next start, and nothing is lost', async () => {
  const [whole, source] = [oldFolder(), oldFolder()];
  const begun = performance.now();
  await migrate(whole);
  let spanMs = performance.now() - begun;
  const expected = contentOf(whole);
  for (let unfinished = 0; unfinished < 4;) {
    const folder = newFolder();
    cpSync(source, folder, { recursive: true });
    await killMidway(folder, Math.random() * spanMs);
    if ((await migrate(folder)).length > 0) unfinished += 1;
    else spanMs /= 2;
    expect(contentOf(folder)).toEqual(expected);
    // What a killed run had backed up already is still of the old format.
    for (const file of globSync('config/format-1.backup/*.json', { cwd: folder }))
      expect(rowsIn(readFileSync(join(folder, file), 'utf8'))).toMatchObject({ format: 1 });
  }
});

test('NODE-7: backups are private, whole, and what they are of can be put back', async () => {
  const folder = oldFolder();
  const done = await migrate(folder);
  expect(done.map(({ file }) => file)).toEqual([...configOf(folder), join(folder, DELIVERIES)]);
  expect(await migrate(folder)).toEqual([]);
  for (const { backup } of done) expect(statSync(backup).mode & 0o777).toBe(0o600);
  using database = new DatabaseSync(join(folder, `${DELIVERIES}.format-2.backup`), { readOnly: true });
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 });
  expect(database.prepare('SELECT count(*) AS count FROM deliveries').get()).toEqual({ count: 49 });
});

test('NODE-7: the log tells the backups, and both formats', async () => {
  const log = new RecordingLog();
  const folder = oldFolder();
  await migrateFolder(folder, log);
  const told = log.lines.map(({ fields }) => fields);
  expect(told).toMatchObject([
    { backup: join(folder, 'config/format-1.backup'), from: 1, files: 3 },
    { backup: join(folder, `${DELIVERIES}.format-2.backup`), from: 2, files: 1 },
    { folder, files: 4 },
  ]);
});

test.each([
  ['delivery store', spoilDeliveries],
  ['configuration', (folder: string) => spoilConfig(folder, 9_999)],
])(
  'NODE-7: a newer %s is refused with both versions and the way out, before anything changes',
  async (_what, spoil) => {
    const folder = oldFolder();
    spoil(folder);
    const before = bytesOf(folder);
    await expect(openStorage(`file:${folder}`, new RecordingLog())).rejects.toThrow(
      /has format 9999, and this Waybill reads format \d+: start the newer version of Waybill that wrote it, or go back/,
    );
    expect(bytesOf(folder)).toEqual(before);
  },
);

function spoilDeliveries(folder: string): void {
  using database = new DatabaseSync(join(folder, DELIVERIES));
  database.exec('PRAGMA user_version = 9999');
}

function spoilConfig(folder: string, format: number): void {
  const [, file = ''] = configOf(folder);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"format":\d+/, `"format":${format}`));
}

test('NODE-7: a file that was edited, and laid out anew, is migrated as the others are', async () => {
  const [folder, plain] = [oldFolder(), oldFolder()];
  for (const file of configOf(folder))
    writeFileSync(file, JSON.stringify(JSON.parse(readFileSync(file, 'utf8')), null, 2));
  expect(await migrate(folder)).toHaveLength((await migrate(plain)).length);
  expect(contentOf(folder)).toEqual(contentOf(plain));
});

test('NODE-7: a damaged file keeps all others from being migrated', async () => {
  const folder = oldFolder();
  const [, file = ''] = configOf(folder);
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, -20));
  const before = bytesOf(folder);
  await expect(migrate(folder)).rejects.toThrow(`${file} is not whole JSON`);
  const { [`${DELIVERIES}-wal`]: _log, [DELIVERIES]: _file, ...others } = before;
  expect(bytesOf(folder)).toMatchObject(others);
  expect(existsSync(join(folder, `${DELIVERIES}.format-2.backup`))).toBe(false);
});

test.runIf(canMount())(
  'NODE-7: without room for the backup nothing changes, and how much it takes is said',
  async () => {
    const disk = mountSmallDisk();
    const folder = join(disk.folder, 'data');
    cpSync(oldFolder(), folder, { recursive: true });
    const before = bytesOf(folder);
    disk.fill();
    await expect(migrate(folder)).rejects.toThrow(
      /no room for the backup .*: it takes [\d.]+ MB, and 0\.0 MB are free/,
    );
    disk.free();
    const { [`${DELIVERIES}-wal`]: _log, [DELIVERIES]: _file, ...others } = before;
    expect(bytesOf(folder)).toMatchObject(others);
    expect(await migrate(folder)).toHaveLength(4);
  },
);

test.runIf(canMount())(
  'NODE-7: a disk that is full in the midst of the steps is told, and they go on when there is room',
  async () => {
    const [disk, whole, source] = [mountSmallDisk(), oldFolder(), oldFolder()];
    await migrate(whole);
    takeLogIn(join(source, DELIVERIES));
    const folder = join(disk.folder, 'data');
    cpSync(source, folder, { recursive: true });
    const backups = [join(folder, DELIVERIES), ...configOf(folder)].reduce((sum, file) => sum + statSync(file).size, 0);
    disk.fill(backups + ROOM_FOR_NO_STEP);
    const what = 'is not finished, and goes on at the next start: the disk is full';
    await expect(migrate(folder)).rejects.toThrow(`the migration of ${folder} ${what}`);
    expect(existsSync(join(folder, `${DELIVERIES}.format-2.backup`))).toBe(true);
    disk.free();
    await migrate(folder);
    expect(contentOf(folder)).toEqual(contentOf(whole));
  },
);

/** Copies of a few files end in the middle of a page of the disk; a step takes some more. */
const ROOM_FOR_NO_STEP = 90_000;

/** Of a database that nobody has open. */
function takeLogIn(file: string): void {
  using database = new DatabaseSync(file);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

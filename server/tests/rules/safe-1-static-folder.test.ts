import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createStaticFolder, type FolderFiles } from '../../http/static-folder.ts';
import type { StaticFile } from '../../http/static-file.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript' };
/** What each file says it was last written: a package has one time for all versions. */
const PACKED_AT = new Date('1985-10-26T08:15:00Z');

function folderOf(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'waybill-static-folder-'));
  const folder = join(root, 'dist');
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text);
    utimesSync(join(folder, name), PACKED_AT, PACKED_AT);
  };
  mkdirSync(join(folder, 'assets'), { recursive: true });
  for (const [name, text] of Object.entries(files)) write(name, text);
  onTestFinished(() => rmSync(root, { recursive: true }));
  const clock = new VirtualClock();
  return {
    folder,
    write,
    clock,
    look: createStaticFolder({ folder: pathToFileURL(`${folder}/`), types: TYPES, clock }),
  };
}

/** As it is kept: whoever gets the same object shares its bytes. */
async function read(files: FolderFiles, name: string): Promise<StaticFile | undefined> {
  return files.get(name)?.();
}

function textOf(file: StaticFile | undefined): string | undefined {
  return file?.variants.find(({ encoding }) => encoding === 'identity')?.bytes.toString();
}

test('SAFE-1: a file is read once, whatever is looked for besides, and whenever', async () => {
  const { look, clock, write } = folderOf({ 'index.html': 'a', 'assets/a.js': 'b' });
  const first = await read(await look(), 'assets/a.js');
  expect(textOf(first)).toBe('b');
  for (let asked = 0; asked < 5; asked += 1) {
    expect((await look()).get('assets/none.js')).toBeUndefined();
    write('index.html', `written ${asked} times`);
    expect(await read(await look(), 'assets/a.js')).toBe(first);
    await clock.advance(700);
  }
});

test('SAFE-1: a folder is looked at once a second, however many ask', async () => {
  const { look, clock, write } = folderOf({ 'index.html': 'a' });
  const first = await look();
  write('assets/a.js', 'b');
  await clock.advance(999);
  const early = await Promise.all(Array.from({ length: 100 }, async () => look()));
  expect(new Set(early)).toEqual(new Set([first]));
  await clock.advance(1);
  const later = await Promise.all(Array.from({ length: 100 }, async () => look()));
  expect([new Set(later).size, later[0]?.has('assets/a.js')]).toEqual([1, true]);
});

test('what is built anew, of the same size and time, is served a second later, and what is gone is not', async () => {
  const { look, clock, write, folder } = folderOf({ 'index.html': 'old', 'assets/a.js': 'a' });
  const old = await read(await look(), 'index.html');
  write('index.html', 'new');
  rmSync(join(folder, 'assets/a.js'));
  await clock.advance(1_000);
  const files = await look();
  expect([textOf(old), textOf(await read(files, 'index.html'))]).toEqual(['old', 'new']);
  expect([...files.keys()]).toEqual(['index.html']);
});

test('a folder that is made later is found, and one that is gone is empty', async () => {
  const { look, clock, write, folder } = folderOf({ 'index.html': 'a', 'notes.md': 'no page' });
  expect([...(await look()).keys()]).toEqual(['index.html']);
  rmSync(folder, { recursive: true });
  await clock.advance(1_000);
  expect((await look()).size).toBe(0);
  mkdirSync(folder);
  write('index.html', 'b');
  await clock.advance(1_000);
  expect(textOf(await read(await look(), 'index.html'))).toBe('b');
});

test('SAFE-1: what is known stays while a folder cannot be looked at', async () => {
  const { look, clock, folder } = folderOf({ 'index.html': 'a' });
  const first = await read(await look(), 'index.html');
  renameSync(folder, `${folder}-away`);
  // A link that leads to itself is no answer to whether there is a folder.
  symlinkSync(folder, folder);
  await clock.advance(1_000);
  expect(await read(await look(), 'index.html')).toBe(first);
});

test('a file that cannot be read is tried again', async () => {
  const { look, write, folder } = folderOf({ 'index.html': 'a' });
  const files = await look();
  rmSync(join(folder, 'index.html'));
  await expect(read(files, 'index.html')).rejects.toThrow('ENOENT');
  write('index.html', 'b');
  expect(textOf(await read(files, 'index.html'))).toBe('b');
});

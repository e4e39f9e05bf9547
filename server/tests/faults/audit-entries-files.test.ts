import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ConfigStore } from '../../storage/config-store.ts';
import { migrateFolder } from '../../storage/file/migrate.ts';
import { FORMAT } from '../../storage/file/resources/migrations.ts';
import { openConfigStore } from '../../storage/file/resources/config-store.ts';
import { type Content, createDisk } from '../../storage/file/resources/disk.ts';
import { author } from '../conformance/config-store-audit.ts';
import { emptyFolder, MAIN_ID, open, refusalOf } from '../support/config-folder.ts';
import { source, workspace } from '../support/config-resources.ts';
import { textOf } from '../support/config-disk.ts';
import { newFolder } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';

const JS = 'workspaces/main/sources/js';
const FILE = `${MAIN_ID}.audit.jsonl`;

/** A folder whose workspace was changed so often, by somebody who is kept. */
async function folderAfter(changes: number): Promise<string> {
  const folder = emptyFolder();
  const store = await open(folder);
  await store.create('workspaces', workspace('main', MAIN_ID));
  await store.create('sources', source('main', 'js'));
  await change(store, 0, changes);
  await store.close();
  return folder;
}

async function change(store: ConfigStore, from: number, to: number): Promise<void> {
  for (let number = from; number < to; number += 1) {
    const display_name = String(number);
    await store.update('sources', JS, (one) => ({ ...one, display_name }), author(display_name));
  }
}

async function operationsOf(store: ConfigStore): Promise<string[]> {
  const rows = await store.list('audit-entries', 'workspaces/main', { after: 0, limit: 10_000 });
  return rows.map(({ resource }) => resource.operation);
}

const numbers = (to: number): string[] => Array.from({ length: to }, (_, number) => String(number));
const linesOf = (folder: string): number => readFileSync(join(folder, FILE), 'utf8').split('\n').length - 1;

test('CFG-27: a change writes few entries, however many there are, and the older ones once', async () => {
  const folder = await folderAfter(0);
  const real = createDisk();
  const appended: string[] = [];
  const written: number[] = [];
  const disk = {
    ...real,
    append: async (file: string, text: string) => {
      appended.push(text);
      await real.append(file, text);
    },
    replace: async (file: string, content: Content, draft: string) => {
      const text = textOf(content);
      if (file.endsWith('.json')) written.push(text.split('"operation"').length - 1);
      await real.replace(file, text, draft);
    },
  };
  const store = await openConfigStore({ folder, log: new RecordingLog(), disk });
  await change(store, 0, 200);
  expect(Math.max(...written)).toBeLessThan(40);
  const lines = appended.join('').trimEnd().split('\n');
  expect(new Set(lines).size).toBe(lines.length);
  expect(await operationsOf(await open(folder))).toEqual(numbers(200));
});

test('CFG-27: the file of older entries does not grow for ever, and is private', async () => {
  const folder = await folderAfter(2_100);
  expect(linesOf(folder)).toBeLessThan(1_200);
  expect(statSync(join(folder, FILE)).mode & 0o777).toBe(0o600);
  expect((await operationsOf(await open(folder)))[0]).toBe('1100');
});

test.each([
  ['cut off', (text: string) => text.slice(0, 2_000)],
  ['spoilt within', (text: string) => text.replace('"resource":{"name"', '"resource":{"nome"')],
])('CFG-27: a file of older entries that is %s is refused, with the way out', async (_what, spoil) => {
  const folder = await folderAfter(100);
  const file = join(folder, FILE);
  writeFileSync(file, spoil(readFileSync(file, 'utf8')));
  const refusal = await refusalOf(folder);
  expect(refusal).toContain(`${file} is damaged: of 96 entries of the audit it has `);
  expect(refusal).toContain('move it away to go on without what it holds');
});

test('CFG-27: without the file a store goes on, and says how many entries are gone', async () => {
  const folder = await folderAfter(100);
  rmSync(join(folder, FILE));
  const log = new RecordingLog();
  const store = await open(folder, log);
  expect(log.lines.map(({ fields }) => fields)).toMatchObject([{ entries: 96 }]);
  expect(await operationsOf(store)).toEqual(['96', '97', '98', '99']);
  await change(store, 100, 150);
  expect((await operationsOf(await open(folder))).slice(3)).toEqual(numbers(150).slice(99));
});

test('CFG-27: what a killed process copied and did not count is copied again, once', async () => {
  const folder = await folderAfter(100);
  const line = readFileSync(join(folder, FILE), 'utf8').split('\n')[0] ?? '';
  const extra = line.replace(/"sequence":\d+/, '"sequence":9999');
  writeFileSync(join(folder, FILE), `${extra}\n${extra.slice(0, 30)}`, { flag: 'a' });
  const store = await open(folder);
  expect(await operationsOf(store)).toEqual(numbers(100));
  await change(store, 100, 140);
  expect(linesOf(folder)).toBe(128);
  expect(await operationsOf(await open(folder))).toEqual(numbers(140));
});

test('CFG-27: an append that fails halfway is refused, and what it left spoils nothing', async () => {
  const folder = await folderAfter(96);
  const real = createDisk();
  let fails = 1;
  const append = async (file: string, text: string): Promise<void> => {
    fails -= 1;
    await real.append(file, fails < 0 ? text : text.slice(0, 100));
    if (fails >= 0) throw new Error('ENOSPC: no space left on device');
  };
  const store = await openConfigStore({ folder, log: new RecordingLog(), disk: { ...real, append } });
  await expect(change(store, 96, 200)).rejects.toThrow('ENOSPC');
  const made = (await operationsOf(store)).length;
  await change(store, made, 170);
  expect(await operationsOf(await open(folder))).toEqual(numbers(170));
});

test('CFG-27: the entries of a removed workspace go with it', async () => {
  const folder = await folderAfter(100);
  const store = await open(folder);
  await store.remove('workspaces', 'workspaces/main', undefined, author('deleteWorkspace'));
  expect(readdirSync(folder)).toEqual(['root.json']);
});

/** A row of the older format. */
function entry(number: number): string {
  const resource = { name: `workspaces/main/audit-entries/${number + 10}`, ...author(String(number)), resource: JS };
  return JSON.stringify({ kind: 'audit-entries', sequence: number + 10, resource: { ...resource, fields: [] } });
}

test('CFG-27: entries of an older format stand in its file, and are all there after its migration', async () => {
  const config = join(newFolder(), 'config');
  const folder = join(config, '..');
  const made = await folderAfter(0);
  await createDisk().names(config);
  for (const name of readdirSync(made)) {
    const text = readFileSync(join(made, name), 'utf8');
    writeFileSync(join(config, name), text.replace(/"format":\d+/, '"format":10'));
  }
  const file = join(config, `${MAIN_ID}.json`);
  const rows = numbers(300).map((number) => entry(Number(number)));
  const text = readFileSync(file, 'utf8').replace(/"sequence":\d+,"removed"/, '"sequence":400,"removed"');
  writeFileSync(file, text.replace('\n]}', `,\n${rows.join(',\n')}\n]}`));
  writeFileSync(join(config, FILE), 'of a later format that was gone back from\n');
  expect((await migrateFolder(folder, new RecordingLog())).map(({ from, to }) => [from, to])).toEqual([
    [10, FORMAT],
    [10, FORMAT],
  ]);
  expect(readdirSync(join(config, 'format-10.backup')).toSorted()).toEqual(
    [FILE, `${MAIN_ID}.json`, 'root.json'].toSorted(),
  );
  expect(await operationsOf(await open(config))).toEqual(numbers(300));
  const store = await open(config);
  await change(store, 300, 301);
  expect(linesOf(config)).toBe(300);
  expect(await operationsOf(await open(config))).toEqual(numbers(301));
});

import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { edit, filledFolder, MAIN_ID, open, refusalOf, snapshot } from '../support/config-folder.ts';
import { workspace } from '../support/config-resources.ts';

test('what an unfinished write left over is ignored and cleared', async () => {
  const folder = await filledFolder();
  const before = snapshot(folder);
  writeFileSync(join(folder, 'root.json.a'), '{"waybill":"con');
  writeFileSync(join(folder, `${MAIN_ID}.json.b`), '');
  writeFileSync(join(folder, 'notes.a'), 'not of the store');
  const store = await open(folder);
  expect(await store.get('sources', 'workspaces/main/sources/js')).toBeDefined();
  expect(snapshot(folder)).toEqual({ ...before, 'notes.a': 'not of the store' });
});

test.each(['a', 'b'])('a finished write that did not get its name yet (%s) is found and gets it', async (ending) => {
  const folder = await filledFolder();
  const file = join(folder, 'root.json');
  const stale = readFileSync(file, 'utf8');
  const store = await open(folder);
  await store.create('workspaces', workspace('new', '00000000cc'));
  await store.close();
  renameSync(file, `${file}.${ending}`);
  writeFileSync(file, stale);
  writeFileSync(`${file}.${ending === 'a' ? 'b' : 'a'}`, stale);
  const again = await open(folder);
  expect(await again.get('workspaces', 'workspaces/new')).toBeDefined();
  expect(readdirSync(folder).filter((name) => name.startsWith('root'))).toEqual(['root.json']);
  expect(readFileSync(file, 'utf8')).not.toBe(stale);
});

test('a draft that is older than the file is cleared', async () => {
  const folder = await filledFolder();
  const file = join(folder, 'root.json');
  const stale = readFileSync(file, 'utf8');
  const store = await open(folder);
  await store.create('workspaces', workspace('new', '00000000cc'));
  await store.close();
  const before = snapshot(folder);
  writeFileSync(`${file}.a`, stale);
  expect(await (await open(folder)).get('workspaces', 'workspaces/new')).toBeDefined();
  expect(snapshot(folder)).toEqual(before);
});

test('a draft of a later version refuses to open', async () => {
  const folder = await filledFolder();
  const file = join(folder, 'root.json');
  writeFileSync(`${file}.b`, readFileSync(file, 'utf8').replace(/"format":\d+/, '"format":9999'));
  expect(await refusalOf(folder)).toContain(`${file}.b has format 9999`);
});

test('a file of before there were generations is read', async () => {
  const folder = await filledFolder();
  edit(join(folder, 'root.json'), (text) => text.replace(/"generation":\d+,/, ''));
  expect(await (await open(folder)).get('workspaces', 'workspaces/main')).toBeDefined();
});

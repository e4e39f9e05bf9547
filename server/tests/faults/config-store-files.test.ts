import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDisk } from '../../storage/file/resources/disk.ts';
import { faultyRealDisk } from '../support/config-disk.ts';
import { edit, emptyFolder, filledFolder, MAIN_ID, open, refusalOf, snapshot } from '../support/config-folder.ts';
import { workspace } from '../support/config-resources.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { isPossible } from '../support/possible.ts';

test.each(['root.json', `${MAIN_ID}.json`])('a torn %s refuses to open, and names itself', async (name) => {
  const folder = await filledFolder();
  truncateSync(join(folder, name), 100);
  const refusal = await refusalOf(folder);
  expect(refusal).toContain(join(folder, name));
  expect(refusal).toContain('is not whole JSON');
  expect(refusal).toContain('Nothing was touched');
  expect(refusal).toContain('Put a good copy');
});

test('a file that cannot be read refuses to open, and says what to do', async () => {
  const folder = await filledFolder();
  const file = join(folder, `${MAIN_ID}.json`);
  rmSync(file);
  mkdirSync(file);
  const way = 'give this user the right to, or put a good copy in its place';
  await expect(open(folder)).rejects.toThrow(
    `${file} cannot be read (EISDIR: illegal operation on a directory): ${way}`,
  );
});

test('a file cut at any length refuses to open', async () => {
  const folder = await filledFolder();
  const file = join(folder, 'root.json');
  const whole = readFileSync(file, 'utf8');
  for (let length = 0; length < whole.trimEnd().length; length += 7) {
    writeFileSync(file, whole.slice(0, length));
    expect(await refusalOf(folder)).toContain(file);
  }
  writeFileSync(file, whole);
  expect(await (await open(folder)).get('workspaces', 'workspaces/main')).toBeDefined();
});

test.each([
  ['JSON of somebody else', () => '{"hello":"world"}', 'was not written by Waybill'],
  ['a list', () => '[]', 'was not written by Waybill'],
  ['a later format', (text: string) => text.replace(/"format":\d+/, '"format":9999'), 'start the newer version'],
  ['a format of before the first', (text: string) => text.replace(/"format":\d+/, '"format":0'), 'has format 0'],
  ['a generation that is none', (text: string) => text.replace('"generation":', '"generation":-'), 'damaged header'],
  ['a missing sequence', (text: string) => text.replace('"sequence":', '"sequel":'), 'damaged header'],
  ['a row of no kind', (text: string) => text.replace('"kind":"workspaces"', '"kind":"spaces"'), 'no known kind'],
  ['a row without a name', (text: string) => text.replace('"name":"workspaces/main"', '"nom":"x"'), 'no name'],
  ['a workspace without its id', (text: string) => text.replace('"id":"00000000aa"', '"i":"00000000aa"'), 'no id'],
  ['a row twice', (text: string) => text.replaceAll('workspaces/other', 'workspaces/main'), 'stands there twice'],
])('a root file with %s refuses to open', async (_what, change, reason) => {
  const folder = await filledFolder();
  edit(join(folder, 'root.json'), change);
  const refusal = await refusalOf(folder);
  expect(refusal).toContain(join(folder, 'root.json'));
  expect(refusal).toContain(reason);
});

test.each([
  ['null in the place of its keys', '"write_keys":null'],
  ['a number in the place of its keys', '"write_keys":7'],
])('a source with %s refuses to open, and the row is named', async (_what, value) => {
  const folder = await filledFolder();
  edit(join(folder, `${MAIN_ID}.json`), (text) => text.replace(/"write_keys":\[[^\]]*\]/, value));
  expect(await refusalOf(folder)).toContain(
    `${MAIN_ID}.json is damaged in row 1 (workspaces/main/sources/js): a value of`,
  );
});

test('the file of another workspace refuses to open', async () => {
  const folder = await filledFolder();
  edit(join(folder, `${MAIN_ID}.json`), () => readFileSync(join(folder, '00000000bb.json'), 'utf8'));
  expect(await refusalOf(folder)).toContain(`${MAIN_ID}.json belongs to "workspaces/other"`);
});

test('two sources with one write key refuse to open', async () => {
  const folder = await filledFolder();
  edit(join(folder, `${MAIN_ID}.json`), (text) => text.replace('key-main-js', 'key-other-js'));
  expect(await refusalOf(folder)).toContain('belongs to another resource too');
});

test('a lost root file is not taken for an empty store', async () => {
  const folder = await filledFolder();
  rmSync(join(folder, 'root.json'));
  const refusal = await refusalOf(folder);
  expect(refusal).toContain('root.json is missing');
  expect(refusal).toContain(`${MAIN_ID}.json`);
  expect(refusal).toContain('Put a good copy of it back');
});

/** A folder that has an empty workspace as well, and the file of that. */
async function withEmptyWorkspace(): Promise<{ folder: string; file: string }> {
  const folder = await filledFolder();
  const store = await open(folder);
  await store.create('workspaces', workspace('empty', '00000000cc'));
  await store.close();
  return { folder, file: join(folder, '00000000cc.json') };
}

test.each([`${MAIN_ID}.json`, '00000000cc.json'])(
  'ING-10: a lost %s is not taken for an empty workspace',
  async (name) => {
    const { folder } = await withEmptyWorkspace();
    rmSync(join(folder, name));
    const refusal = await refusalOf(folder);
    expect(refusal).toContain(`${join(folder, name)} of workspaces/`);
    expect(refusal).toContain(`make an empty file ${join(folder, name)}.lost`);
  },
);

test('what a lost or a damaged file of a workspace held is given up by its name', async () => {
  const folder = await filledFolder();
  const file = join(folder, `${MAIN_ID}.json`);
  truncateSync(file, 100);
  expect(await refusalOf(folder)).toContain(`rename it to ${file}.lost`);
  renameSync(file, `${file}.lost`);
  const log = new RecordingLog();
  await (await open(folder, log)).close();
  expect(log.lines).toEqual([
    { level: 'warn', fields: { file, workspace: 'workspaces/main' }, message: expect.stringContaining('given up') },
  ]);
  expect(await (await open(folder, log)).get('sources', 'workspaces/other/sources/js')).toBeDefined();
  expect(log.lines).toHaveLength(1);
});

test('a folder of an earlier version, whose empty workspaces have no files, gets them', async () => {
  const { folder, file } = await withEmptyWorkspace();
  edit(join(folder, 'root.json'), (text) => text.replace(',"complete":true', ''));
  rmSync(file);
  const log = new RecordingLog();
  await (await open(folder, log)).close();
  expect(log.lines).toEqual([]);
  expect(existsSync(file)).toBe(true);
  rmSync(file);
  expect(await refusalOf(folder)).toContain(file);
});

test('a full disk keeps no folder of an earlier version from opening, and it gets its files later', async () => {
  const { folder, file } = await withEmptyWorkspace();
  edit(join(folder, 'root.json'), (text) => text.replace(',"complete":true', ''));
  rmSync(file);
  const [log, disk] = [new RecordingLog(), faultyRealDisk()];
  disk.refusal = new Error('ENOSPC: no space left on device, write');
  await (await open(folder, log, disk)).close();
  expect(log.lines).toMatchObject([{ level: 'warn', message: expect.stringContaining('next start makes them') }]);
  await (await open(folder)).close();
  expect(existsSync(file)).toBe(true);
});

test('the creation of a workspace that fails leaves one file, until another one succeeds', async () => {
  const folder = await filledFolder();
  const disk = faultyRealDisk();
  const store = await open(folder, undefined, disk);
  const before = readdirSync(folder);
  const create = (id: string) => store.create('workspaces', workspace('new', id));
  disk.refusals.set('root.json', new Error('ENOSPC: no space left on device, write'));
  for (const id of ['00000000dd', '00000000ee', '00000000ff']) await expect(create(id)).rejects.toThrow('ENOSPC');
  expect(readdirSync(folder).toSorted()).toEqual([...before, '00000000dd.json'].toSorted());
  disk.refusals.clear();
  disk.refusals.set('00000000ee.json', new Error('ENOSPC: no space left on device, write'));
  await expect(create('00000000ee')).rejects.toThrow('ENOSPC');
  expect(readFileSync(join(folder, 'root.json'), 'utf8')).not.toContain('workspaces/new');
  disk.refusals.clear();
  expect(await create('00000000ee')).toBe('created');
  expect(readdirSync(folder).toSorted()).toEqual([...before, '00000000ee.json'].toSorted());
});

test('the creation of a workspace that is killed leaves a file that the next start removes', async () => {
  const folder = await filledFolder();
  const disk = faultyRealDisk();
  const store = await open(folder, undefined, disk);
  const before = readdirSync(folder);
  disk.refusals.set('root.json', new Error('killed'));
  await expect(store.create('workspaces', workspace('new', '00000000dd'))).rejects.toThrow('killed');
  const log = new RecordingLog();
  await (await open(folder, log)).close();
  expect(readdirSync(folder)).toEqual(before);
  expect(log.lines).toEqual([]);
});

test('a write that is told to have failed, and was made, keeps no store from opening', async () => {
  const folder = await filledFolder();
  const disk = faultyRealDisk();
  const store = await open(folder, undefined, disk);
  const file = join(folder, 'root.json');
  disk.afterwards.set('root.json', new Error('EIO: i/o error, rename'));
  await expect(store.create('workspaces', workspace('new', '00000000dd'))).rejects.toThrow('EIO');
  expect(readFileSync(file, 'utf8')).toContain('workspaces/new');
  expect(await (await open(folder)).get('workspaces', 'workspaces/new')).toBeDefined();
});

test('a folder that cannot be made is named', async () => {
  const file = join(emptyFolder(), 'a-file');
  writeFileSync(file, '');
  await expect(open(join(file, 'config'))).rejects.toThrow(`cannot use the folder ${join(file, 'config')}`);
});

test('a folder that cannot be written is named before anything is promised', async () => {
  const folder = emptyFolder();
  const disk = faultyRealDisk();
  disk.refusal = new Error('EROFS: read-only file system');
  await expect(open(folder, undefined, disk)).rejects.toThrow(
    /cannot use the folder .*EROFS.*Give one that can be written/,
  );
});

test('a replace that fails leaves the file whole', async () => {
  const folder = await filledFolder();
  const before = snapshot(folder);
  const disk = createDisk();
  await expect(
    disk.replace(join(folder, 'no-such-folder', 'root.json'), 'x', join(folder, 'no-such-folder', 'root.json.a')),
  ).rejects.toThrow('ENOENT');
  expect(snapshot(folder)).toEqual(before);
});

test.runIf(isPossible(existsSync('/dev/full'), '/dev/full'))(
  'a full disk is an error, and the file stays whole',
  async () => {
    const folder = await filledFolder();
    const before = snapshot(folder);
    const draft = join(folder, 'root.json.a');
    symlinkSync('/dev/full', draft);
    await expect(createDisk().replace(join(folder, 'root.json'), 'x', draft)).rejects.toThrow('ENOSPC');
    expect(snapshot(folder)).toEqual(before);
  },
);

test('a draft that a process left without syncing it is synced before it takes the place of the file', async () => {
  const folder = await filledFolder();
  const [draft, file] = [join(folder, 'root.json.a'), join(folder, 'root.json')];
  writeFileSync(draft, readFileSync(file));
  const { ino } = statSync(draft);
  const handle = await openFile(file);
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  const sync = vi.spyOn(prototype, 'sync');
  await handle.close();
  const synced: number[] = [];
  sync.mockImplementation(async function noted(this: FileHandle) {
    synced.push((await this.stat()).ino, statSync(file).ino === ino ? 1 : 0);
  });
  onTestFinished(() => sync.mockRestore());
  await createDisk().rename(draft, file);
  expect(synced).toEqual([ino, 0, statSync(folder).ino, 1]);
});

test('only the owner may read the files', async () => {
  const folder = await filledFolder();
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
});

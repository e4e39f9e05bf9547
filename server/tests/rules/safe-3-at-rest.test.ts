import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { source, workspace } from '../support/config-resources.ts';
import { newFolder } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { leaksIn } from '../support/leaks.ts';
import { readReleased, unpack } from '../support/released-folder.ts';
import {
  DESTINATION,
  fillWithSecrets,
  keyText,
  readableIn,
  SECRETS,
  type SecretWorld,
  startSecretWorld,
} from '../support/secret-world.ts';
import { idOf, createKeyring } from '../../storage/secrets/keyring.ts';
import { inspectFolder } from '../../storage/file/inspect.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { sourceOfKey } from '../support/source-of-key.ts';

const [FIRST, SECOND] = [keyText(1), keyText(2)];
const IDS = { [FIRST]: idOf(Buffer.alloc(32, 1)), [SECOND]: idOf(Buffer.alloc(32, 2)) };

async function filledFolder(keys: string): Promise<string> {
  const folder = newFolder();
  const world = await startSecretWorld(`file:${folder}`, keys);
  await fillWithSecrets(world);
  await world.stop();
  return folder;
}

/** Waits until a router that has just started has nothing to encrypt any more. */
async function resealed({ log }: SecretWorld): Promise<void> {
  await expect.poll(() => log.lines.some(({ message }) => message === 'stored secrets were encrypted anew')).toBe(true);
}

/** All of the configuration as the API answers it, with its entity tags. */
async function answersOf({ ask }: SecretWorld): Promise<unknown> {
  return [await ask('GET', '/workspaces/main/sources/js'), await ask('GET', `/${DESTINATION}`)];
}

test('SAFE-3: with keys, no secret can be read in a copied data folder', async () => {
  expect(readableIn(await filledFolder(FIRST))).toEqual([]);
});

test('SAFE-3: without keys, each of these secrets is found in the folder', async () => {
  expect(readableIn(await filledFolder(''))).toEqual(Object.values(SECRETS));
});

test.each([
  ['with a key no secret can', FIRST, []],
  ['without a key each of them can', '', Object.values(SECRETS)],
])('SAFE-3: %s be read in a backup of a running router', async (_what, keys, readable) => {
  const world = await startSecretWorld(`file:${newFolder()}`, keys);
  await fillWithSecrets(world);
  const archive = (await world.backup()).toString('latin1');
  expect(archive).toContain('waybill-backup.json');
  expect(leaksIn(archive, Object.values(SECRETS))).toEqual(readable);
});

test('SAFE-3: what was stored in clear is encrypted after a start with a key, and says the same', async () => {
  const folder = await filledFolder('');
  const before = await startSecretWorld(`file:${folder}`, '');
  const answers = await answersOf(before);
  await before.stop();
  const world = await startSecretWorld(`file:${folder}`, FIRST);
  await resealed(world);
  const told = { message: 'encrypting stored secrets anew', fields: { left: 3 } };
  expect(world.log.lines).toContainEqual(expect.objectContaining(told));
  expect(await answersOf(world)).toEqual(answers);
  expect(await world.send()).toBe(200);
  await world.stop();
  expect(readableIn(folder)).toEqual([]);
});

test('SAFE-3: a new key takes the place of the one before, which is not needed afterwards', async () => {
  const folder = await filledFolder(FIRST);
  const both = await startSecretWorld(`file:${folder}`, `${SECOND},${FIRST}`);
  await resealed(both);
  await both.stop();
  const alone = await startSecretWorld(`file:${folder}`, SECOND);
  expect(await alone.send()).toBe(200);
  expect(alone.log.lines.filter(({ message }) => message.includes('anew'))).toEqual([]);
});

test('SAFE-3: "none" before the keys puts everything back in clear', async () => {
  const folder = await filledFolder(FIRST);
  const world = await startSecretWorld(`file:${folder}`, `none,${FIRST}`);
  await resealed(world);
  await world.stop();
  expect(readableIn(folder)).toEqual(Object.values(SECRETS));
  expect(await (await startSecretWorld(`file:${folder}`, '')).send()).toBe(200);
});

test('SAFE-3: what a kill leaves of a change of keys is done after the next start', async () => {
  const folder = newFolder();
  const open = (...keys: Buffer[]) =>
    openStorage(`file:${folder}`, new RecordingLog(), { keyring: createKeyring(keys) });
  const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const before = await open(one);
  for (const slug of ['a', 'b', 'c']) {
    await before.resources.create('workspaces', workspace(slug));
    await before.resources.create('sources', source(slug, 'js'));
  }
  await before.close();
  for (const left of [3, 2, 1]) {
    const storage = await open(two, one);
    expect(await storage.resealing?.left()).toBe(left);
    expect(await storage.resealing?.step()).toBe(1);
    await storage.close();
  }
  const after = await open(two);
  expect([await after.resealing?.left(), await after.resealing?.step()]).toEqual([0, 0]);
  expect((await sourceOfKey(after.resources, 'key-b-js'))?.name).toBe('workspaces/b/sources/js');
  await after.close();
});

test.each([
  ['no key', ''],
  ['another key', SECOND],
])('SAFE-3: %s ends the start with the id of the key that is missing, and changes nothing', async (_what, keys) => {
  const folder = await filledFolder(FIRST);
  const bytes = filesOf(folder);
  const start = startSecretWorld(`file:${folder}`, keys);
  await expect(start).rejects.toThrow(`is encrypted with the key ${IDS[FIRST]}, which was not given`);
  await expect(start).rejects.toThrow('add that key to WAYBILL_SECRET_KEYS');
  expect(filesOf(folder)).toEqual(bytes);
});

test('SAFE-3: a value that was copied from another resource does not open', async () => {
  const folder = await filledFolder(FIRST);
  const [file = ''] = globSync(join(folder, 'config/*.json')).filter((name) => !name.endsWith('root.json'));
  const text = readFileSync(file, 'utf8');
  const [one = '', other = ''] = [...text.matchAll(/"config":"(sealed:[^"]+)"/g)].map(([, value]) => value);
  expect([one, other]).not.toContain('');
  writeFileSync(file, text.replace(other, one));
  const start = startSecretWorld(`file:${folder}`, FIRST);
  await expect(start).rejects.toThrow('was changed, or copied from another resource');
});

test('SAFE-3: copies that migrations made are encrypted too, and opened again on the way back', async () => {
  const released = readReleased('0.1.0');
  const folder = unpack(released);
  const secrets = globSync('config/*.json', { cwd: folder })
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/"write_keys":\["([^"]+)"/g)])
    .map(([, key = '']) => key);
  expect(secrets).not.toEqual([]);
  const found = (): string[] => {
    const texts = globSync('config/**/*.json', { cwd: folder }).map((name) =>
      readFileSync(join(folder, name), 'latin1'),
    );
    return secrets.filter((secret) => texts.some((text) => leaksIn(text, [secret]).length > 0));
  };
  const open = async (keys: readonly (Buffer | 'none')[]): Promise<void> => {
    const storage = await openStorage(`file:${folder}`, new RecordingLog(), { keyring: createKeyring(keys) });
    while (((await storage.resealing?.step()) ?? 0) > 0);
    await storage.close();
  };
  await open([]);
  const [copy = ''] = globSync('config/format-*.backup/root.json', { cwd: folder });
  const before = readFileSync(join(folder, copy), 'utf8');
  expect(found()).toEqual(secrets);
  await open([Buffer.alloc(32, 1)]);
  expect(found()).toEqual([]);
  await open([Buffer.alloc(32, 2), Buffer.alloc(32, 1)]);
  await open(['none', Buffer.alloc(32, 2)]);
  expect(readFileSync(join(folder, copy), 'utf8')).toBe(before);
});

test('SAFE-3: a copy of a version that encrypts as well can be put back as it is', async () => {
  const folder = await filledFolder(FIRST);
  const copies = join(folder, 'config/format-6.backup');
  mkdirSync(copies);
  for (const [name, text] of Object.entries(filesOf(folder, 'config/*.json')))
    writeFileSync(join(copies, basename(name)), text);
  const before = filesOf(copies, '*');
  const restart = async (keys: string) => (await startSecretWorld(`file:${folder}`, keys)).stop();
  await restart(FIRST);
  expect(filesOf(copies, '*')).toEqual(before);
  await restart(`${SECOND},${FIRST}`);
  expect(Object.values(filesOf(copies, '*')).some((text) => text.startsWith(`sealed:${IDS[SECOND]}:`))).toBe(true);
  await restart(`${FIRST},${SECOND}`);
  expect(filesOf(copies, '*')).toEqual(before);
});

test('SAFE-3: an encrypted copy that was put back opens with its key, and without it the start names the key', async () => {
  const folder = unpack(readReleased('0.1.0'));
  const open = async (...keys: Buffer[]): Promise<void> => {
    const storage = await openStorage(`file:${folder}`, new RecordingLog(), { keyring: createKeyring(keys) });
    await storage.close();
  };
  await open(Buffer.alloc(32, 1));
  const before = filesOf(folder, 'config/*.json');
  for (const copy of globSync('config/format-1.backup/*.json', { cwd: folder }))
    copyFileSync(join(folder, copy), join(folder, 'config', basename(copy)));
  await expect(open()).rejects.toThrow(`is encrypted with the key ${IDS[FIRST]}, which was not given`);
  expect(inspectFolder(folder).faults.join()).toContain('is an encrypted copy of a migration: a start with its key');
  await open(Buffer.alloc(32, 1));
  expect(Object.keys(filesOf(folder, 'config/*.json'))).toEqual(Object.keys(before));
});

function filesOf(folder: string, files = 'config/*'): Record<string, string> {
  const names = globSync(files, { cwd: folder });
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

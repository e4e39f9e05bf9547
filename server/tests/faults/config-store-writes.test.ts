import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ConfigStore, StoreUnavailable } from '../../storage/config-store.ts';
import { openConfigStore } from '../../storage/file/resources/config-store.ts';
import { FaultyDisk, faultyRealDisk } from '../support/config-disk.ts';
import { destination, source, workspace } from '../support/config-resources.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { sourceOfKey } from '../support/source-of-key.ts';

const JS = 'workspaces/main/sources/js';

interface Opened {
  readonly store: ConfigStore;
  readonly disk: FaultyDisk;
}

/** A store over memory with two workspaces and one source. */
async function openFilled(): Promise<Opened> {
  const disk = new FaultyDisk();
  const store = await openConfigStore({ folder: '/store', disk, log: new RecordingLog() });
  await store.create('workspaces', workspace('main', '00000000aa'));
  await store.create('workspaces', workspace('other', '00000000bb'));
  await store.create('sources', source('main', 'js'));
  disk.written.length = 0;
  return { store, disk };
}

test('a thousand concurrent creates share two writes at most', async () => {
  const { store, disk } = await openFilled();
  const creates = Array.from({ length: 1000 }, (_, index) => store.create('sources', source('main', `s${index}`)));
  expect(new Set(await Promise.all(creates))).toEqual(new Set(['created']));
  expect(disk.written.length).toBeLessThanOrEqual(2);
});

test('changes that come during a write share the next one', async () => {
  const { store, disk } = await openFilled();
  const release = disk.hold();
  const first = store.create('sources', source('main', 'first'));
  await disk.asked();
  const rest = Array.from({ length: 50 }, (_, index) => store.create('sources', source('main', `s${index}`)));
  release();
  await Promise.all([first, ...rest]);
  expect(disk.written).toHaveLength(2);
});

test('a change writes the file of its own workspace only', async () => {
  const { store, disk } = await openFilled();
  await store.create('destinations', destination(JS));
  await store.update('sources', JS, (current) => ({ ...current, display_name: 'new' }));
  await store.update('workspaces', 'workspaces/main', (current) => ({ ...current, display_name: 'new' }));
  expect(disk.written.map((file) => basename(file))).toEqual(['00000000aa.json', '00000000aa.json', 'root.json']);
});

test('what changes nothing writes nothing', async () => {
  const { store, disk } = await openFilled();
  await store.update('sources', JS, (current) => current);
  await store.create('sources', source('main', 'js'));
  await store.remove('sources', `${JS}2`);
  const refused = store.update('sources', JS, () => {
    throw new Error('refused');
  });
  await expect(refused).rejects.toThrow('refused');
  expect(disk.written).toEqual([]);
});

test('D-13: reads see nothing that is not on disk yet', async () => {
  const { store, disk } = await openFilled();
  const release = disk.hold();
  const create = store.create('sources', source('main', 'ios'));
  const update = store.update('sources', JS, (current) => ({ ...current, display_name: 'new' }));
  await disk.asked();
  expect(await store.get('sources', 'workspaces/main/sources/ios')).toBeUndefined();
  expect(await sourceOfKey(store, 'key-main-ios')).toBeUndefined();
  expect(await store.get('sources', JS)).toMatchObject({ display_name: 'js' });
  release();
  await Promise.all([create, update]);
  expect(await store.get('sources', JS)).toMatchObject({ display_name: 'new' });
});

test('D-13: a write key is good from the end of its write on, and the one before until then', async () => {
  const { store, disk } = await openFilled();
  const known = async () => [await sourceOfKey(store, 'new'), await sourceOfKey(store, 'key-main-js')];
  const release = disk.hold();
  const update = store.update('sources', JS, (current) => ({ ...current, write_keys: ['new'] }));
  await disk.asked();
  expect(await known()).toMatchObject([undefined, { name: JS }]);
  release();
  await update;
  expect(await known()).toMatchObject([{ name: JS }, undefined]);
});

test('even a refusal is not answered when its write fails', async () => {
  const { store, disk } = await openFilled();
  disk.refusal = new Error('ENOSPC: no space left on device');
  const [first, second] = await Promise.allSettled([
    store.create('sources', source('main', 'ios')),
    store.create('sources', source('main', 'ios', 'second-key')),
  ]);
  expect([first, second]).toMatchObject([
    { reason: expect.any(StoreUnavailable) },
    { reason: expect.any(StoreUnavailable) },
  ]);
  disk.refusal = undefined;
  expect(await store.create('sources', source('main', 'ios', 'second-key'))).toBe('created');
});

test('a failed write names its file and the reason', async () => {
  const { store, disk } = await openFilled();
  disk.refusal = new Error('ENOSPC: no space left on device');
  const create = store.create('sources', source('main', 'ios'));
  await expect(create).rejects.toThrow('cannot write /store/00000000aa.json: ENOSPC: no space left on device');
});

test('a create during the removal of its workspace finds no parent', async () => {
  const { store, disk } = await openFilled();
  const release = disk.hold();
  const removal = store.remove('workspaces', 'workspaces/main');
  await disk.asked();
  const create = store.create('sources', source('main', 'late'));
  release();
  expect([await removal, await create]).toEqual([true, 'parent missing']);
  expect(disk.written.map((file) => basename(file))).toEqual(['root.json']);
});

test('a create waits for a removal that fails, and then holds', async () => {
  const { store, disk } = await openFilled();
  const release = disk.hold();
  const removal = store.remove('workspaces', 'workspaces/main');
  await disk.asked();
  const create = store.create('sources', source('main', 'late'));
  release(new Error('EIO: i/o error'));
  await expect(removal).rejects.toThrow(StoreUnavailable);
  expect(await create).toBe('created');
});

test('a workspace id that is in use, or no id, is refused', async () => {
  const { store } = await openFilled();
  await expect(store.create('workspaces', workspace('new', '00000000aa'))).rejects.toThrow('00000000aa is in use');
  await expect(store.create('workspaces', workspace('new', '../../etc'))).rejects.toThrow('10 hex digits');
});

test('a file that outlived its removed workspace is removed at start', async () => {
  const { folder, disk, store, log } = await openOnDisk();
  disk.removalRefusal = new Error('EIO: i/o error');
  expect(await store.remove('workspaces', 'workspaces/main')).toBe(true);
  expect(log.lines).toMatchObject([{ level: 'warn', fields: { file: join(folder, '00000000aa.json') } }]);
  disk.removalRefusal = undefined;
  const again = new RecordingLog();
  const reopened = await openConfigStore({ folder, disk, log: again });
  expect(again.lines).toMatchObject([{ level: 'warn', fields: { file: join(folder, '00000000aa.json') } }]);
  expect(existsSync(join(folder, '00000000aa.json'))).toBe(false);
  await reopened.create('workspaces', workspace('main', '00000000cc'));
  expect(readFileSync(join(folder, 'root.json'), 'utf8')).toContain('"removed":[]');
});

test('a file of no workspace is named in the log and left alone', async () => {
  const { folder, disk, store } = await openOnDisk();
  await store.close();
  writeFileSync(join(folder, '0123456789.json'), 'whatever');
  const log = new RecordingLog();
  await openConfigStore({ folder, disk, log });
  expect(log.lines).toMatchObject([{ level: 'warn', fields: { file: join(folder, '0123456789.json') } }]);
  expect(readFileSync(join(folder, '0123456789.json'), 'utf8')).toBe('whatever');
});

async function openOnDisk(): Promise<Opened & { readonly folder: string; readonly log: RecordingLog }> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [disk, log] = [faultyRealDisk(), new RecordingLog()];
  const store = await openConfigStore({ folder, disk, log });
  await store.create('workspaces', workspace('main', '00000000aa'));
  await store.create('sources', source('main', 'js'));
  return { folder, disk, store, log };
}

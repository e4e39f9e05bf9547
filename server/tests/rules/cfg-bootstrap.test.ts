import { expect, test } from 'vitest';
import { hashToken } from '../../resources/callers.ts';
import { bootstrap } from '../../resources/bootstrap.ts';
import type { ConfigStore } from '../../storage/config-store.ts';
import { openConfigStore } from '../../storage/file/resources/config-store.ts';
import { Memory } from '../../storage/memory/memory.ts';
import { NOW } from '../support/config-api.ts';
import { FaultyDisk } from '../support/config-disk.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { stillClock } from '../support/still-clock.ts';

const clock = stillClock(() => NOW);

function open(disk = new FaultyDisk()): Promise<ConfigStore> {
  return openConfigStore({ folder: '/config', disk, log: new RecordingLog() });
}

test('an empty store gets a workspace and a token for everything', async () => {
  const store = await open();
  const first = await bootstrap({ store, clock, workspace: 'main' });
  expect(first).toEqual({ kind: 'made', plaintext: expect.stringMatching(/^[A-Za-z0-9_-]{43}\.[A-Za-z0-9_-]{43}$/) });
  expect(await store.tokenByHash(hashToken(first.kind === 'made' ? first.plaintext : ''))).toMatchObject({
    scopes: 'workspace',
    workspace_names: [],
  });
  expect(await store.get('workspaces', 'workspaces/main')).toMatchObject({ display_name: 'main' });
});

test('a token that is given is taken, and not made', async () => {
  const store = await open();
  expect(await bootstrap({ store, clock, workspace: 'shop', token: 'given' })).toEqual({ kind: 'stored' });
  expect(await store.tokenByHash(hashToken('given'))).toBeDefined();
});

test('a store with a token is left alone, also after a restart', async () => {
  const disk = new FaultyDisk();
  const options = { clock, workspace: 'main', token: 'given' };
  await bootstrap({ ...options, store: await open(disk) });
  const store = await open(disk);
  expect(await bootstrap({ ...options, store, token: 'another', workspace: 'another' })).toEqual({ kind: 'ignored' });
  expect(await bootstrap({ ...options, store })).toEqual({ kind: 'known' });
  expect(await bootstrap({ clock, workspace: 'main', store })).toEqual({ kind: 'known' });
  expect(await store.tokenByHash(hashToken('another'))).toBeUndefined();
  expect(await store.get('workspaces', 'workspaces/another')).toBeUndefined();
});

test('a start that was cut short is made up for', async () => {
  const disk = new FaultyDisk();
  const store = await open(disk);
  await store.create('workspaces', {
    name: 'workspaces/main',
    display_name: 'main',
    id: '0123456789',
    create_time: '',
  });
  expect(await bootstrap({ store, clock, workspace: 'main' })).toMatchObject({ kind: 'made' });
  expect(await store.list('workspaces', '', { after: 0, limit: 9 })).toHaveLength(1);
});

test.each(['two words', '', 'ümlaut', 'line\nbreak'])(
  'a first token of %j is refused without showing it',
  async (token) => {
    const store = await open();
    const refused = bootstrap({ store, clock, workspace: 'main', token });
    await expect(refused).rejects.toThrow('must be printable ASCII without spaces');
    expect(await store.list('workspaces', '', { after: 0, limit: 9 })).toEqual([]);
  },
);

test('a first workspace with a bad slug is refused', async () => {
  const refused = bootstrap({ store: await open(), clock, workspace: 'a/b' });
  await expect(refused).rejects.toThrow('workspace.name must be workspaces/<slug>');
});

test('D-65: routers that start together on an empty storage make one workspace and one token', async () => {
  const memory = new Memory({ clock, hearLater: () => undefined });
  const stores = ['one', 'two', 'three'].map((name) => memory.open(name).resources);
  const starts = stores.map((store, index) => bootstrap({ store, clock, workspace: `w${index}` }));
  const kinds = (await Promise.all(starts)).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(['known', 'known', 'made']);
  for (const store of stores) {
    expect(await store.list('workspaces', '', { after: 0, limit: 9 })).toHaveLength(1);
    expect(await store.list('access-tokens', '', { after: 0, limit: 9 })).toHaveLength(1);
  }
});

test('D-65: a token that routers are given together is the first, and known to each', async () => {
  const memory = new Memory({ clock, hearLater: () => undefined });
  const stores = ['one', 'two'].map((name) => memory.open(name).resources);
  const starts = stores.map((store) => bootstrap({ store, clock, workspace: 'main', token: 'given' }));
  expect((await Promise.all(starts)).map(({ kind }) => kind).toSorted()).toEqual(['known', 'stored']);
});

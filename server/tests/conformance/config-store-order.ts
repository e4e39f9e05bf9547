import { expect } from 'vitest';
import type { ConfigStore } from '../../storage/config-store.ts';
import { source, workspace } from '../support/config-resources.ts';
import type { Fact } from './config-store.ts';

const MAIN = 'workspaces/main';

async function names(store: ConfigStore, after = 0, limit = 1000): Promise<string[]> {
  const rows = await store.list('sources', MAIN, { after, limit });
  return rows.map(({ resource }) => resource.display_name);
}

async function lastSequence(store: ConfigStore): Promise<number> {
  return (await store.list('sources', MAIN, { after: 0, limit: 1000 })).at(-1)?.sequence ?? 0;
}

async function fill(store: ConfigStore, ...slugs: string[]): Promise<void> {
  await store.create('workspaces', workspace('main'));
  for (const slug of slugs) await store.create('sources', source('main', slug));
}

export const ORDER_FACTS: readonly Fact[] = [
  {
    title: 'CFG-6: a list is in order of creation',
    check: async ({ store, reopen }) => {
      await fill(store, 'c', 'a', 'b');
      await store.update('sources', `${MAIN}/sources/c`, (current) => ({ ...current, labels: { changed: 'yes' } }));
      expect(await names(store)).toEqual(['c', 'a', 'b']);
      expect(await names(await reopen())).toEqual(['c', 'a', 'b']);
    },
  },
  {
    title: 'CFG-6: a page holds what comes after a row, up to its limit',
    check: async ({ store }) => {
      await fill(store, 'a', 'b', 'c', 'd', 'e');
      const [first, second] = await store.list('sources', MAIN, { after: 0, limit: 2 });
      expect([first?.resource.display_name, second?.resource.display_name]).toEqual(['a', 'b']);
      await store.remove('sources', `${MAIN}/sources/b`);
      expect(await names(store, second?.sequence, 2)).toEqual(['c', 'd']);
      expect(await names(store, await lastSequence(store), 2)).toEqual([]);
    },
  },
  {
    title: 'CFG-6: a sequence is never given twice',
    check: async ({ store, reopen }) => {
      await fill(store, 'a', 'b');
      const before = await lastSequence(store);
      await store.remove('sources', `${MAIN}/sources/b`);
      const reopened = await reopen();
      await reopened.create('sources', source('main', 'c'));
      expect(await lastSequence(reopened)).toBeGreaterThan(before);
    },
  },
  {
    title: 'a list holds one collection and nothing else',
    check: async ({ store }) => {
      await fill(store, 'a');
      await store.create('workspaces', workspace('other'));
      await store.create('sources', source('other', 'b'));
      expect(await names(store)).toEqual(['a']);
      expect(await store.list('workspaces', '', { after: 0, limit: 9 })).toHaveLength(2);
      expect(await store.list('access-tokens', '', { after: 0, limit: 9 })).toEqual([]);
      expect(await store.list('sources', 'workspaces/none', { after: 0, limit: 9 })).toEqual([]);
      expect(await store.list('destinations', `${MAIN}/sources/a`, { after: 0, limit: 9 })).toEqual([]);
    },
  },
];

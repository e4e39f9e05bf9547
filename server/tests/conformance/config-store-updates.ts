import { expect } from 'vitest';
import type { Resources } from '../../model/resources.ts';
import { KeyTaken } from '../../storage/config-store.ts';
import { source, workspace } from '../support/config-resources.ts';
import type { Fact } from './config-store.ts';
import { sourceOfKey } from '../support/source-of-key.ts';

type Source = Resources['sources'];

const JS = 'workspaces/main/sources/js';

function renamed<R extends { readonly display_name: string }>(current: R): R {
  return { ...current, display_name: 'new' };
}

function labeled(name: string): (current: Source) => Source {
  return (current) => ({ ...current, labels: { ...current.labels, [name]: 'yes' } });
}

export const UPDATE_FACTS: readonly Fact[] = [
  {
    title: 'an update answers what is then read',
    check: async ({ store }) => {
      await store.create('workspaces', workspace('main'));
      const answer = await store.update('workspaces', 'workspaces/main', renamed);
      expect(answer).toEqual({ ...workspace('main'), display_name: 'new' });
      expect(await store.get('workspaces', 'workspaces/main')).toEqual(answer);
      expect(Object.isFrozen(answer)).toBe(true);
    },
  },
  {
    title: 'an update of what is not there is undefined',
    check: async ({ store }) => {
      await store.create('workspaces', workspace('main'));
      expect(await store.update('sources', JS, renamed)).toBeUndefined();
      expect(await store.update('sources', 'workspaces/none/sources/js', renamed)).toBeUndefined();
    },
  },
  {
    title: 'no update is lost among concurrent ones',
    check: async ({ store }) => {
      await store.create('workspaces', workspace('main'));
      await store.create('sources', source('main', 'js'));
      const labels = Array.from({ length: 50 }, (_, index) => `label-${index}`);
      await Promise.all(labels.map((name) => store.update('sources', JS, labeled(name))));
      const { labels: found = {} } = (await store.get('sources', JS)) ?? {};
      expect(Object.keys(found).toSorted()).toEqual(labels.toSorted());
    },
  },
  {
    title: 'a change that throws is refused alone',
    check: async ({ store }) => {
      await store.create('workspaces', workspace('main'));
      await store.create('sources', source('main', 'js'));
      const refusal = new Error('refused');
      const [before, refused, after] = await Promise.allSettled([
        store.update('sources', JS, (current) => ({ ...current, display_name: 'a' })),
        store.update('sources', JS, () => {
          throw refusal;
        }),
        store.update('sources', JS, (current) => ({ ...current, catalog_name: 'b' })),
      ]);
      expect([before?.status, after?.status]).toEqual(['fulfilled', 'fulfilled']);
      expect(refused).toEqual({ status: 'rejected', reason: refusal });
      expect(await store.get('sources', JS)).toMatchObject({ display_name: 'a', catalog_name: 'b' });
    },
  },
  {
    title: 'an update cannot rename, nor take a foreign write key',
    check: async ({ store }) => {
      await store.create('workspaces', workspace('main'));
      await store.create('sources', source('main', 'js', 'js-key'));
      await store.create('sources', source('main', 'ios', 'ios-key'));
      const rename = store.update('sources', JS, (current) => ({ ...current, name: `${JS}2` }));
      await expect(rename).rejects.toThrow(/may not change name/);
      const steal = store.update('sources', JS, (current) => ({ ...current, write_keys: ['ios-key'] }));
      await expect(steal).rejects.toThrow(KeyTaken);
      expect(await store.get('sources', JS)).toEqual(source('main', 'js', 'js-key'));
    },
  },
  {
    title: 'D-10: write keys follow an update',
    check: async ({ store }) => {
      await store.create('workspaces', workspace('main'));
      await store.create('sources', source('main', 'js', 'old'));
      await store.update('sources', JS, (current) => ({ ...current, write_keys: ['new'] }));
      expect(await sourceOfKey(store, 'new')).toMatchObject({ name: JS });
      expect(await sourceOfKey(store, 'old')).toBeUndefined();
      expect(await store.create('sources', source('main', 'ios', 'old'))).toBe('created');
    },
  },
  {
    title: 'D-10: a key that comes back in the same write stays good',
    check: async ({ store }) => {
      await store.create('workspaces', workspace('main'));
      await store.create('sources', source('main', 'js', 'old'));
      const withKeys = (...write_keys: string[]) =>
        store.update('sources', JS, (current) => ({ ...current, write_keys }));
      await Promise.all([withKeys('new'), withKeys('old', 'third'), withKeys('old')]);
      expect(await sourceOfKey(store, 'old')).toMatchObject({ name: JS });
      for (const gone of ['new', 'third']) expect(await sourceOfKey(store, gone)).toBeUndefined();
      expect(await store.create('sources', source('main', 'ios', 'old'))).toBe('write key taken');
      expect(await store.create('sources', source('main', 'android', 'third'))).toBe('created');
    },
  },
];

import { expect } from 'vitest';
import type { Resources } from '../../model/resources.ts';
import { type ConfigStore, type Creation, KeyTaken } from '../../storage/config-store.ts';
import {
  audience,
  computedTrait,
  destination,
  source,
  token,
  trackingPlan,
  workspace,
} from '../support/config-resources.ts';
import { author } from './config-store-audit.ts';
import type { Fact } from './config-store.ts';
import { sourceOfKey } from '../support/source-of-key.ts';

const MAIN = 'workspaces/main';
const JS = `${MAIN}/sources/js`;

async function fill(store: ConfigStore): Promise<void> {
  await store.create('workspaces', workspace('main'));
  await store.create('workspaces', workspace('other'));
  await store.create('sources', source('main', 'js'));
  await store.create('sources', source('main', 'js2'));
  await store.create('destinations', destination(JS));
  await store.create('tracking-plans', trackingPlan('main', 'rs_1'));
}

/** As somebody asks for it who has a token of these workspaces; without any, of all. */
function createAs(store: ConfigStore, one: Resources['sources'], workspaces = [one.parent]): Promise<Creation> {
  return store.create('sources', one, undefined, undefined, { ...author('createSource'), workspaces });
}

/** Nobody of `other` gets the key, in a new source or in one that is there. */
async function expectKept(store: ConfigStore, key: string): Promise<void> {
  expect(await createAs(store, source('other', 'a', key))).toBe('write key taken');
  const taking = store.update('sources', 'workspaces/other/sources/own', (one) => ({ ...one, write_keys: [key] }), {
    ...author('updateSource'),
    workspaces: ['workspaces/other'],
  });
  await expect(taking).rejects.toThrow(KeyTaken);
}

export const REMOVAL_FACTS: readonly Fact[] = [
  {
    title: 'a removal says whether there was something',
    check: async ({ store }) => {
      await fill(store);
      expect(await store.remove('sources', JS)).toBe(true);
      expect(await store.remove('sources', JS)).toBe(false);
      expect(await store.remove('workspaces', 'workspaces/none')).toBe(false);
      expect(await store.remove('sources', 'workspaces/none/sources/js')).toBe(false);
      expect(await store.get('sources', JS)).toBeUndefined();
    },
  },
  {
    title: 'a removed source takes its destinations along',
    check: async ({ store }) => {
      await fill(store);
      await store.remove('sources', JS);
      expect(await store.get('destinations', `${JS}/destinations/webhooks`)).toBeUndefined();
      expect(await store.get('sources', `${JS}2`)).toBeDefined();
      await store.create('sources', source('main', 'js'));
      expect(await store.list('destinations', JS, { after: 0, limit: 9 })).toEqual([]);
    },
  },
  {
    title: 'D-72: the keys of removed audiences and computed traits stay behind, in their workspace',
    check: async ({ store, reopen }) => {
      await fill(store);
      await store.create('audiences', audience('main', 'aud_1', 'buyers'));
      await store.create('computed-traits', computedTrait('main', 'tra_1', 'spent'));
      const keys = async (from: ConfigStore): Promise<string[]> => {
        const rows = await from.list('computation-keys', MAIN, { after: 0, limit: 9 });
        return rows.map(({ resource }) => resource.name);
      };
      expect(await keys(store)).toEqual([]);
      await store.remove('audiences', `${MAIN}/audiences/aud_1`);
      await store.remove('computed-traits', `${MAIN}/computed-traits/tra_1`);
      const kept = [`${MAIN}/computation-keys/buyers`, `${MAIN}/computation-keys/spent`];
      expect(await keys(store)).toEqual(kept);
      expect(await keys(await reopen())).toEqual(kept);
    },
  },
  {
    title: 'a removed workspace takes everything below it along',
    check: async ({ store, reopen }) => {
      await fill(store);
      expect(await store.remove('workspaces', MAIN)).toBe(true);
      await store.create('workspaces', { ...workspace('main'), id: '0123456789' });
      for (const view of [store, await reopen()]) {
        expect(await view.list('sources', MAIN, { after: 0, limit: 9 })).toEqual([]);
        expect(await view.get('tracking-plans', `${MAIN}/tracking-plans/rs_1`)).toBeUndefined();
        expect(await sourceOfKey(view, 'key-main-js')).toBeUndefined();
        expect(await view.get('workspaces', 'workspaces/other')).toBeDefined();
      }
    },
  },
  {
    title: 'CFG-12, D-8: tokens of a removed workspace see none that is made under its name',
    check: async ({ store, reopen }) => {
      await fill(store);
      const bound = { all: [], own: [MAIN], both: [MAIN, 'workspaces/other'], later: ['workspaces/later'] };
      for (const [id, workspace_names] of Object.entries(bound))
        await store.create('access-tokens', { ...token(id), workspace_names });
      const limits = { workspace_names: bound.both, resource_names: [JS, 'workspaces/other/sources/a'] };
      await store.create('access-tokens', { ...token('limited'), ...limits });
      await store.remove('workspaces', MAIN);
      // An earlier version kept the token when its workspace was removed.
      await store.create('workspaces', workspace('later'));
      for (const view of [store, await reopen()]) {
        for (const id of ['own', 'later']) expect(await view.tokenByHash(`hash-of-${id}`)).toBeUndefined();
        const reach = async (id: string) => {
          const { workspace_names: names, resource_names } = (await view.tokenByHash(`hash-of-${id}`)) ?? {};
          return [names, resource_names];
        };
        expect(await reach('all')).toEqual([[], undefined]);
        expect(await reach('both')).toEqual([['workspaces/other'], undefined]);
        expect(await reach('limited')).toEqual([['workspaces/other'], ['workspaces/other/sources/a']]);
        expect(await view.list('access-tokens', '', { after: 0, limit: 9 })).toHaveLength(3);
      }
    },
  },
  {
    title: 'D-10: the write keys of what was removed are free',
    check: async ({ store }) => {
      await fill(store);
      await store.remove('sources', JS);
      expect(await sourceOfKey(store, 'key-main-js')).toBeUndefined();
      expect(await store.create('sources', source('other', 'a', 'key-main-js'))).toBe('created');
      await store.remove('workspaces', MAIN);
      expect(await store.create('sources', source('other', 'b', 'key-main-js2'))).toBe('created');
    },
  },
  {
    title: 'CFG-16, D-10: a write key that a workspace had goes to no tenant of another one',
    check: async ({ store, reopen }) => {
      await fill(store);
      await store.create('sources', source('other', 'own'));
      await store.update('sources', JS, (one) => ({ ...one, write_keys: ['new'] }));
      await store.remove('sources', `${JS}2`);
      for (const view of [store, await reopen()])
        for (const key of ['key-main-js', 'key-main-js2']) await expectKept(view, key);
      expect(await createAs(store, source('main', 'again', 'key-main-js'))).toBe('created');
      await store.remove('workspaces', MAIN);
      const last = await reopen();
      for (const view of [store, last])
        for (const key of ['new', 'key-main-js', 'key-main-js2']) await expectKept(view, key);
      await last.create('workspaces', { ...workspace('main'), id: '0123456789' });
      expect(await createAs(last, source('main', 'js', 'new'))).toBe('created');
      expect(await createAs(last, source('other', 'moved', 'key-main-js2'), [])).toBe('created');
      const both = [MAIN, 'workspaces/other'];
      expect(await createAs(last, source('other', 'own-of-both', 'key-main-js'), both)).toBe('created');
    },
  },
  {
    title: 'CFG-16, D-87: when a workspace was removed is kept at the root until there is one of its name again',
    check: async ({ store, reopen }) => {
      await fill(store);
      const removal = author('deleteWorkspace', '2026-03-01T00:00:00.000Z');
      await store.remove('workspaces', MAIN, undefined, removal);
      await store.remove('workspaces', 'workspaces/other');
      const names = ['main', 'other'].map((slug) => `removed-workspaces/${slug}`);
      const times = async (view: ConfigStore) =>
        Promise.all(names.map(async (name) => (await view.get('removed-workspaces', name))?.create_time));
      // Nobody asked for the other one.
      for (const view of [store, await reopen()]) expect(await times(view)).toEqual([removal.create_time, '']);
      const last = await reopen();
      await last.create('workspaces', { ...workspace('main'), id: '0123456789' }, undefined, (one, { get }) => {
        expect(get('removed-workspaces', 'removed-workspaces/main')).toMatchObject({
          create_time: removal.create_time,
        });
        return one;
      });
      expect(await times(last)).toEqual([undefined, '']);
      expect(await last.remove('removed-workspaces', 'removed-workspaces/other')).toBe(true);
      expect(await times(await reopen())).toEqual([undefined, undefined]);
    },
  },
  {
    title: 'a removal check sees siblings and what stands below',
    check: async ({ store }) => {
      await fill(store);
      const seen: unknown[] = [];
      await store.remove('sources', JS, (resource, { siblings, has }) => {
        seen.push(
          resource.name,
          siblings().map(({ name }) => name),
          has('destinations'),
          has('tracking-plans'),
        );
      });
      expect(seen).toEqual([JS, [`${JS}2`], true, false]);
    },
  },
  {
    title: 'a removal check that throws keeps everything',
    check: async ({ store }) => {
      await fill(store);
      const refused = store.remove('workspaces', MAIN, (_resource, { has }) => {
        if (has('sources')) throw new Error('still has sources');
      });
      await expect(refused).rejects.toThrow('still has sources');
      expect(await store.get('sources', JS)).toBeDefined();
      expect(await store.create('sources', source('main', 'later'))).toBe('created');
    },
  },
  {
    title: 'concurrent removals cannot both see the other as left',
    check: async ({ store }) => {
      await store.create('access-tokens', token('1'));
      await store.create('access-tokens', token('2'));
      const removal = (id: string): Promise<boolean> =>
        store.remove('access-tokens', `access-tokens/${id}`, (_token, { siblings }) => {
          if (siblings().length === 0) throw new Error('the last one stays');
        });
      const outcomes = await Promise.allSettled([removal('1'), removal('2')]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(await store.list('access-tokens', '', { after: 0, limit: 9 })).toHaveLength(1);
    },
  },
  {
    title: 'a create that races the removal of its workspace leaves nothing',
    check: async ({ store, reopen }) => {
      await fill(store);
      const creates = Array.from({ length: 5 }, (_, index) => store.create('sources', source('main', `new-${index}`)));
      const removal = store.remove('workspaces', MAIN);
      creates.push(store.create('sources', source('main', 'later')));
      expect(await removal).toBe(true);
      await Promise.all(creates);
      for (const view of [store, await reopen()]) {
        for (const slug of ['new-0', 'later']) {
          expect(await view.get('sources', `${MAIN}/sources/${slug}`)).toBeUndefined();
          expect(await sourceOfKey(view, `key-main-${slug}`)).toBeUndefined();
        }
      }
    },
  },
];

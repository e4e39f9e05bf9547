import { expect } from 'vitest';
import {
  audience,
  computedTrait,
  destination,
  source,
  token,
  trackingPlan,
  workspace,
} from '../support/config-resources.ts';
import type { Fact } from './config-store.ts';
import { sourceOfKey } from '../support/source-of-key.ts';

export const CREATION_FACTS: readonly Fact[] = [
  {
    title: 'what was created is read back as it was given',
    check: async ({ store }) => {
      const js = source('main', 'js');
      expect(await store.create('workspaces', workspace('main'))).toBe('created');
      expect(await store.create('sources', js)).toBe('created');
      expect(await store.get('workspaces', 'workspaces/main')).toEqual(workspace('main'));
      expect(await store.get('sources', js.name)).toEqual(js);
      expect(await store.get('sources', 'workspaces/main/sources/other')).toBeUndefined();
      expect(await store.get('destinations', js.name)).toBeUndefined();
    },
  },
  {
    title: 'of concurrent creates no more take place than there is room for',
    check: async ({ store }) => {
      await store.create('workspaces', workspace('main'));
      await store.create('sources', source('main', 'js'));
      const parent = 'workspaces/main/sources/js';
      const creates = ['a', 'b', 'c'].map((slug) => store.create('destinations', destination(parent, slug), 2));
      expect((await Promise.all(creates)).toSorted()).toEqual(['created', 'created', 'no room']);
      expect(await store.create('destinations', destination(parent, 'd'), 3)).toBe('created');
      expect(await store.create('destinations', destination(parent, 'e'))).toBe('created');
    },
  },
  {
    title: 'what is created is fitted to what stands in its workspace, one creation after the other',
    check: async ({ store }) => {
      await store.create('workspaces', workspace('main'));
      await store.create('workspaces', workspace('other'));
      await store.create('computed-traits', computedTrait('main', 'tra_1'));
      await store.create('audiences', audience('other', 'aud_0'));
      const creates = ['aud_1', 'aud_2', 'aud_3'].map((id) =>
        store.create('audiences', audience('main', id), 9, (one, home) => {
          const standing = [...home.all('audiences'), ...home.all('computed-traits')];
          return { ...one, display_name: `${standing.length} before it` };
        }),
      );
      expect(await Promise.all(creates)).toEqual(['created', 'created', 'created']);
      const rows = await store.list('audiences', 'workspaces/main', { after: 0, limit: 9 });
      const names = rows.map(({ resource }) => resource.display_name);
      expect(names).toEqual(['1 before it', '2 before it', '3 before it']);
    },
  },
  {
    title: 'a creation that is refused by what stands leaves nothing',
    check: async ({ store }) => {
      await store.create('workspaces', workspace('main'));
      const refused = store.create('audiences', audience('main', 'aud_1'), 9, () => {
        throw new Error('does not fit');
      });
      await expect(refused).rejects.toThrow('does not fit');
      expect(await store.get('audiences', audience('main', 'aud_1').name)).toBeUndefined();
    },
  },
  {
    title: 'CFG-16: a second create of a name changes nothing',
    check: async ({ store }) => {
      await store.create('workspaces', workspace('main'));
      await store.create('sources', source('main', 'js'));
      const second = { ...source('main', 'js', 'other-key'), display_name: 'second' };
      expect(await store.create('sources', second)).toBe('name taken');
      expect(await store.get('sources', second.name)).toMatchObject({ display_name: 'js' });
      expect(await sourceOfKey(store, 'other-key')).toBeUndefined();
    },
  },
  {
    title: 'CFG-16: of concurrent creates of one name one wins',
    check: async ({ store }) => {
      await store.create('workspaces', workspace('main'));
      const creates = Array.from({ length: 20 }, (_, index) =>
        store.create('sources', { ...source('main', 'js', `key-${index}`), display_name: `${index}` }),
      );
      const answers = await Promise.all(creates);
      expect(answers.filter((answer) => answer === 'created')).toHaveLength(1);
      expect(answers.filter((answer) => answer === 'name taken')).toHaveLength(19);
      const winner = String(answers.indexOf('created'));
      expect(await store.get('sources', 'workspaces/main/sources/js')).toMatchObject({ display_name: winner });
    },
  },
  {
    title: 'CFG-15: nothing is created below a missing parent',
    check: async ({ store }) => {
      await store.create('workspaces', workspace('main'));
      expect(await store.create('sources', source('other', 'js'))).toBe('parent missing');
      expect(await store.create('tracking-plans', trackingPlan('other', 'rs_1'))).toBe('parent missing');
      const orphan = destination('workspaces/main/sources/js');
      expect(await store.create('destinations', orphan)).toBe('parent missing');
      expect(await store.get('destinations', orphan.name)).toBeUndefined();
    },
  },
  {
    title: 'D-10: a write key belongs to one source of the store',
    check: async ({ store }) => {
      await store.create('workspaces', workspace('main'));
      await store.create('workspaces', workspace('other'));
      const answers = await Promise.all([
        store.create('sources', source('main', 'js', 'same')),
        store.create('sources', source('other', 'js', 'same')),
        store.create('sources', source('main', 'ios', 'same')),
      ]);
      expect(answers.toSorted()).toEqual(['created', 'write key taken', 'write key taken']);
      const [owner] = [await sourceOfKey(store, 'same')];
      expect(await store.get('sources', owner?.name ?? '')).toEqual(owner);
      expect(await store.create('sources', source('other', 'ios', 'same'))).toBe('write key taken');
    },
  },
  {
    title: 'D-8: a token is found by its hash alone',
    check: async ({ store }) => {
      await store.create('access-tokens', token('1'));
      expect(await store.tokenByHash('hash-of-1')).toEqual(token('1'));
      expect(await store.tokenByHash('hash-of-2')).toBeUndefined();
      expect(await sourceOfKey(store, 'hash-of-1')).toBeUndefined();
    },
  },
  {
    title: 'slugs that differ in case are different resources',
    check: async ({ store }) => {
      await store.create('workspaces', workspace('main', '00000000aa'));
      await store.create('workspaces', workspace('MAIN', '00000000bb'));
      await store.create('sources', source('main', 'js'));
      expect(await store.create('sources', source('MAIN', 'js'))).toBe('created');
      expect(await store.create('sources', source('main', 'JS'))).toBe('created');
      expect(await store.list('sources', 'workspaces/MAIN', { after: 0, limit: 9 })).toHaveLength(1);
    },
  },
  {
    title: 'nobody can change what the store holds',
    check: async ({ store }) => {
      const given = { ...workspace('main') };
      await store.create('workspaces', given);
      given.display_name = 'changed after the create';
      await store.create('sources', source('main', 'js'));
      const held = await store.get('sources', 'workspaces/main/sources/js');
      expect(await store.get('workspaces', 'workspaces/main')).toEqual(workspace('main'));
      expect([held, held?.labels, held?.write_keys].every((part) => Object.isFrozen(part))).toBe(true);
    },
  },
];

import { expect } from 'vitest';
import { StoreUnavailable } from '../../storage/config-store.ts';
import {
  destination,
  source,
  token,
  trackingPlan,
  workspace,
  filter,
  regulation,
} from '../support/config-resources.ts';
import type { Fact } from './config-store.ts';
import { sourceOfKey } from '../support/source-of-key.ts';

const JS = 'workspaces/main/sources/js';

export const DURABILITY_FACTS: readonly Fact[] = [
  {
    title: 'D-13: every kind is there after the process was killed',
    check: async ({ store, reopen }) => {
      await store.create('access-tokens', token('1'));
      await store.create('workspaces', workspace('main'));
      await store.create('sources', source('main', 'js'));
      await store.create('destinations', destination(JS));
      await store.create('tracking-plans', trackingPlan('main', 'rs_1'));
      await store.create('filters', filter(`${JS}/destinations/webhooks`, 'df_1'));
      await store.create('regulations', regulation('main', 'rg_1'));
      const again = await reopen();
      expect(await again.tokenByHash('hash-of-1')).toEqual(token('1'));
      expect(await again.get('workspaces', 'workspaces/main')).toEqual(workspace('main'));
      expect(await sourceOfKey(again, 'key-main-js')).toEqual(source('main', 'js'));
      expect(await again.get('destinations', `${JS}/destinations/webhooks`)).toEqual(destination(JS));
      expect(await again.list('tracking-plans', 'workspaces/main', { after: 0, limit: 9 })).toHaveLength(1);
      const [destinationName, planned] = [`${JS}/destinations/webhooks`, regulation('main', 'rg_1')];
      expect(await again.get('filters', `${destinationName}/filters/df_1`)).toEqual(filter(destinationName, 'df_1'));
      expect(await again.get('regulations', planned.name)).toEqual(planned);
      expect(await again.create('sources', source('main', 'js'))).toBe('name taken');
      expect(await again.create('sources', source('main', 'ios', 'key-main-js'))).toBe('write key taken');
    },
  },
  {
    title: 'D-13: updates and removals are there after a kill too',
    check: async ({ store, reopen }) => {
      await store.create('workspaces', workspace('main'));
      await store.create('sources', source('main', 'js'));
      await store.create('sources', source('main', 'ios'));
      await store.update('sources', JS, (current) => ({ ...current, display_name: 'new' }));
      await store.remove('sources', 'workspaces/main/sources/ios');
      const again = await reopen();
      expect(await again.get('sources', JS)).toMatchObject({ display_name: 'new' });
      expect(await again.get('sources', 'workspaces/main/sources/ios')).toBeUndefined();
    },
  },
  {
    title: 'a change that cannot be written leaves nothing behind',
    needs: 'refuseWrites',
    check: async ({ store, reopen, refuseWrites = unable }) => {
      await store.create('workspaces', workspace('main'));
      await store.create('sources', source('main', 'js'));
      refuseWrites(true);
      const changes = await Promise.allSettled([
        store.create('sources', source('main', 'ios')),
        store.update('sources', JS, (current) => ({ ...current, display_name: 'new' })),
        store.remove('sources', JS),
        store.remove('workspaces', 'workspaces/main'),
        store.create('access-tokens', token('1')),
      ]);
      for (const change of changes) expect(change).toMatchObject({ reason: expect.any(StoreUnavailable) });
      for (const view of [store, await reopen()]) {
        expect(await view.get('sources', JS)).toEqual(source('main', 'js'));
        expect(await sourceOfKey(view, 'key-main-js')).toEqual(source('main', 'js'));
        expect(await sourceOfKey(view, 'key-main-ios')).toBeUndefined();
        expect(await view.tokenByHash('hash-of-1')).toBeUndefined();
      }
    },
  },
  {
    title: 'what could not be written can be asked for again',
    needs: 'refuseWrites',
    check: async ({ store, refuseWrites = unable }) => {
      await store.create('workspaces', workspace('main'));
      refuseWrites(true);
      await expect(store.create('sources', source('main', 'js'))).rejects.toThrow(StoreUnavailable);
      refuseWrites(false);
      expect(await store.create('sources', source('main', 'js'))).toBe('created');
      expect(await sourceOfKey(store, 'key-main-js')).toMatchObject({ name: JS });
    },
  },
  {
    title: 'close waits for what was asked, and then nothing changes',
    check: async ({ store, reopen }) => {
      await store.create('workspaces', workspace('main'));
      const asked = store.create('sources', source('main', 'js'));
      await store.close();
      expect(await (await reopen()).get('sources', JS)).toBeDefined();
      expect(await asked).toBe('created');
      await expect(store.create('sources', source('main', 'ios'))).rejects.toThrow(StoreUnavailable);
    },
  },
];

function unable(): never {
  throw new Error('this place can always be written');
}

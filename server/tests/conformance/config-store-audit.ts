import { expect } from 'vitest';
import type { AuditEntry } from '../../model/resources.ts';
import { type Author, type ConfigStore, StoreUnavailable } from '../../storage/config-store.ts';
import { destination, source, workspace } from '../support/config-resources.ts';
import type { Fact } from './config-store.ts';

const MAIN = 'workspaces/main';
const JS = `${MAIN}/sources/js`;
const WEBHOOKS = `${JS}/destinations/webhooks`;

export function author(operation: string, createTime = '2026-11-20T12:00:00.000Z'): Author {
  const token = { token: 'access-tokens/1', token_description: 'of CI', address: '192.0.2.1' };
  return { create_time: createTime, operation, ...token };
}

async function entriesOf(store: ConfigStore, parent = MAIN): Promise<AuditEntry[]> {
  const rows = await store.list('audit-entries', parent, { after: 0, limit: 10_000 });
  return rows.map(({ resource }) => resource);
}

/** Changes of a source, all asked for at once; their operations are their numbers. */
async function rename(store: ConfigStore, from: number, to: number): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  const change = (display_name: string) =>
    store.update('sources', JS, (one) => ({ ...one, display_name }), author(display_name));
  await Promise.all(numbers.map((number) => change(String(number))));
}

const operationsOf = async (store: ConfigStore): Promise<string[]> =>
  (await entriesOf(store)).map(({ operation }) => operation);

export const AUDIT_FACTS: readonly Fact[] = [
  {
    title: 'CFG-27: a change that has an author is stored with an entry, and no other is',
    check: async ({ store }) => {
      await store.create('workspaces', workspace('main'), undefined, undefined, author('createWorkspace'));
      await store.create('sources', source('main', 'js'));
      await store.create('destinations', destination(JS), undefined, undefined, author('createDestination'));
      await store.create('destinations', destination(JS), undefined, undefined, author('createDestination'));
      await store.update('destinations', WEBHOOKS, (one) => one, author('updateDestination'));
      await store.update('destinations', WEBHOOKS, (one) => ({ ...one, enabled: true }), author('updateDestination'));
      await store.remove('sources', JS, undefined, author('deleteSource'));
      await store.remove('sources', JS, undefined, author('deleteSource'));
      const [made] = await entriesOf(store, '');
      expect(made).toEqual({ ...author('createWorkspace'), name: made?.name, resource: MAIN, fields: [] });
      expect((await entriesOf(store)).map(({ operation, resource, fields }) => [operation, resource, fields])).toEqual([
        ['createDestination', WEBHOOKS, []],
        ['updateDestination', WEBHOOKS, ['enabled']],
        ['deleteSource', JS, []],
      ]);
    },
  },
  {
    title: 'CFG-27: entries that are too old go with the next one, and those of a workspace with it',
    check: async ({ store }) => {
      await store.create('workspaces', workspace('main'));
      const times = ['2026-01-01', '2026-03-01', '2026-05-01'].map((day) => `${day}T00:00:00.000Z`);
      for (const [index, time] of times.entries())
        await store.create('sources', source('main', `s${index}`), undefined, undefined, author('createSource', time));
      expect((await entriesOf(store)).map((entry) => entry.create_time)).toEqual(times.slice(1));
      await store.remove('workspaces', MAIN, undefined, author('deleteWorkspace'));
      expect(await entriesOf(store)).toEqual([]);
      expect((await entriesOf(store, '')).map(({ operation }) => operation)).toEqual(['deleteWorkspace']);
    },
  },
  {
    title: 'CFG-27: entries are there after a kill, as they were, in their order and with the last change',
    check: async ({ store, reopen }) => {
      await store.create('workspaces', workspace('main'));
      await store.create('sources', source('main', 'js'));
      // One after the other, and many in one commit.
      for (let number = 0; number < 40; number += 1) await rename(store, number, number + 1);
      await rename(store, 40, 140);
      const before = await entriesOf(store);
      const again = await reopen();
      expect(await entriesOf(again)).toEqual(before);
      expect(before).toMatchObject(
        Array.from({ length: 140 }, (_, number) => ({
          ...author(String(number)),
          resource: JS,
          fields: ['display_name'],
        })),
      );
      expect(await again.get('sources', JS)).toMatchObject({ display_name: '139' });
      await rename(again, 140, 141);
      expect((await operationsOf(await reopen())).at(-1)).toBe('140');
    },
  },
  {
    title: 'CFG-27: of too many entries the oldest are gone, after a kill too',
    check: async ({ store, reopen }) => {
      await store.create('workspaces', workspace('main'));
      await store.create('sources', source('main', 'js'));
      await rename(store, 0, 990);
      for (let number = 990; number < 1_030; number += 1) await rename(store, number, number + 1);
      for (const view of [store, await reopen()]) {
        const operations = await operationsOf(view);
        expect([operations.length, operations[0], operations.at(-1)]).toEqual([1_000, '30', '1029']);
      }
    },
  },
  {
    title: 'CFG-27: a change that cannot be written leaves no entry, and the next one has its own',
    needs: 'refuseWrites',
    check: async ({ store, reopen, refuseWrites }) => {
      await store.create('workspaces', workspace('main'));
      await store.create('sources', source('main', 'js'));
      for (let number = 0; number < 70; number += 1) {
        refuseWrites?.(true);
        await expect(rename(store, 1_000 + number, 1_001 + number)).rejects.toThrow(StoreUnavailable);
        refuseWrites?.(false);
        await rename(store, number, number + 1);
      }
      const expected = Array.from({ length: 70 }, (_, number) => String(number));
      for (const view of [store, await reopen()]) expect(await operationsOf(view)).toEqual(expected);
    },
  },
];

import { expect } from 'vitest';
import type { AuditEntry } from '../../model/resources.ts';
import { type Author, type ConfigStore } from '../../storage/config-store.ts';
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
  const rows = await store.list('audit-entries', parent, { after: 0, limit: 100 });
  return rows.map(({ resource }) => resource);
}

export const AUDIT_FACTS: readonly Fact[] = [
  {
    title: 'a change that has an author is stored with an entry, and no other is',
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
    title: 'entries that are too old go with the next one, and those of a workspace with it',
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
];

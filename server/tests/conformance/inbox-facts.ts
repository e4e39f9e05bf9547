import { expect } from 'vitest';
import { StaleRouting } from '../../storage/errors.ts';
import type { Inbox } from '../../storage/inbox.ts';
import { batchOf } from '../support/memory-storage.ts';
import type { DeliveryStoreFact } from './delivery-store.ts';
import { accepted, message } from './delivery-store-events.ts';

const SOURCE = 'workspaces/main/sources/js';

/** What audiences are to see of events is stored with them. */
export const INBOX_FACTS: readonly DeliveryStoreFact[] = [
  {
    title: 'AUD-6: what is caught of an event is in the inbox, in the order of acceptance, with a route or without',
    check: async ({ store, reopen }) => {
      const routed = { ...accepted('m1', true), caught: '{"a":1}' };
      const odd = '\u0000\ud800😀"\\';
      const none = { message: message('m2'), routes: [], caught: JSON.stringify({ b: odd }) };
      await store.accept(batchOf([routed, accepted('m3', false), none]));
      const other = { ...message('m4'), source: 'workspaces/other/sources/ios' };
      await store.accept(batchOf([{ message: other, routes: [], caught: '{"c":3}' }]));
      const all = await caughtIn(await reopen());
      expect(all.map(([source, caught]) => [source, JSON.parse(caught)])).toEqual([
        [SOURCE, { a: 1 }],
        [SOURCE, { b: odd }],
        [other.source, { c: 3 }],
      ]);
    },
  },
  {
    title: 'AUD-6: nothing is caught of a duplicate, nor of what is refused, nor a second time under the same key',
    check: async ({ store, setVersion }) => {
      const one = { ...accepted('m1', false), caught: '1' };
      const batch = batchOf([one, { ...one, caught: '2' }]);
      await store.accept(batch);
      await store.accept(batch);
      await store.accept(batchOf([{ ...one, caught: '3' }]));
      await setVersion(7);
      const late = batchOf([{ ...accepted('m2', false), caught: '4' }]);
      await expect(store.accept({ ...late, version: 6 })).rejects.toThrow(StaleRouting);
      expect(await caughtIn(store)).toEqual([[SOURCE, '1']]);
    },
  },
  {
    title: 'AUD-6: the inbox is read behind an id, and what is cleared is gone for good, its ids too',
    needsOwnInbox: true,
    check: async ({ store, reopen }) => {
      for (const id of ['m1', 'm2', 'm3']) await store.accept(batchOf([{ ...accepted(id, false), caught: id }]));
      const [first, second, third] = await store.readInbox({ after: 0, limit: 10 });
      expect(await store.readInbox({ after: first?.id ?? 0, limit: 1 })).toEqual([second]);
      await store.clearInbox({ upTo: second?.id ?? 0 });
      expect(await store.readInbox({ after: 0, limit: 10 })).toEqual([third]);
      await store.clearInbox({ upTo: third?.id ?? 0 });
      const reopened = await reopen();
      await reopened.accept(batchOf([{ ...accepted('m4', false), caught: 'm4' }]));
      const [next, ...rest] = await reopened.readInbox({ after: third?.id ?? 0, limit: 10 });
      expect([next?.caught, rest]).toEqual(['m4', []]);
    },
  },
  {
    title: 'AUD-6: what one workspace caught is read and cleared alone, and it is known what was caught last',
    needsOwnInbox: true,
    check: async ({ store }) => {
      expect(await store.lastCaught()).toBe(0);
      // A name that begins with that of another is of another.
      const sources = [
        'main/sources/js',
        'other/sources/js',
        'main/sources/js',
        'main2/sources/js',
        'main/sources/ios',
      ];
      const names = sources.map((one) => `workspaces/${one}`);
      for (const [index, source] of names.entries())
        await store.accept(batchOf([{ message: { ...message(`m${index}`), source }, routes: [], caught: `${index}` }]));
      const workspace = 'workspaces/main';
      const of = { workspace, upTo: await store.lastCaught() };
      const [first, second] = await store.readInbox({ after: 0, limit: 2, of });
      expect([first?.caught, second?.caught]).toEqual(['0', '2']);
      const [one, two] = [first?.id ?? 0, second?.id ?? 0];
      expect(await store.readInbox({ after: 0, limit: 9, of: { workspace, upTo: one } })).toEqual([first]);
      await store.clearInbox({ upTo: two, of: { workspace, after: one } });
      expect((await caughtIn(store)).map(([, caught]) => caught)).toEqual(['0', '1', '3', '4']);
      await store.clearInbox({ upTo: two, of: { workspace, after: 0 } });
      expect((await caughtIn(store)).map(([, caught]) => caught)).toEqual(['1', '3', '4']);
      const [last, ...rest] = await store.readInbox({ after: two, limit: 9, of });
      expect([last?.caught, rest, last?.id]).toEqual(['4', [], await store.lastCaught()]);
    },
  },
  {
    title: 'AUD-6: an inbox that is older than the profiles goes on behind what they have seen',
    needsOwnInbox: true,
    check: async ({ store, reopen }) => {
      await store.continueInbox({ after: 500 });
      await store.accept(batchOf([{ ...accepted('m1', false), caught: 'm1' }]));
      const reopened = await reopen();
      await reopened.continueInbox({ after: 400 });
      await reopened.accept(batchOf([{ ...accepted('m2', false), caught: 'm2' }]));
      const behind = await reopened.readInbox({ after: 500, limit: 10 });
      expect(behind.map(({ caught }) => caught)).toEqual(['m1', 'm2']);
    },
  },
];

async function caughtIn(inbox: Inbox): Promise<readonly [source: string, caught: string][]> {
  return (await inbox.readInbox({ after: 0, limit: 100 })).map(({ source, caught }) => [source, caught]);
}

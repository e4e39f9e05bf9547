import { MAX_TOLD } from '../../storage/delivery-log.ts';
import { expect } from 'vitest';
import type { Attempt } from '../../model/delivery.ts';
import { type LogFilter, type LoggedDelivery, successTimeClass } from '../../model/logged-delivery.ts';
import type { HourlyAddition } from '../../storage/delivery-log.ts';
import type { Verbs } from '../../storage/verbs.ts';
import { batchOf } from '../support/memory-storage.ts';
import { momentAt } from '../support/still-clock.ts';
import { messageOf } from '../support/engine.ts';
import type { DeliveryStoreFact } from './delivery-store.ts';
import { A, allPages, B, ended, message, NOW, recordOf } from './delivery-store-events.ts';

export const ATTEMPT: Attempt = {
  webhook: 'https://a.test/',
  number: 0,
  startedAt: NOW,
  durationMs: 5,
  phases: { connectMs: 1, sendMs: 0, waitMs: 4 },
  outcome: 'http_5xx',
  status: 503,
  excerpt: 'no',
  rule: 'temporary_failure_is_retried',
};

/** What became of deliveries can be read. */
export const LOG_FACTS: readonly DeliveryStoreFact[] = [
  {
    title: 'D-31: attempts survive, with round and next due time',
    check: async ({ store, reopen }) => {
      const claim = await ended(store, 'm1', 'trying');
      // The wall reads NOW + 5 at the end of the round, and the process counts NOW + 105.
      const verdict = { state: 'pending', dueAt: NOW + 110, setAt: NOW + 105, closed: [], tries: 1 } as const;
      await store.record([{ ...recordOf(claim, verdict), attempts: [ATTEMPT], endedAt: NOW + 5 }]);
      const story = await (await reopen()).read({ destination: A, delivery: claim.delivery });
      expect(story).toMatchObject({ state: 'pending', messageId: 'm1', rounds: 1, dueAt: NOW + 110, replays: 0 });
      expect(story?.attempts).toEqual([{ ...ATTEMPT, round: 1, nextDueAt: NOW + 10 }]);
      expect(story).not.toHaveProperty('endedAt');
    },
  },
  {
    title: 'D-31: an attempt that is reported again is kept once, and one that comes late is kept',
    check: async ({ store }) => {
      const claim = await ended(store, 'm1', 'trying');
      const round = { ...recordOf(claim, { state: 'delivered' }), attempts: [ATTEMPT] };
      expect((await store.record([round])).refused).toEqual([]);
      const late = { ...ATTEMPT, webhook: 'https://b.test/', number: 1 };
      expect((await store.record([round, { ...round, attempts: [late] }])).refused).toEqual([0, 1]);
      const story = await store.read({ destination: A, delivery: claim.delivery });
      expect(story?.attempts.map(({ number, webhook }) => [number, webhook])).toEqual([
        [0, 'https://a.test/'],
        [1, 'https://b.test/'],
      ]);
    },
  },
  {
    title: 'SAFE-2: an attempt is recorded whatever characters its webhook and its answer have',
    check: async ({ store }) => {
      const claim = await ended(store, 'm1', 'trying');
      const attempt = { ...ATTEMPT, webhook: 'https://a.test/\0', excerpt: 'n\0' };
      const round = { ...recordOf(claim, { state: 'failed' }), attempts: [attempt] };
      expect((await store.record([round])).refused).toEqual([]);
      const story = await store.read({ destination: A, delivery: claim.delivery });
      expect(story).toMatchObject({ state: 'failed', attempts: [{ number: 0, status: 503 }] });
    },
  },
  {
    title: 'SAFE-2: of a delivery that was tried again and again the last attempts are read',
    check: async ({ store }) => {
      const claim = await ended(store, 'm1', 'trying');
      const attempts = Array.from({ length: MAX_TOLD + 9 }, (_, number) => ({ ...ATTEMPT, number }));
      await store.record([{ ...recordOf(claim, { state: 'failed' }), attempts }]);
      const story = await store.read({ destination: A, delivery: claim.delivery });
      expect(story?.attempts.map(({ number }) => number)).toEqual(attempts.slice(9).map(({ number }) => number));
    },
  },
  {
    title: 'a delivery is found below its own destination only',
    check: async ({ store }) => {
      const { delivery } = await ended(store, 'm1', 'failed');
      expect(await store.read({ destination: A, delivery })).toMatchObject({ delivery });
      expect(await store.read({ destination: B, delivery })).toBeUndefined();
      expect(await store.list({ destination: B, filter: {}, limit: 10 })).toEqual({ deliveries: [] });
      expect(await store.replay({ destination: B, delivery, at: momentAt(NOW) })).toBe('missing');
    },
  },
  {
    title: 'the pages of the log show each delivery once, newest first, also within one moment',
    check: async ({ store }) => {
      for (const id of ['m1', 'm2', 'm3', 'm4', 'm5']) await ended(store, id, 'failed');
      const found = await listed(store, {}, 2);
      expect(found.map(({ messageId }) => messageId)).toEqual(['m5', 'm4', 'm3', 'm2', 'm1']);
    },
  },
  {
    title: 'behind a place that no page gave there is nothing',
    check: async ({ store }) => {
      await ended(store, 'm1', 'failed');
      for (const before of [
        '',
        'x',
        '1',
        '1.2.3',
        '1e99.1',
        `1.${'9'.repeat(40)}`,
        '-1.-1',
        'NaN.NaN',
        '9.1e30',
        '\u0000',
      ])
        expect(await store.list({ destination: A, filter: {}, before, limit: 9 })).toEqual({ deliveries: [] });
    },
  },
  {
    title: 'the pages of the log show what was stored while they were read, if its place is ahead',
    check: async ({ store }) => {
      for (const [id, at] of [
        ['m1', 10],
        ['m2', 20],
        ['m3', 30],
      ] as const) {
        await ended(store, id, 'failed', at);
      }
      const first = await store.list({ destination: A, filter: {}, limit: 2 });
      // Accepted before the last page begins, and committed after it was read.
      await ended(store, 'late', 'failed', 15);
      const rest = await store.list({ destination: A, filter: {}, limit: 9, before: first.next ?? '' });
      expect(rest.deliveries.map(({ messageId }) => messageId)).toEqual(['late', 'm1']);
    },
  },
  {
    title: 'the log is searched by what any client may send as an event or a user',
    check: async ({ store }) => {
      for (const text of ['a\0b', 'é', 'e\u0301', '%', '__proto__']) {
        const event = messageOf({ now: () => NOW }, { messageId: text, type: 'track', event: text, userId: text });
        await store.accept(batchOf([{ message: event, routes: [{ destination: A, claimed: false }] }]));
        const found = [await listed(store, { userId: text }, 10), await listed(store, { event: text }, 10)];
        expect(found.map((list) => list.map(({ messageId }) => messageId))).toEqual([[text], [text]]);
      }
    },
  },
  {
    title: 'the log is searched by state, type, event, user and time',
    check: async ({ store }) => {
      await ended(store, 'old', 'failed', 0);
      await ended(store, 'young', 'delivered', 10);
      const odd = messageOf({ now: () => NOW + 5 }, { messageId: 'odd', type: 'track', event: 'Odd', userId: 'ada' });
      await store.accept(batchOf([{ message: odd, routes: [{ destination: A, claimed: false }] }]));
      const chosen = async (filter: LogFilter): Promise<string[]> =>
        (await listed(store, filter, 10)).map(({ messageId }) => messageId);
      expect(await chosen({ states: ['failed'] })).toEqual(['old']);
      expect(await chosen({ states: ['pending', 'delivered'] })).toEqual(['young', 'odd']);
      expect(await chosen({ event: 'Odd' })).toEqual(['odd']);
      expect(await chosen({ userId: 'ada' })).toEqual(['odd']);
      expect(await chosen({ type: 'page' })).toEqual([]);
      expect(await chosen({ from: NOW + 5 })).toEqual(['young', 'odd']);
      expect(await chosen({ to: NOW + 5 })).toEqual(['old']);
    },
  },
  {
    title: 'a filter that chooses little of much finds it in the end',
    check: async ({ store }) => {
      await store.accept(batchOf([{ message: message('rare'), routes: [{ destination: A, claimed: false }] }]));
      const many = Array.from({ length: 2_500 }, (_, index) => ({
        message: messageOf({ now: () => NOW + 1 }, { messageId: `m${index}`, userId: 'often' }),
        routes: [{ destination: A, claimed: false }],
      }));
      await store.accept(batchOf(many));
      expect((await listed(store, { userId: 'u1' }, 10)).map(({ messageId }) => messageId)).toEqual(['rare']);
    },
  },
  {
    title: 'what ends is counted by hour and destination, and what is retried by its cause',
    check: async ({ store }) => {
      const claim = await ended(store, 'm1', 'trying');
      const retried = { state: 'pending', dueAt: NOW, setAt: NOW, closed: [], tries: 1 } as const;
      await store.record([{ ...recordOf(claim, retried), attempts: [ATTEMPT] }]);
      const { claims } = await store.claim({ which: 'due', destination: A, now: NOW, limit: 1 });
      const delivered = claims.map((one) => ({ ...recordOf(one, { state: 'delivered' }), ageMs: 250 }));
      await store.record(delivered);
      await store.record(delivered);
      const counted = async (destination: string, from: number): Promise<unknown> =>
        (await store.counts({ destination, from, to: from + 1 })).toSorted((a, b) => (a.what < b.what ? -1 : 1));
      expect(await counted(A, NOW)).toEqual([
        { hour: NOW, what: 'delivered', count: 1 },
        { hour: NOW, what: 'retried:503', count: 1 },
        { hour: NOW, what: `time:${successTimeClass(250)}`, count: 1 },
      ]);
      expect(await counted(B, NOW)).toEqual([]);
      expect(await counted(A, NOW + 3_600_000)).toEqual([]);
    },
  },
  {
    title: 'counts are added up by destination, and how deliveries ended by hour, whoever counted them',
    check: async ({ store, other }) => {
      const neighbor = (await other?.()) ?? store;
      const [first, second] = [NOW, NOW + 3_600_000];
      await store.addCounts([added(A, first, 'delivered', 2), added(A, second, 'delivered', 3)]);
      await neighbor.addCounts([added(A, first, 'delivered', 10), added(B, first, 'failed', 5)]);
      await store.addCounts([added(A, first, 'time:7', 4), added('workspaces/x/sources/s', first, 'failed', 90)]);
      await store.addCounts([added(A, first - 1, 'failed', 90), added(B, second + 3_600_000, 'failed', 90)]);
      const sums = await store.sums({ destinations: [A, B, `${A}-unknown`], from: first + 5, to: second + 1 });
      expect(sums.destinations.toSorted((a, b) => (a.what < b.what ? -1 : 1))).toEqual([
        { destination: A, what: 'delivered', count: 15 },
        { destination: B, what: 'failed', count: 5 },
        { destination: A, what: 'time:7', count: 4 },
      ]);
      expect(sums.hours.toSorted((a, b) => a.hour - b.hour || (a.what < b.what ? -1 : 1))).toEqual([
        { hour: first, what: 'delivered', count: 12 },
        { hour: first, what: 'failed', count: 5 },
        { hour: second, what: 'delivered', count: 3 },
      ]);
      expect(await store.sums({ destinations: [], from: first, to: second })).toEqual({ destinations: [], hours: [] });
    },
  },
];

function added(of: string, at: number, what: string, count: number): HourlyAddition {
  return { of, hour: at - (at % 3_600_000), what, count };
}

function listed(store: Verbs, filter: LogFilter, limit: number): Promise<LoggedDelivery[]> {
  return allPages(async (before) => {
    const page = await store.list({ destination: A, filter, limit, ...(before === undefined ? {} : { before }) });
    return { rows: page.deliveries, next: page.next };
  });
}

import { expect } from 'vitest';
import type { Comparison, Plan } from '../../audiences/plan.ts';
import { valueOfTiles } from '../../audiences/tile-values.ts';
import {
  caught,
  EVERYBODY,
  measure,
  measured,
  membersOf,
  type ProfileFact,
  space,
  T,
  tell,
  valuesOf,
  where,
} from './profile-place.ts';

const TOTAL = measure('amounts', "event = 'Bought'", 'properties.total');
const ITEMS = measure('values', "event = 'Bought'", 'properties.item');
const SPACES = [space(TOTAL)];

function bought(at: number, userId: string, properties: Record<string, unknown>): ReturnType<typeof caught> {
  return caught(at, { event: 'Bought', userId, properties });
}

const SAID_BEFORE = [
  '2016-12-31T23:59:60Z',
  '2017-01-01T00:00:00+00:01',
  '0000-02-29',
  '20161231T2359',
  '2016-1-5',
  '2016-12-31T24:00:00Z',
];
const SAID_AFTER = ['2017-01-01T00:00:00.001Z', '2017-01-01t00:00:00-24:00', '9999-12-31T23:59:59.999Z'];
/** Dates that there were not, parts that are missing or too great, and digits alone. */
const NO_TIMES = [
  '2017-02-29',
  '2017-01',
  '2016-12-31T24:00:01Z',
  '2017-01-01T00:00:61Z',
  '2017-01-01T00:00:00 Z',
  '12017-01-01',
  '20170101',
];

function identified(userId: string, traits: Record<string, unknown>): ReturnType<typeof caught> {
  return caught(-1, { type: 'identify', userId, traits });
}

function trait(name: string, is: Comparison): Plan {
  return { kind: 'trait', name, is };
}

/** Numbers, times, lists and ids at the end of what there is. */
export const EDGE_FACTS: readonly ProfileFact[] = [
  {
    title: 'AUD-10: a number beyond 1e100 is not added up, as sums of such are no numbers any more',
    check: async (place) => {
      for (const total of [1e305, 1e308, 1e308, -1e308, -1e308])
        await tell(place, SPACES, bought(-1, 'ada', { total }));
      await tell(place, SPACES, ...[1e308, 1e308].map((total) => bought(-1, 'bob', { total })));
      await tell(place, SPACES, ...[-1e308, -1e308].map((total) => bought(-1, 'bob', { total })));
      await tell(place, SPACES, bought(-1, 'bob', { total: 7 }), bought(-3, 'cyd', { total: -1e100 }));
      expect(await valuesOf(place, measured(TOTAL, 'count'))).toEqual({ ada: 5, bob: 5, cyd: 1 });
      expect(await valuesOf(place, measured(TOTAL, 'sum'))).toEqual({ bob: 7, cyd: -1e100 });
      expect(await valuesOf(place, measured(TOTAL, 'max'))).toEqual({ bob: 7, cyd: -1e100 });
      expect(await membersOf(place, where(measured(TOTAL, 'sum', 'zero'), { lt: 5 }))).toEqual(['ada', 'cyd']);
    },
  },
  {
    title: 'AUD-6: what is of the year 1 counts there, and no profile costs a look at each day since',
    check: async (place) => {
      const measures = Array.from({ length: 40 }, (_, index) => measure('amounts', `properties.total >= ${index}`));
      const [timestamp, { receivedAt }] = ['0001-01-01T00:00:00.000Z', JSON.parse(caught(0, {}).caught)];
      const event = { userId: 'ada', properties: { total: 50 } };
      await tell(place, [space(...measures)], caught(0, { ...event, timestamp, receivedAt }), caught(-1, event));
      const asked = { space: space().id, user: 'ada', measures: measures.map(({ id }) => id) };
      const tiles = (await place.profiles.profile(asked))?.tiles ?? [];
      const hours = new Set(tiles.map(({ hour }) => hour));
      expect([tiles.length, ...hours]).toEqual([80, Date.parse(timestamp) / 3_600_000 - 1, T - 1]);
      await place.profiles.erase({
        workspace: 'workspaces/main',
        userIds: ['ada'],
        spaces: async () => [space(...measures)],
      });
      expect(await place.profiles.profile(asked)).toBeUndefined();
    },
  },
  {
    title: 'AUD-10: sums and averages are rounded to as many decimals as there is room for',
    check: async (place) => {
      for (const total of [1_700_000_023_758, 1_700_000_055_434]) {
        await tell(place, SPACES, bought(-1, `of ${total}`, { total }), bought(-1, 'ada', { total }));
      }
      await tell(place, SPACES, ...[0.1, 0.2].map((total) => bought(-1, 'bob', { total })));
      await tell(place, SPACES, ...[2 ** 60, 2 ** 60].map((total) => bought(-1, 'cyd', { total })));
      await tell(place, SPACES, ...[5_000_000_000.125, 0.0625].map((total) => bought(-1, 'eve', { total })));
      const own = { 'of 1700000023758': 1_700_000_023_758, 'of 1700000055434': 1_700_000_055_434 };
      const sums = { ada: 3_400_000_079_192, bob: 0.3, cyd: 2 ** 61, eve: 5_000_000_000.188, ...own };
      expect(await valuesOf(place, measured(TOTAL, 'sum'))).toEqual(sums);
      const averages = { ada: 1_700_000_039_596, bob: 0.15, cyd: 2 ** 60, eve: 2_500_000_000.094, ...own };
      expect(await valuesOf(place, measured(TOTAL, 'avg'))).toEqual(averages);
    },
  },
  {
    title: 'AUD-10: an average of the smallest numbers that there are is 0',
    check: async (place) => {
      for (const total of [5e-324, -0, 0]) await tell(place, SPACES, bought(-1, 'ada', { total }));
      expect(await valuesOf(place, measured(TOTAL, 'avg'))).toEqual({ ada: 0 });
      expect(await valuesOf(place, measured(TOTAL, 'max'))).toEqual({ ada: 5e-324 });
    },
  },
  {
    title: 'AUD-10: a list has as many values, in their order, as 8 KB of JSON have room for',
    check: async (place) => {
      const [first, wide] = ['a'.repeat(4_094), 'ä'.repeat(2_045)];
      const lists = {
        full: [first, `${wide}x`],
        // What comes behind would have room, and does not count.
        over: [first, `${wide}xy`, '\u{1F600}'],
        many: Array.from({ length: 900 }, (_, index) => `item ${1_000 + index}`),
      };
      for (const [userId, items] of Object.entries(lists)) {
        await tell(place, [space(ITEMS)], ...items.map((item) => bought(-1, userId, { item })));
      }
      const found = await valuesOf(place, measured(ITEMS, 'list'));
      expect(found).toEqual({ full: lists.full, over: [first], many: lists.many.slice(0, 682) });
      expect(Buffer.byteLength(JSON.stringify(found['full']))).toBe(8_192);
      const asked = { space: space().id, user: 'over', measures: [ITEMS.id] };
      const tiles = (await place.profiles.profile(asked))?.tiles ?? [];
      expect(valueOfTiles(measured(ITEMS, 'list'), tiles)).toEqual([first]);
    },
  },
  {
    title: 'AUD-6: of whose tiles there are more than 2 MB, the value is known, and the tiles are not told',
    check: async (place) => {
      const SIZE = 4_000;
      const counts = { some: 500, more: 501 };
      for (const [userId, count] of Object.entries(counts)) {
        const items = Array.from({ length: count }, (_, index) => `${index} `.padEnd(SIZE - 102, 'x'));
        await tell(place, [space(ITEMS)], ...items.map((item) => bought(-1, userId, { item })));
      }
      expect(await valuesOf(place, measured(ITEMS, 'distinct'))).toEqual(counts);
      const asked = { space: space().id, measures: [ITEMS.id] };
      expect((await place.profiles.profile({ ...asked, user: 'some' }))?.tiles).toHaveLength(counts.some);
      expect((await place.profiles.profile({ ...asked, user: 'more' }))?.tiles).toBeUndefined();
    },
  },
  {
    title: 'AUD-7: an id of more than 1000 bytes is of nobody, and is refused and counted',
    check: async (place) => {
      const [longest, long] = ['ä'.repeat(500), `${'ä'.repeat(500)}x`];
      const event = { event: 'Bought' };
      await place.catches([
        ...[longest, long].map((userId) => caught(-1, { ...event, userId })),
        caught(-1, { ...event, userId: long, anonymousId: 'a' }),
        caught(-1, { ...event, userId: 'ada', anonymousId: long }),
        caught(-1, { ...event, anonymousId: long }),
        caught(-1, { type: 'alias', previousId: long, userId: 'ada' }),
      ]);
      const folded = await place.profiles.fold({ spaces: async () => SPACES, limit: 9 });
      expect(folded).toMatchObject({ events: 6, refusedIds: 7 });
      expect(await membersOf(place, EVERYBODY)).toEqual(['ada', longest]);
      expect(await valuesOf(place, measured(TOTAL, 'count'))).toEqual({ ada: 1, [longest]: 1 });
    },
  },
  {
    title: 'AUD-6: a trait is a time where an event could have that time, leap seconds and the year 0 included',
    check: async (place) => {
      const said = [...SAID_BEFORE, ...SAID_AFTER, ...NO_TIMES];
      await tell(place, SPACES, ...said.map((since) => identified(since, { since })));
      expect(await membersOf(place, trait('since', { before: '2017-01-01T00:00:00.001Z' }))).toEqual(
        SAID_BEFORE.toSorted(),
      );
      expect(await membersOf(place, trait('since', { after: '2016-12-31T23:59:60Z' }))).toEqual(SAID_AFTER.toSorted());
    },
  },
  {
    title: 'AUD-6: a character that a database cannot hold hides nothing of what is beside it',
    check: async (place) => {
      const said = { nul: 'n\0l', half: 'x\uD801', spelled: String.raw`b\u0000c` };
      await tell(
        place,
        SPACES,
        ...Object.entries(said).map(([user, text]) => identified(user, { text, list: ['pen', text, 3] })),
      );
      const found = (name: string, is: Comparison): Promise<readonly string[]> => membersOf(place, trait(name, is));
      expect(await found('list', { contains: 'pen' })).toEqual(['half', 'nul', 'spelled']);
      expect(await found('list', { contains: said.nul })).toEqual(['nul']);
      expect(await found('text', { starts_with: 'n\0' })).toEqual(['nul']);
      expect(await found('text', { contains: '\0l' })).toEqual(['nul']);
      expect(await found('text', { starts_with: said.half })).toEqual(['half']);
      expect(await found('text', { contains: String.raw`\u0000c` })).toEqual(['spelled']);
    },
  },
];

import { expect } from 'vitest';
import type { Aggregate, Comparison, Plan } from '../../audiences/plan.ts';
import {
  caught,
  measure,
  measured,
  membersOf,
  not,
  type ProfileFact,
  type ProfilePlace,
  space,
  T,
  tell,
  valuesOf,
  where,
} from './profile-place.ts';

const TOTAL = measure('amounts', "event = 'Bought'", 'properties.total');
const ITEMS = measure('values', "event = 'Bought'", 'properties.item');
const ENDS = measure('ends', "event = 'Bought'", 'properties.item');
const SPACES = [space(TOTAL, ITEMS, ENDS)];

function bought(at: number, userId: string, properties: Record<string, unknown>): ReturnType<typeof caught> {
  return caught(at, { event: 'Bought', userId, properties });
}

async function traitsTold(
  place: ProfilePlace,
  traits: Readonly<Record<string, Record<string, unknown>>>,
): Promise<void> {
  const events = Object.entries(traits).map(([userId, of]) => caught(-9, { type: 'identify', userId, traits: of }));
  await tell(place, SPACES, ...events);
}

export const COUNTING_FACTS: readonly ProfileFact[] = [
  {
    title: 'AUD-10: each aggregate is made of the numbers, or of the values, and is missing where there are none',
    check: async (place) => {
      await tell(
        place,
        SPACES,
        bought(-80, 'ada', { total: 0.1, item: 'b' }),
        bought(-50, 'ada', { total: 0.2, item: 'a' }),
        bought(-49.5, 'ada', { total: 'much', item: 'b' }),
        bought(-2, 'ada', { total: -7, item: 3 }),
        bought(-1, 'bob', { total: true, item: { no: 'scalar' } }),
        caught(-1, { userId: 'cyd' }),
      );
      const expected: Readonly<Record<Aggregate, unknown>> = {
        count: { ada: 4, bob: 1 },
        days: { ada: 3, bob: 1 },
        sum: { ada: -6.7 },
        avg: { ada: -2.233333 },
        min: { ada: -7 },
        max: { ada: 0.2 },
        first: { ada: 'b' },
        last: { ada: 3 },
        distinct: { ada: 3 },
        most_frequent: { ada: 'b' },
        list: { ada: ['a', 'b', 3] },
      };
      const found: Record<string, unknown> = {};
      for (const [aggregate, of] of AGGREGATES) found[aggregate] = await valuesOf(place, measured(of, aggregate));
      expect(found).toEqual(expected);
    },
  },
  {
    title: 'AUD-10: ties of the most frequent go by code point, and those of first and last by message id',
    check: async (place) => {
      const [lesser, greater] = ['\uFF5A', '\u{1F600}'];
      await tell(place, SPACES, bought(-2, 'ada', { item: greater }), bought(-3, 'ada', { item: lesser }));
      const event = { event: 'Bought', userId: 'bob' };
      const items = ['b', 'c', 'a'].map((item) => caught(-1, { ...event, messageId: item, properties: { item } }));
      await tell(place, SPACES, ...items);
      expect(await valuesOf(place, measured(ITEMS, 'most_frequent'))).toEqual({ ada: lesser, bob: 'a' });
      expect(await valuesOf(place, measured(ITEMS, 'list'))).toMatchObject({ ada: [lesser, greater] });
      expect(await valuesOf(place, measured(ENDS, 'first'))).toMatchObject({ bob: 'a' });
      expect(await valuesOf(place, measured(ENDS, 'last'))).toMatchObject({ bob: 'c' });
    },
  },
  {
    title: 'AUD-6: windows are whole hours, and an event at the end of an hour is in it',
    check: async (place) => {
      await tell(
        place,
        SPACES,
        bought(-2, 'two', {}),
        bought(-1, 'one', {}),
        bought(-0.001, 'now', {}),
        bought(0, 'end', {}),
      );
      const within = (from: number | undefined, to: number): Promise<readonly string[]> =>
        membersOf(place, where(measured(TOTAL, 'count', 'zero', { from, to }), { gte: 1 }));
      expect(await within(T, T)).toEqual(['end', 'now']);
      expect(await within(T - 1, T)).toEqual(['end', 'now', 'one']);
      expect(await within(T - 1, T - 1)).toEqual(['one']);
      expect(await within(undefined, T - 2)).toEqual(['two']);
      expect(await within(T + 1, T + 9)).toEqual([]);
    },
  },
  {
    title: 'AUD-6: zero compares where a condition counts nothing, also for those without any event',
    check: async (place) => {
      await tell(
        place,
        SPACES,
        bought(-2, 'ada', { total: 60, item: 1 }),
        bought(-2, 'bob', { total: 40 }),
        caught(-2, { userId: 'cyd' }),
      );
      const of = (aggregate: Aggregate, is: Comparison, on = TOTAL): Promise<readonly string[]> =>
        membersOf(place, where(measured(on, aggregate, 'zero'), is));
      expect(await of('sum', { lt: 50 })).toEqual(['bob', 'cyd']);
      expect(await of('count', { eq: 0 })).toEqual(['cyd']);
      expect(await of('count', { lte: 1 })).toEqual(['ada', 'bob', 'cyd']);
      expect(await of('distinct', { lt: 1 }, ITEMS)).toEqual(['bob', 'cyd']);
      expect(await of('days', { in: [0, 7] })).toEqual(['cyd']);
      expect(await of('count', { neq: 1 })).toEqual(['cyd']);
      expect(await of('count', { exists: true })).toEqual(['ada', 'bob', 'cyd']);
      expect(await of('count', { eq: '0' })).toEqual([]);
      expect(await membersOf(place, where(measured(TOTAL, 'avg'), { lt: 50 }))).toEqual(['bob']);
      expect(await membersOf(place, not(where(measured(TOTAL, 'avg'), { lt: 50 })))).toEqual(['ada', 'cyd']);
    },
  },
  {
    title: 'AUD-6: conditions nest, and not is over all profiles',
    check: async (place) => {
      await traitsTold(place, { ada: { a: 1, b: 1 }, bob: { a: 1 }, cyd: { b: 1 }, dan: {} });
      const [a, b]: Plan[] = ['a', 'b'].map((name) => ({ kind: 'trait', name, is: { eq: 1 } }));
      if (a === undefined || b === undefined) throw new Error('there are two');
      expect(await membersOf(place, { kind: 'all', of: [a, b] })).toEqual(['ada']);
      expect(await membersOf(place, { kind: 'any', of: [a, b] })).toEqual(['ada', 'bob', 'cyd']);
      expect(await membersOf(place, { kind: 'all', of: [a, not(b)] })).toEqual(['bob']);
      expect(await membersOf(place, { kind: 'any', of: [a, not(b)] })).toEqual(['ada', 'bob', 'dan']);
      expect(await membersOf(place, { kind: 'all', of: [not(a), not(b)] })).toEqual(['dan']);
      expect(await membersOf(place, not({ kind: 'any', of: [not(a), not(b)] }))).toEqual(['ada']);
      expect(await membersOf(place, { kind: 'any', of: [] })).toEqual([]);
      expect(
        await membersOf(place, { kind: 'all', of: [{ kind: 'any', of: [a, b] }, not({ kind: 'all', of: [a, b] })] }),
      ).toEqual(['bob', 'cyd']);
    },
  },
  {
    title: 'AUD-6: every comparison holds for its own kind alone, and for nothing that is missing',
    check: async (place) => {
      await traitsTold(place, {
        text: { x: 'pro plan' },
        number: { x: 12.5 },
        negative: { x: -3 },
        truth: { x: true },
        list: { x: ['pro', 7, null] },
        day: { x: '2026-02-28' },
        moment: { x: '2026-03-01T12:00:00+01:00' },
        digits: { x: '20260301' },
        nothing: { x: null },
        object: { x: { pro: 1 } },
        quoted: { x: 'say "hi" \\ %_' },
      });
      const of = (is: Comparison): Promise<readonly string[]> => membersOf(place, { kind: 'trait', name: 'x', is });
      expect(await of({ eq: 'pro plan' })).toEqual(['text']);
      expect(await of({ eq: 12.5 })).toEqual(['number']);
      expect(await of({ eq: true })).toEqual(['truth']);
      expect(await of({ neq: 'pro plan' })).toEqual(['day', 'digits', 'moment', 'quoted']);
      expect(await of({ neq: 5 })).toEqual(['negative', 'number']);
      expect(await of({ neq: false })).toEqual(['truth']);
      expect(await of({ gt: -3 })).toEqual(['number']);
      expect(await of({ gte: -3 })).toEqual(['negative', 'number']);
      expect(await of({ lt: 12.5 })).toEqual(['negative']);
      expect(await of({ lte: 12.5 })).toEqual(['negative', 'number']);
      expect(await of({ in: ['2026-02-28', 12.5, false] })).toEqual(['day', 'number']);
      expect(await of({ in: [] })).toEqual([]);
      expect(await of({ contains: 'pro' })).toEqual(['list', 'text']);
      expect(await of({ contains: 7 })).toEqual(['list']);
      expect(await of({ contains: '" \\ %' })).toEqual(['quoted']);
      expect(await of({ starts_with: 'pro' })).toEqual(['text']);
      expect(await of({ starts_with: 'say "' })).toEqual(['quoted']);
      expect(await of({ starts_with: '%' })).toEqual([]);
      expect(await of({ before: '2026-03-01T11:30:00Z' })).toEqual(['day', 'moment']);
      expect(await of({ after: '2026-03-01T10:59:59Z' })).toEqual(['moment']);
      expect(await of({ after: 'yesterday' })).toEqual([]);
      expect(await of({ exists: true })).toHaveLength(10);
      expect(await membersOf(place, not({ kind: 'trait', name: 'y', is: { neq: 1 } }))).toHaveLength(11);
    },
  },
  {
    title: 'a plan as large as definitions can become is computed',
    check: async (place) => {
      await traitsTold(place, { ada: { x: 'v999' }, bob: { x: 1 } });
      const values = Array.from({ length: 1_000 }, (_, index) => `v${index}`);
      const trait: Plan = { kind: 'trait', name: 'x', is: { in: values } };
      const count = where(measured(TOTAL, 'count', 'zero'), { in: values.map((_, index) => index + 1) });
      const wide: Plan = {
        kind: 'any',
        of: Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? trait : count)),
      };
      expect(await membersOf(place, wide)).toEqual(['ada']);
      const deep = Array.from({ length: 32 }).reduce<Plan>(
        (inner, _, index) => ({ kind: index % 2 === 0 ? 'any' : 'all', of: [inner, not(not(trait))] }),
        trait,
      );
      expect(await membersOf(place, deep)).toEqual(['ada']);
    },
  },
  {
    title: 'AUD-10: values of JSON compare as traits do',
    check: async (place) => {
      await tell(
        place,
        SPACES,
        bought(-3, 'ada', { item: 'pen' }),
        bought(-2, 'ada', { item: 'ink' }),
        bought(-1, 'bob', { item: 7 }),
      );
      const of = (aggregate: Aggregate, on: typeof ITEMS, is: Comparison): Promise<readonly string[]> =>
        membersOf(place, where(measured(on, aggregate), is));
      expect(await of('first', ENDS, { eq: 'pen' })).toEqual(['ada']);
      expect(await of('last', ENDS, { gt: 6 })).toEqual(['bob']);
      expect(await of('list', ITEMS, { contains: 'ink' })).toEqual(['ada']);
      expect(await of('most_frequent', ITEMS, { starts_with: 'i' })).toEqual(['ada']);
    },
  },
  {
    title: 'AUD-6, check 6: a late event counts where it belongs, and one of the future from its receipt',
    check: async (place) => {
      const receivedAt = JSON.parse(caught(0, {}).caught).timestamp;
      const late = caught(-72, { event: 'Bought', userId: 'late', receivedAt });
      const early = caught(90, { event: 'Bought', userId: 'early', receivedAt });
      await tell(place, SPACES, late, early);
      const hours = { from: T - 72, to: T - 72 };
      expect(await membersOf(place, where(measured(TOTAL, 'count', 'zero', hours), { eq: 1 }))).toEqual(['late']);
      expect(await membersOf(place, where(measured(TOTAL, 'count', 'zero', { from: T, to: T }), { eq: 1 }))).toEqual([
        'early',
      ]);
    },
  },
  {
    title: 'AUD-6: a measure counts events of its sources since it began, and of no other workspace',
    check: async (place) => {
      const ios = 'workspaces/main/sources/ios';
      const some = measure('amounts', 'all', undefined, { sources: [ios] });
      const fresh = measure('amounts', 'all', undefined, {
        from: Date.parse(JSON.parse(caught(-5, {}).caught).timestamp),
      });
      const spaces = [space(some, fresh)];
      await tell(
        place,
        spaces,
        caught(-6, { userId: 'ada' }),
        caught(-5, { userId: 'ada' }),
        caught(-4, { userId: 'ada' }, ios),
        caught(-3, { userId: 'eve' }, 'workspaces/other/sources/js'),
      );
      expect(await valuesOf(place, measured(some, 'count'))).toEqual({ ada: 1 });
      expect(await valuesOf(place, measured(fresh, 'count'))).toEqual({ ada: 2 });
      expect(await place.waiting()).toBe(0);
    },
  },
  {
    title: 'a value or a trait of more than 4 KB, a name of more than 200 characters and the 201st trait are not kept',
    check: async (place) => {
      const [large, long] = ['x'.repeat(4_095), 'n'.repeat(201)];
      await traitsTold(place, { ada: { large, [long]: 1, ok: 'x'.repeat(4_094) } });
      await traitsTold(place, {
        bob: Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`t${index}`, index])),
      });
      await tell(place, SPACES, bought(-1, 'ada', { item: large }), bought(-1, 'ada', { item: 'ok' }));
      const profiles = await Promise.all(
        ['ada', 'bob'].map((user) => place.profiles.profile({ space: space().id, user, measures: [] })),
      );
      expect(profiles.map((profile) => Object.keys(profile?.traits ?? {}).length)).toEqual([1, 200]);
      expect(await valuesOf(place, measured(ITEMS, 'list'))).toEqual({ ada: ['ok'] });
    },
  },
  {
    title: 'traits that nest deeply fail nothing',
    check: async (place) => {
      const deep = Array.from({ length: 1_500 }).reduce<unknown>((inner) => [inner], 'core');
      await traitsTold(place, { ada: { x: deep }, bob: { x: ['core'] } });
      expect(await membersOf(place, { kind: 'trait', name: 'x', is: { contains: 'core' } })).toEqual(['bob']);
    },
  },
];

const AGGREGATES: readonly (readonly [Aggregate, typeof TOTAL])[] = [
  ...(['count', 'days', 'sum', 'avg', 'min', 'max'] as const).map((one) => [one, TOTAL] as const),
  ...(['first', 'last'] as const).map((one) => [one, ENDS] as const),
  ...(['distinct', 'most_frequent', 'list'] as const).map((one) => [one, ITEMS] as const),
];

import { expect } from 'vitest';
import type { Event } from '../../model/message.ts';
import {
  caught,
  EVERYBODY,
  measure,
  measured,
  membersOf,
  type ProfileFact,
  type ProfilePlace,
  space,
  T,
  tell,
  valuesOf,
} from './profile-place.ts';

const ALL = measure('amounts', "event = 'Bought'", 'properties.total');
const ITEMS = measure('values', "event = 'Bought'", 'properties.item');
const ENDS = measure('ends', "event = 'Bought'", 'properties.item');
const SPACES = [space(ALL, ITEMS, ENDS)];
const AUDIENCE = 'workspaces/main/audiences/aud_1';

function bought(at: number, ids: Partial<Event>): ReturnType<typeof caught> {
  return caught(at, { event: 'Bought', properties: { total: 1, item: 'pen' }, ...ids });
}

async function erase({ profiles }: ProfilePlace, ...userIds: readonly string[]): Promise<readonly string[]> {
  const erased = { workspace: 'workspaces/main', userIds };
  for (;;) {
    const { unasked, isMore } = await profiles.erase({ ...erased, spaces: async () => SPACES });
    if (!isMore) return unasked;
  }
}

async function computeAll({ profiles }: ProfilePlace, run: number): Promise<readonly string[]> {
  await profiles.compute({ space: space().id, computation: AUDIENCE, run, of: { members: EVERYBODY } });
  return (await profiles.results({ computation: AUDIENCE, limit: 99 })).results.map(({ user }) => user);
}

export const REMOVAL_FACTS: readonly ProfileFact[] = [
  {
    title:
      'AUD-9: an erased user is gone in all ids that it merged with, from profiles, tiles and results of every run',
    check: async (place) => {
      await tell(
        place,
        SPACES,
        bought(-9, { userId: 'ada' }),
        bought(-9, { userId: 'ada2' }),
        bought(-9, { anonymousId: 'a', type: 'identify', traits: { x: 1 } }),
        bought(-8, { anonymousId: 'a', userId: 'ada' }),
        bought(-8, { userId: 'bob' }),
      );
      await computeAll(place, 1);
      await tell(place, SPACES, caught(-7, { type: 'alias', previousId: 'ada', userId: 'ada2' }));
      await computeAll(place, 2);
      // Whoever asks must know all of them before, and nothing is removed until then.
      expect(await erase(place, 'ada')).toEqual(['ada2']);
      expect(await place.profiles.standing({ space: space().id, users: ['ada', 'ada2'] })).toEqual(['merged', 'known']);
      expect(await erase(place, 'ada', 'ada2')).toEqual([]);
      for (const run of [1, 2]) {
        const { results } = await place.profiles.results({ computation: AUDIENCE, run, limit: 9 });
        expect(results.map(({ user }) => user)).toEqual(['bob']);
      }
      const never = { computation: AUDIENCE, run: Number.MAX_SAFE_INTEGER, limit: 9 };
      expect(await place.profiles.results(never)).toMatchObject({ run: undefined, results: [] });
      expect(await place.profiles.standing({ space: space().id, users: ['ada', 'ada2', 'bob'] })).toEqual([
        'unknown',
        'unknown',
        'known',
      ]);
      await tell(place, SPACES, caught(-6, { userId: 'ada', anonymousId: 'a' }), caught(-6, { userId: 'ada2' }));
      const profile = await place.profiles.profile({
        space: space().id,
        user: 'ada',
        measures: [ALL.id, ITEMS.id, ENDS.id],
      });
      expect(profile).toMatchObject({ user: 'ada', userIds: ['ada'], traits: {}, tiles: [], results: [] });
      expect(await valuesOf(place, measured(ALL, 'count'))).toEqual({ bob: 1 });
    },
  },
  {
    title: 'AUD-9: of a device that was shared, the hours of the other user stay',
    check: async (place) => {
      await tell(
        place,
        SPACES,
        bought(-9, { anonymousId: 'tablet' }),
        caught(-8, { anonymousId: 'tablet', userId: 'ada' }),
        bought(-7, { anonymousId: 'tablet' }),
        caught(-5, { anonymousId: 'tablet', userId: 'bob' }),
        bought(-4, { anonymousId: 'tablet' }),
      );
      await erase(place, 'ada');
      for (const [of, value] of [
        [ALL, 1],
        [ITEMS, 1],
      ] as const) {
        expect(await valuesOf(place, measured(of, of === ALL ? 'count' : 'distinct'))).toEqual({ bob: value });
      }
      expect(await valuesOf(place, measured(ENDS, 'last'))).toEqual({ bob: 'pen' });
    },
  },
  {
    title: 'AUD-9: what was caught of an erased user before does not bring it back',
    check: async (place) => {
      await tell(place, SPACES, bought(-9, { userId: 'ada' }));
      await place.catches([bought(-8, { userId: 'ada' }), bought(-8, { userId: 'bob' })]);
      const folding = place.profiles.fold({ spaces: async () => SPACES, limit: 1 });
      await erase(place, 'ada');
      await folding;
      await place.profiles.fold({ spaces: async () => SPACES, limit: 9 });
      expect(await place.waiting()).toBe(0);
      expect(await membersOf(place, EVERYBODY)).toEqual(['bob']);
    },
  },
  {
    title: 'AUD-6: who folds asks what counts once it is known what is folded, so that nothing misses a new measure',
    check: async (place) => {
      const whileTheyAsk = (userId: string) => async () => {
        await place.catches([bought(-7, { userId })]);
        return SPACES;
      };
      await place.catches([bought(-8, { userId: 'ada' })]);
      await place.profiles.fold({ spaces: whileTheyAsk('bob'), limit: 9 });
      expect(await place.waiting()).toBe(1);
      const erased = { workspace: 'workspaces/main', userIds: ['ada'] };
      await place.profiles.erase({ ...erased, spaces: whileTheyAsk('cyd') });
      expect(await place.waiting()).toBe(1);
      await tell(place, SPACES);
      expect(await valuesOf(place, measured(ALL, 'count'))).toEqual({ bob: 1, cyd: 1 });
    },
  },
  {
    title: 'AUD-9: erasing touches nobody of another workspace, and whoever is unknown is no mistake',
    check: async (place) => {
      const other = { ...space(ALL), id: 'workspaces/main2@1', workspace: 'workspaces/main2' };
      const source = 'workspaces/main2/sources/js';
      await tell(place, [...SPACES, other], caught(-9, { userId: 'ada' }), caught(-9, { userId: 'ada' }, source));
      expect(await erase(place, 'nobody')).toEqual([]);
      expect(await erase(place, 'ada')).toEqual([]);
      expect(await place.profiles.standing({ space: space().id, users: ['ada'] })).toEqual(['unknown']);
      expect(await place.profiles.standing({ space: other.id, users: ['ada'] })).toEqual(['known']);
    },
  },
  {
    title: 'tidying removes tiles of no measure and of no window, a part at a time, and nothing else',
    check: async (place) => {
      await tell(place, SPACES, ...[-99, -98, -97, -2].map((at) => bought(at, { userId: 'ada' })));
      await computeAll(place, 1);
      const tidy = (
        limit: number,
        measures = [ALL],
        from: { measure: string; hour: number }[] = [],
      ): Promise<boolean> =>
        place.profiles.tidy({
          needed: async () => ({ spaces: [space(...measures)], computations: [AUDIENCE], from }),
          limit,
        });
      expect(await tidy(2)).toBe(true);
      while (await tidy(1));
      expect(await valuesOf(place, measured(ALL, 'count'))).toEqual({ ada: 4 });
      expect(await valuesOf(place, measured(ITEMS, 'distinct'))).toEqual({});
      expect(await valuesOf(place, measured(ENDS, 'first'))).toEqual({});
      while (await tidy(1, [ALL], [{ measure: ALL.id, hour: T - 48 }]));
      const { tiles } = (await place.profiles.profile({ space: space().id, user: 'ada', measures: [ALL.id] })) ?? {};
      expect(tiles).toHaveLength(1);
      const { results } = await place.profiles.results({ computation: AUDIENCE, limit: 9 });
      expect(results).toHaveLength(1);
    },
  },
  {
    title: 'tidying removes a space that ended, and results of computations that are gone',
    check: async (place) => {
      await tell(place, SPACES, bought(-9, { anonymousId: 'a', userId: 'ada' }), bought(-9, { userId: 'bob' }));
      await tell(place, SPACES, caught(-9, { type: 'alias', previousId: 'bob', userId: 'ada' }));
      await computeAll(place, 1);
      while (
        await place.profiles.tidy({ needed: async () => ({ spaces: SPACES, computations: [], from: [] }), limit: 2 })
      );
      expect((await place.profiles.results({ computation: AUDIENCE, limit: 9 })).run).toBeUndefined();
      expect(await membersOf(place, EVERYBODY)).toEqual(['ada']);
      while (await place.profiles.tidy({ needed: async () => ({ spaces: [], computations: [], from: [] }), limit: 2 }));
      expect(await membersOf(place, EVERYBODY)).toEqual([]);
      await tell(place, SPACES, bought(-8, { userId: 'bob' }), caught(-8, { userId: 'ada' }));
      expect(await membersOf(place, EVERYBODY)).toEqual(['ada', 'bob']);
      expect(await valuesOf(place, measured(ALL, 'count'))).toEqual({ bob: 1 });
    },
  },
];

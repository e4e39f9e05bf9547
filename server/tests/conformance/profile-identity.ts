import { expect } from 'vitest';
import type { Event } from '../../model/message.ts';
import {
  caught,
  EVERYBODY,
  measure,
  measured,
  membersOf,
  not,
  type ProfileFact,
  type ProfilePlace,
  space,
  tell,
  valuesOf,
  where,
} from './profile-place.ts';

const BOUGHT = measure('amounts', "event = 'Bought'");
const SPACES = [space(BOUGHT)];
const COUNT = measured(BOUGHT, 'count', 'zero');
const HAS_BOUGHT = where(COUNT, { gte: 1 });

function bought(at: number, ids: Partial<Event>): ReturnType<typeof caught> {
  return caught(at, { event: 'Bought', ...ids });
}

function alias(at: number, previousId: string, userId: string): ReturnType<typeof caught> {
  return caught(at, { type: 'alias', previousId, userId });
}

function identify(at: number, ids: Partial<Event>, traits: Record<string, unknown>): ReturnType<typeof caught> {
  return caught(at, { type: 'identify', traits, ...ids });
}

async function profileOf({ profiles }: ProfilePlace, user: string) {
  return profiles.profile({ space: space().id, user, measures: [BOUGHT.id] });
}

export const IDENTITY_FACTS: readonly ProfileFact[] = [
  {
    title: 'AUD-7: whoever was seen with a user id is a profile, and nobody else',
    check: async (place) => {
      await tell(place, SPACES, caught(-2, { userId: 'ada' }), caught(-2, { anonymousId: 'visitor' }));
      await tell(place, SPACES, bought(-1, { userId: 'bob', anonymousId: 'tablet' }));
      expect(await membersOf(place, EVERYBODY)).toEqual(['ada', 'bob']);
      expect(await membersOf(place, not(HAS_BOUGHT))).toEqual(['ada']);
      expect(await profileOf(place, 'visitor')).toBeUndefined();
      expect(await profileOf(place, 'bob')).toMatchObject({ user: 'bob', userIds: ['bob'], anonymousIds: ['tablet'] });
    },
  },
  {
    title: 'AUD-7: what carries no more than ids makes a profile, and is counted by no measure',
    check: async (place) => {
      const all = measure('amounts', 'all');
      const seen = { source: 'workspaces/main/sources/js', caught: caught(-1, { userId: 'ada' }).caught };
      const { type: _type, ...ids } = JSON.parse(seen.caught);
      await tell(place, [space(all)], { ...seen, caught: JSON.stringify(ids) });
      expect(await membersOf(place, EVERYBODY)).toEqual(['ada']);
      expect(await valuesOf(place, measured(all, 'count'))).toEqual({});
    },
  },
  {
    title: 'AUD-7: an id that ends in half of a character is one, told as it can be written',
    check: async (place) => {
      const [half, whole] = ['zoe\ud83d', 'zoe\ufffd'];
      await tell(place, SPACES, bought(-3, { userId: half, anonymousId: 'v\ud83d' }), bought(-2, { userId: whole }));
      await tell(place, SPACES, bought(-1, { anonymousId: 'v\ud83d' }), alias(-1, 'ada', 'bob\ud83d'));
      await tell(place, SPACES, bought(-1, { userId: 'ada' }), alias(-1, 'cyd\ud83d', 'dan'));
      expect(await valuesOf(place, COUNT)).toEqual({ 'bob\ufffd': 1, [whole]: 3 });
      expect(await membersOf(place, EVERYBODY)).toEqual(['bob\ufffd', 'dan', whole]);
      expect(await profileOf(place, half)).toMatchObject({ user: whole, anonymousIds: ['v\ufffd'] });
      expect(await place.profiles.standing({ space: space().id, users: [half, 'cyd\ud83d', 'bob\ud83d'] })).toEqual([
        'known',
        'merged',
        'known',
      ]);
    },
  },
  {
    title: 'AUD-7, check 9: what an anonymous id did before it was seen with a user counts for the user',
    check: async (place) => {
      await tell(place, SPACES, bought(-30, { anonymousId: 'a' }), bought(-20, { anonymousId: 'a' }));
      expect(await membersOf(place, EVERYBODY)).toEqual([]);
      await tell(place, SPACES, caught(-10, { anonymousId: 'a', userId: 'ada' }), bought(-5, { anonymousId: 'a' }));
      expect(await valuesOf(place, COUNT)).toEqual({ ada: 3 });
    },
  },
  {
    title: 'AUD-7, check 10: two users of one device stay two, each with their own hours',
    check: async (place) => {
      await tell(
        place,
        SPACES,
        bought(-9, { anonymousId: 'tablet' }),
        caught(-8, { anonymousId: 'tablet', userId: 'ada' }),
        bought(-7, { anonymousId: 'tablet' }),
        caught(-5, { anonymousId: 'tablet', userId: 'bob' }),
        bought(-4, { anonymousId: 'tablet' }),
        bought(-3, { anonymousId: 'tablet', userId: 'ada' }),
      );
      expect(await membersOf(place, EVERYBODY)).toEqual(['ada', 'bob']);
      expect(await valuesOf(place, COUNT)).toEqual({ ada: 3, bob: 1 });
      // A late event, from between the two of ada's own.
      await tell(place, SPACES, caught(-7.5, { anonymousId: 'tablet', userId: 'cyd' }));
      expect(await valuesOf(place, measured(BOUGHT, 'count'))).toEqual({ ada: 2, bob: 1, cyd: 1 });
    },
  },
  {
    title: 'AUD-7: within an hour the user who came last has an anonymous id, by the least time of each',
    check: async (place) => {
      await tell(
        place,
        SPACES,
        caught(-1.9, { anonymousId: 'a', userId: 'bob' }),
        caught(-1.5, { anonymousId: 'a', userId: 'ada' }),
        caught(-1.1, { anonymousId: 'a', userId: 'bob' }),
        bought(-1.2, { anonymousId: 'a' }),
        bought(-1.3, { anonymousId: 'a' }),
        bought(-9, { anonymousId: 'a' }),
      );
      expect(await valuesOf(place, COUNT)).toEqual({ ada: 2, bob: 1 });
      await tell(place, SPACES, caught(-1.95, { anonymousId: 'a', userId: 'ada' }));
      expect(await valuesOf(place, measured(BOUGHT, 'count'))).toEqual({ ada: 1, bob: 2 });
    },
  },
  {
    title: 'AUD-7: of users seen at the same moment the greater id by UTF-8 has an anonymous id from then on',
    check: async (place) => {
      // U+FF5A comes before U+1F600 in UTF-8, and behind it in UTF-16.
      const [lesser, greater] = ['\uFF5A', '\u{1F600}'];
      await tell(
        place,
        SPACES,
        caught(-1, { anonymousId: 'a', userId: greater }),
        caught(-1, { anonymousId: 'a', userId: lesser }),
        bought(-0.5, { anonymousId: 'a' }),
        bought(-9, { anonymousId: 'a' }),
      );
      expect(await profileOf(place, greater)).toMatchObject({ tiles: [{ count: 1 }] });
      expect(await membersOf(place, EVERYBODY)).toEqual([lesser, greater]);
      const [later, earlier] = [await profileOf(place, greater), await profileOf(place, lesser)];
      expect(later?.tiles?.[0]?.hour).toBeGreaterThan(earlier?.tiles?.[0]?.hour ?? Infinity);
    },
  },
  {
    title: 'AUD-7, check 11: aliases a to b, b to a and a to b make one profile, told under the last one',
    check: async (place) => {
      await tell(place, SPACES, bought(-9, { userId: 'a' }), bought(-8, { userId: 'b' }));
      expect(await valuesOf(place, COUNT)).toEqual({ a: 1, b: 1 });
      await tell(place, SPACES, alias(-7, 'a', 'b'), alias(-6, 'b', 'a'), alias(-5, 'a', 'b'), alias(-5, 'a', 'b'));
      expect(await membersOf(place, HAS_BOUGHT)).toEqual(['b']);
      const profile = await profileOf(place, 'a');
      expect(profile).toMatchObject({ user: 'b', userIds: ['a', 'b'], tiles: [{ count: 1 }, { count: 1 }] });
      expect(await place.profiles.standing({ space: space().id, users: ['a', 'b', 'c'] })).toEqual([
        'merged',
        'known',
        'unknown',
      ]);
    },
  },
  {
    title: 'AUD-7: a chain of aliases is one profile, whichever came first',
    check: async (place) => {
      const events = [alias(-7, 'a', 'b'), alias(-6, 'c', 'd'), alias(-5, 'b', 'c'), bought(-4, { userId: 'a' })];
      await tell(place, SPACES, ...events.toReversed());
      expect(await membersOf(place, EVERYBODY)).toEqual(['c']);
      expect(await profileOf(place, 'd')).toMatchObject({ user: 'c', userIds: ['a', 'b', 'c', 'd'] });
      await tell(place, SPACES, alias(-9, 'e', 'a'));
      expect(await membersOf(place, HAS_BOUGHT)).toEqual(['c']);
      expect(await membersOf(place, not(HAS_BOUGHT))).toEqual([]);
    },
  },
  {
    title: 'AUD-7: an alias brings what its former id did while it was anonymous',
    check: async (place) => {
      await tell(place, SPACES, bought(-9, { anonymousId: 'a' }), alias(-7, 'a', 'ada'));
      expect(await membersOf(place, HAS_BOUGHT)).toEqual(['ada']);
    },
  },
  {
    title: 'AUD-7: a merged profile has the later trait of each, and those of its anonymous ids at their hours',
    check: async (place) => {
      await tell(
        place,
        SPACES,
        identify(-9, { userId: 'a' }, { plan: 'pro', city: 'Oslo' }),
        identify(-8, { userId: 'b' }, { plan: 'free', size: 3 }),
        identify(-7, { anonymousId: 'tablet' }, { city: 'Rome', lost: true }),
        caught(-6, { anonymousId: 'tablet', userId: 'a' }),
        identify(-5, { userId: 'b' }, { lost: null }),
      );
      expect(await membersOf(place, { kind: 'trait', name: 'city', is: { eq: 'Rome' } })).toEqual(['a']);
      expect(await membersOf(place, { kind: 'trait', name: 'plan', is: { eq: 'pro' } })).toEqual(['a']);
      await tell(place, SPACES, alias(-4, 'a', 'b'));
      expect((await profileOf(place, 'a'))?.traits).toEqual({ plan: 'free', city: 'Rome', size: 3 });
      expect(await membersOf(place, { kind: 'trait', name: 'plan', is: { eq: 'pro' } })).toEqual([]);
      expect(await membersOf(place, { kind: 'trait', name: 'plan', is: { eq: 'free' } })).toEqual(['b']);
      expect(await membersOf(place, { kind: 'trait', name: 'city', is: { eq: 'Rome' } })).toEqual(['b']);
      expect(await membersOf(place, { kind: 'trait', name: 'lost', is: { exists: true } })).toEqual([]);
    },
  },
  {
    title: 'AUD-7: ids of no person, and the 101st of one, are refused and counted',
    check: async (place) => {
      const junk = ['0', '-1', 'null', 'undefined', 'anonymous', ' '];
      await place.catches(junk.map((userId) => bought(-9, { userId, anonymousId: 'a' })));
      await place.catches([alias(-9, 'null', 'ada'), bought(-9, { userId: 'ada', anonymousId: 'a' })]);
      expect(await place.profiles.fold({ spaces: async () => SPACES, limit: 1_000 })).toMatchObject({
        events: 8,
        refusedIds: 7,
      });
      expect(await valuesOf(place, COUNT)).toEqual({ ada: 7 });
      await place.catches(
        Array.from({ length: 99 }, (_, index) => caught(-8, { userId: 'ada', anonymousId: `a${index}` })),
      );
      expect(await place.profiles.fold({ spaces: async () => SPACES, limit: 1_000 })).toMatchObject({ refusedIds: 1 });
      await place.catches([alias(-7, 'bob', 'ada'), alias(-7, 'a1', 'ada')]);
      expect(await place.profiles.fold({ spaces: async () => SPACES, limit: 1_000 })).toMatchObject({ refusedIds: 3 });
      const profile = await profileOf(place, 'ada');
      expect([profile?.userIds, profile?.anonymousIds.length]).toEqual([['ada'], 99]);
      await place.catches([bought(-6, { userId: 'null' }), bought(-6, { userId: 'bob', anonymousId: '0' })]);
      const erased = { workspace: 'workspaces/main', userIds: ['bob'], spaces: async () => SPACES };
      expect(await place.profiles.erase(erased)).toMatchObject({ refusedIds: 2 });
    },
  },
];

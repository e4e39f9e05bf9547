import { expect } from 'vitest';
import type { Caught } from '../../storage/inbox.ts';
import type { Folded } from '../../storage/profile-storage.ts';
import { eventOf } from '../support/engine.ts';
import { HOSTILE_CONDITIONS } from '../support/hostile-definitions.ts';
import { caught, measure, measured, type ProfileFact, type ProfilePlace, space, valuesOf } from './profile-place.ts';

const [CONDITION = '', { properties = {} } = eventOf(0)] = HOSTILE_CONDITIONS['a pattern of the event with gaps'] ?? [];
const ALL = measure('amounts', "type = 'track'");
/** Each takes as long as one condition may for an event that was made for it: together more than one event may. */
const SLOW = Array.from({ length: 10 }, (_, at) => measure('amounts', `${CONDITION} or event = "x${at}"`));
const [ONE = ALL] = SLOW;
const ALL_SLOW = SLOW.map(({ id }) => id);
const EVERY = [space(ALL, ...SLOW)];

const hostile = (at: number, userId = 'ada'): Omit<Caught, 'id'> => caught(at, { userId, event: 'E', properties });

const fold = ({ profiles }: ProfilePlace, spaces = EVERY): Promise<Folded> =>
  profiles.fold({ spaces: async () => spaces, limit: 1_000 });

const countsOf = (place: ProfilePlace, of = ALL): Promise<unknown> => valuesOf(place, measured(of, 'count'));

export const UNDECIDED_FACTS: readonly ProfileFact[] = [
  {
    title: 'SAFE-2: what takes too long to decide is not counted, and told; all else of the event counts',
    check: async (place) => {
      await place.catches([hostile(-3), caught(-2, { userId: 'ada', event: 'x0' }), hostile(-1, 'bob')]);
      const { undecided, isMore } = await fold(place, [space(ALL, ONE)]);
      expect(undecided).toEqual([{ workspace: 'workspaces/main', measures: [ONE.id], events: 2 }]);
      expect([isMore, await place.waiting()]).toEqual([false, 0]);
      expect(await countsOf(place)).toEqual({ ada: 2, bob: 1 });
      expect(await countsOf(place, ONE)).toEqual({ ada: 1 });
    },
  },
  {
    title: 'SAFE-2: a fold ends where events take long, and what is left comes with the next',
    check: async (place) => {
      await place.catches(Array.from({ length: 15 }, (_, at) => hostile(at - 20)));
      const folds: Folded[] = [];
      do folds.push(await fold(place));
      while (folds.at(-1)?.isMore === true);
      expect(folds.map(({ events }) => events)).toEqual([10, 5]);
      const undecided = folds.flatMap((one) => one.undecided);
      expect(undecided).toEqual(
        [10, 5].map((events) => ({ workspace: 'workspaces/main', measures: ALL_SLOW, events })),
      );
      expect(await countsOf(place)).toEqual({ ada: 15 });
    },
  },
  {
    title: 'SAFE-2: who is erased is gone from events that take long too, and what of them was undecided is told',
    check: async (place) => {
      await place.catches(Array.from({ length: 12 }, (_, at) => hostile(at - 20, at < 6 ? 'ada' : 'bob')));
      const erased = { workspace: 'workspaces/main', userIds: ['bob'] };
      const { undecided } = await place.profiles.erase({ ...erased, spaces: async () => EVERY });
      expect(undecided.reduce((sum, { events }) => sum + events, 0)).toBe(12);
      expect(await place.waiting()).toBe(0);
      expect(await countsOf(place)).toEqual({ ada: 6 });
    },
  },
];

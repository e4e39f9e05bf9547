import { expect } from 'vitest';
import {
  caught,
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
const SPACES = [space(TOTAL)];

function bought(at: number, userId: string, properties: Record<string, unknown>): ReturnType<typeof caught> {
  return caught(at, { event: 'Bought', userId, properties });
}

/** Numbers and times at the end of what there is. */
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
];

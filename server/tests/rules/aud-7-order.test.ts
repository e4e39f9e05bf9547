import { expect, test } from 'vitest';
import { seededRandom } from '../../../testbed/simulation/seeded-random.ts';
import {
  caught,
  measure,
  measured,
  memoryProfilesPlace,
  type ProfilePlace,
  space,
  tell,
  valuesOf,
} from '../conformance/profile-place.ts';

const BOUGHT = measure('amounts', "event = 'Bought'", 'properties.total');
const ITEMS = measure('ends', "event = 'Bought'", 'properties.total');
const SPACES = [space(BOUGHT, ITEMS)];

function bought(at: number, total: number, ids: { readonly anonymousId?: string; readonly userId?: string }) {
  return caught(at, { event: 'Bought', properties: { total }, ...ids });
}

/** A shared tablet, two users in one hour of it, an alias and its return, and traits of the same moment. */
const EVENTS = [
  bought(-30, 1, { anonymousId: 'tablet' }),
  caught(-9.2, { anonymousId: 'tablet', userId: 'ada' }),
  caught(-9.5, { anonymousId: 'tablet', userId: 'bob' }),
  caught(-9.8, {
    anonymousId: 'tablet',
    userId: 'ada',
    type: 'identify',
    messageId: 'a',
    traits: { plan: 'pro', of: 'ada' },
  }),
  bought(-9.1, 2, { anonymousId: 'tablet' }),
  bought(-3, 4, { anonymousId: 'tablet' }),
  caught(-5, { type: 'alias', previousId: 'cyd', userId: 'bob' }),
  caught(-6, { type: 'alias', previousId: 'bob', userId: 'cyd', messageId: 'z' }),
  caught(-9.8, { userId: 'bob', type: 'identify', messageId: 'b', traits: { plan: 'free' } }),
];

async function stateOf(place: ProfilePlace): Promise<unknown> {
  const profiles = ['ada', 'bob', 'cyd'].map((user) =>
    place.profiles.profile({ space: space().id, user, measures: [BOUGHT.id, ITEMS.id] }),
  );
  const [sums, lasts] = [
    await valuesOf(place, measured(BOUGHT, 'sum')),
    await valuesOf(place, measured(ITEMS, 'last')),
  ];
  return { profiles: await Promise.all(profiles), sums, lasts };
}

test('AUD-7: whatever the order in which events arrive, they come to the same end (check 13)', async () => {
  const random = seededRandom(13);
  const states: unknown[] = [];
  for (let times = 0; times < 60; times += 1) {
    const place = await memoryProfilesPlace();
    const shuffled = EVENTS.map((event) => ({ event, key: random() })).toSorted((one, other) => one.key - other.key);
    for (const { event } of shuffled) await tell(place, SPACES, event);
    states.push(await stateOf(place));
    await place.end();
  }
  const [first, ...others] = states;
  expect(first).toMatchObject({
    profiles: [{ user: 'ada' }, { user: 'bob', userIds: ['bob', 'cyd'], traits: { plan: 'free' } }, { user: 'bob' }],
    sums: { ada: 1, bob: 6 },
  });
  for (const other of others) expect(other).toEqual(first);
});

import { expect, onTestFinished, test } from 'vitest';
import type { Aggregate } from '../../audiences/plan.ts';
import { caught, measure, measured, memoryProfilesPlace, space, tell, valuesOf } from '../conformance/profile-place.ts';

const TOTAL = measure('amounts', 'all', 'properties.total');
const ENDS = measure('ends', 'all', 'properties.total');
const TOTALS = [5, 3, 9];

/** In one lot they meet in memory, in several in the database. */
test.each([[1], [2], [3]])('AUD-10: several events of one hour count each, folded %i at a time', async (limit) => {
  const place = await memoryProfilesPlace();
  onTestFinished(() => place.end());
  const events = TOTALS.map((total, index) => caught(-0.9 + index / 10, { userId: 'ada', properties: { total } }));
  await place.catches(events);
  while ((await place.profiles.fold({ spaces: async () => [space(TOTAL, ENDS)], limit })).isMore);
  const found = async (aggregate: Aggregate, of = TOTAL): Promise<unknown> =>
    (await valuesOf(place, measured(of, aggregate)))['ada'];
  expect([await found('min'), await found('max'), await found('sum'), await found('count')]).toEqual([3, 9, 17, 3]);
  expect([await found('first', ENDS), await found('last', ENDS)]).toEqual([5, 9]);
});

test('AUD-10: two events of one hour have a lowest and a highest', async () => {
  const place = await memoryProfilesPlace();
  onTestFinished(() => place.end());
  const events = [5, 3].map((total) => caught(-0.5, { userId: 'ada', properties: { total } }));
  await tell(place, [space(TOTAL)], ...events);
  expect(await valuesOf(place, measured(TOTAL, 'min'))).toEqual({ ada: 3 });
  expect(await valuesOf(place, measured(TOTAL, 'max'))).toEqual({ ada: 5 });
});

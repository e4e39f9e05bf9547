import { expect, test } from 'vitest';
import { caught, measure, measured, space, tell, valuesOf } from '../conformance/profile-place.ts';
import { postgresProfilesPlace } from '../conformance/postgres-profiles-place.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';

const OLD = measure('amounts', "event = 'Old'");
const NEW = measure('amounts', "event = 'New'");

describeWithPostgres('tidying beside other routers', () => {
  test('AUD-6: what another router begins to count while one tidies stays', async () => {
    const place = postgresProfilesPlace(await postgresPlace());
    try {
      await tell(place, [space(OLD)], caught(-3, { event: 'Old', userId: 'ada' }));
      const needed = { spaces: [space()], computations: [], from: [] };
      const tidied = place.profiles.tidy({
        needed: async () => {
          await tell(place, [space(NEW)], caught(-2, { event: 'New', userId: 'ada' }));
          return needed;
        },
        limit: 100,
      });
      expect(await tidied).toBe(false);
      expect(await valuesOf(place, measured(NEW, 'count'))).toEqual({ ada: 1 });
      expect(await valuesOf(place, measured(OLD, 'count'))).toEqual({});
    } finally {
      await place.end();
    }
  });
});

import { expect, test } from 'vitest';
import { caught, measure, measured, space, tell, valuesOf } from '../conformance/profile-place.ts';
import { postgresProfilesPlace } from '../conformance/postgres-profiles-place.ts';
import type { Database } from '../../storage/postgres/connection/database.ts';
import { script } from '../../storage/postgres/connection/statement.ts';
import { tidy } from '../../storage/postgres/profiles/tidy.ts';
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

  test('SAFE-2: folds have their turn between parts of what is looked through', async () => {
    const place = await postgresPlace();
    await using _ = place;
    const hours = Array.from({ length: 400 }, (_one, index) => ({ measure: `m${index}`, hour: 9 }));
    await place.superuser.run(
      script(
        "INSERT INTO spaces (name) VALUES ('w@1'); INSERT INTO measures (space, name) SELECT 1, 'm' || n FROM generate_series(0, 399) n",
      ),
    );
    let transactions = 0;
    const counting: Database = {
      ...place.database,
      transaction: (work) => {
        transactions += 1;
        return place.database.transaction(work);
      },
    };
    const standing = { id: 'w@1', workspace: 'w', measures: hours.map((one) => ({ ...OLD, id: one.measure })) };
    const needed = async () => ({ spaces: [standing], computations: [], from: hours });
    expect(await tidy(counting)({ needed, limit: 100 })).toBe(false);
    expect(transactions).toBe(3);
  });
});

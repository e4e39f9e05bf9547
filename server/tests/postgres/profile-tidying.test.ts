import { expect, test } from 'vitest';
import { caught, EVERYBODY, measure, measured, space, tell, valuesOf } from '../conformance/profile-place.ts';
import { postgresProfilesPlace } from '../conformance/postgres-profiles-place.ts';
import type { Database, Queries } from '../../storage/postgres/connection/database.ts';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import { compute } from '../../storage/postgres/profiles/compute.ts';
import { tidy } from '../../storage/postgres/profiles/tidy.ts';
import { messageOf } from '../../thrown.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';

const OLD = measure('amounts', "event = 'Old'");
const NEW = measure('amounts', "event = 'New'");
const NOTHING = { spaces: [], computations: [], from: [] };

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

  test.each([
    { run: 1, at: 'stands', ends: 'is gone' },
    { run: 2, at: 'stands', ends: 'is gone' },
    { run: 1, at: 'forget_results', ends: 'as found' },
    { run: 2, at: 'forget_results', ends: 'as found' },
  ])(
    'AUD-9, SAFE-2: run $run, whose audience is removed at $at, ends $ends and leaves nobody behind',
    async (given) => {
      const { run, at, ends } = given;
      const postgres = await postgresPlace();
      const place = postgresProfilesPlace(postgres);
      try {
        const { database, superuser } = postgres;
        const request = { space: space().id, computation: 'workspaces/main/audiences/a', of: { members: EVERYBODY } };
        await tell(place, [space()], caught(-3, { event: 'Old', userId: 'ada' }));
        if (run > 1) await place.profiles.compute({ ...request, run: 1 });
        await tell(place, [space()], caught(-2, { event: 'Old', userId: 'bob' }));
        const removed = async (): Promise<boolean> => tidy(() => database)({ needed: async () => NOTHING, limit: 100 });
        const beside: Database['patient'] = {
          ...database.patient,
          transaction: (work) =>
            database.patient.transaction((queries) => {
              const asked: Queries['run'] = async (statement, values) => {
                // Rows of a run that is under way are waited for by nobody.
                if (statement.name === at) await removed();
                return queries.run(statement, values);
              };
              return work({ ...queries, run: asked });
            }),
        };
        const end = compute({ patient: beside })({ ...request, run }).then(() => 'as found', messageOf);
        expect(await end).toContain(ends);
        await removed();
        const left =
          'SELECT computation FROM results UNION ALL SELECT computation FROM runs UNION ALL SELECT id FROM spaces';
        expect(await superuser.run(reads('', left))).toEqual([]);
      } finally {
        await place.end();
      }
    },
  );

  test('SAFE-2: folds have their turn between two spaces, and none within one', async () => {
    const place = await postgresPlace();
    await using _ = place;
    await place.superuser.run(
      script(`INSERT INTO spaces (name) SELECT 'w' || n || '@1' FROM generate_series(0, 3) n;
        INSERT INTO measures (space, name) SELECT s.id, 'm' || n FROM spaces s, generate_series(1, 160) n`),
    );
    const parts: (readonly unknown[])[] = [];
    const watched: Database = {
      ...place.database,
      transaction: (work) =>
        place.database.transaction(async (queries) => {
          const removed: unknown[] = [];
          parts.push(removed);
          const run: Queries['run'] = async (statement, values) => {
            if (statement.name === 'tidy_spaces') removed.push(values?.[0]);
            return queries.run(statement, values);
          };
          return work({ ...queries, run });
        }),
    };
    expect(await tidy(() => watched)({ needed: async () => NOTHING, limit: 10_000 })).toBe(false);
    expect(parts).toHaveLength(4);
    expect(parts.every((removed) => removed.length === 1)).toBe(true);
  });

  test('SAFE-2: of measures with windows those that have something before it are found at a glance, for which no fold waits', async () => {
    const place = await postgresPlace();
    await using _ = place;
    await place.superuser.run(
      script(
        `INSERT INTO spaces (name) VALUES ('w@1'); INSERT INTO measures (space, name) SELECT 1, 'm' || n FROM generate_series(1, 6000) n`,
      ),
    );
    const names = Array.from({ length: 6_000 }, (_one, index) => `m${index + 1}`);
    const standing = { id: 'w@1', workspace: 'w', measures: names.map((id) => ({ ...OLD, id })) };
    const from = names.map((one) => ({ measure: one, hour: 9 * 24 }));
    let transactions = 0;
    const counting: Database = {
      ...place.database,
      transaction: (work) => {
        transactions += 1;
        return place.database.transaction(work);
      },
    };
    const tidied = tidy(() => counting);
    const request = { needed: async () => ({ spaces: [standing], computations: [], from }), limit: 100 };
    expect([await tidied(request), transactions]).toEqual([false, 0]);
    await place.superuser.run(
      script(`INSERT INTO amounts (measure, day, holder, hour, events, numbers, total) SELECT m, day, 1, 24 * day, 1, 0, 0
          FROM generate_series(5950, 6000, 50) m, unnest(ARRAY[8, 9]) day;
        INSERT INTO ends SELECT 7, day, 1, 24 * day, 1, 'm', '1', 1, 'm', '1' FROM unnest(ARRAY[8, 9]) day`),
    );
    expect([await tidied(request), transactions]).toEqual([false, 1]);
    const left = reads('', 'SELECT measure, day FROM amounts UNION ALL SELECT measure, day FROM ends ORDER BY measure');
    expect(await place.superuser.run(left)).toEqual([7, 5_950, 6_000].map((one) => ({ measure: one, day: 9 })));
  });
});

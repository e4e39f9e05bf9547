import { expect, test } from 'vitest';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { openDatabase } from '../../storage/postgres/connection/database.ts';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import { postgresProfiles } from '../../storage/postgres/profiles/profiles.ts';
import { postgresProfilesPlace } from '../conformance/postgres-profiles-place.ts';
import { caught, EVERYBODY, space, tell } from '../conformance/profile-place.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';
import type { PostgresPlace } from '../support/postgres-schema.ts';

/** For all other statements; the server ends them at half of it. */
const DEADLINE_MS = 600;
/** Where nothing but time ends a statement: a busy machine may stand still for a while in the middle of a transaction. */
const SLOW_DEADLINE_MS = 2_000;

describeWithPostgres('runs over many profiles', () => {
  test('a run and a preview may take longer than all other statements', async () => {
    await using place = await withSlowProfiles();
    await using database = openDatabaseWith(place, SLOW_DEADLINE_MS);
    const ask = { space: space().id, members: EVERYBODY, sample: 9 };
    const run = {
      space: space().id,
      computation: 'workspaces/main/audiences/aud_1',
      run: 1,
      of: { members: EVERYBODY },
    };
    const asked = await postgresProfiles(database).preview(ask);
    expect(asked).toEqual({ evaluated: 2, size: 2, sample: ['ada', 'bob'] });
    expect(await postgresProfiles(database).compute(run)).toMatchObject({ evaluated: 2, size: 2, entered: 2 });
    const hurried = postgresProfiles({ ...database, patient: database });
    await expect(hurried.preview(ask)).rejects.toThrow('statement timeout');
    await expect(hurried.compute({ ...run, run: 2 })).rejects.toThrow('statement timeout');
  });

  test('AUD-9: a deletion of many users goes part by part: folds of everybody wait for each, and no statement is too long', async () => {
    await using place = await withSlowProfiles('quick');
    await using database = openDatabaseWith(place);
    const asked = { workspace: 'workspaces/main', userIds: ['ada', 'bob'], spaces: async () => [space()] };
    const profiles = postgresProfiles(database);
    expect(await profiles.erase(asked)).toMatchObject({ isMore: true });
    const standing = () => profiles.standing({ space: space().id, users: asked.userIds });
    expect(await standing()).toEqual(expect.arrayContaining(['known', 'unknown']));
    expect(await profiles.erase(asked)).toMatchObject({ isMore: false });
    expect(await standing()).toEqual(['unknown', 'unknown']);
  });

  test('what cannot go on within a transaction is ended as soon as with others', async () => {
    await using place = await postgresPlace();
    await using database = openDatabaseWith(place);
    const setting = async (name: string) =>
      (await database.patient.run<{ readonly ms: string }>(reads('', `SELECT current_setting('${name}') AS ms`)))[0]
        ?.ms;
    expect(await setting('idle_in_transaction_session_timeout')).toBe('600ms');
    expect(await setting('statement_timeout')).toBe('10min');
  });

  test('NODE-7: so is a migration, although a step may take half an hour', async () => {
    await using place = await postgresPlace();
    await using database = openDatabaseWith(place, 3_600_000);
    const asked = reads('', "SELECT current_setting('idle_in_transaction_session_timeout') AS ms");
    expect(await database.run(asked)).toEqual([{ ms: '10s' }]);
    const hour = reads('', "SELECT current_setting('statement_timeout') AS ms");
    expect(await database.run(hour)).toEqual([{ ms: '30min' }]);
  });
});

function openDatabaseWith({ url }: PostgresPlace, deadlineMs = DEADLINE_MS) {
  const database = openDatabase(readAddress(url), deadlineMs);
  return { ...database, [Symbol.asyncDispose]: () => database.close() };
}

/** Two users, of whom each is looked at for longer than half of the deadline, or else takes nearly as long to remove. */
async function withSlowProfiles(looks: 'slow' | 'quick' = 'slow'): Promise<PostgresPlace> {
  const place = await postgresPlace();
  await tell(postgresProfilesPlace(place), [space()], caught(-1, { userId: 'ada' }), caught(-1, { userId: 'bob' }));
  if (looks === 'quick') {
    await place.superuser.run(
      script(`CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.2); RETURN old; END';
        CREATE TRIGGER dawdle BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION dawdle();
        CREATE TRIGGER dawdle AFTER DELETE ON traits FOR EACH STATEMENT EXECUTE FUNCTION dawdle()`),
    );
    return place;
  }
  await place.superuser.run(
    script(`ALTER TABLE users RENAME TO quick_users;
      CREATE VIEW users AS SELECT q.* FROM quick_users q, LATERAL (SELECT pg_sleep(0.6), q.id) slow;
      GRANT SELECT ON users TO PUBLIC`),
  );
  return place;
}

import { expect, test } from 'vitest';
import { caught, measure, SOURCE, space, tell } from '../conformance/profile-place.ts';
import { postgresProfilesPlace } from '../conformance/postgres-profiles-place.ts';
import type { Database } from '../../storage/postgres/connection/database.ts';
import { postgresProfiles } from '../../storage/postgres/profiles/profiles.ts';
import type { ProfileStorage } from '../../storage/profile-storage.ts';
import { held } from '../support/postgres-jobs.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';
import type { PostgresPlace } from '../support/postgres-schema.ts';

const SPACE = space(measure('amounts', "event = 'E'"));
const spaces = async () => [SPACE];
const ADA = { workspace: 'workspaces/main', userIds: ['ada'], spaces };
const EVENT = { event: 'E', userId: 'ada' };

interface World {
  readonly postgres: PostgresPlace;
  readonly profiles: ProfileStorage;
  /** Statements outside of transactions, by name. */
  readonly asked: readonly string[];
  readonly commitAccept: () => Promise<void>;
  /** Once all that was caught is folded. */
  readonly isKnown: () => Promise<boolean>;
}

function noting(database: Database, asked: string[]): Database {
  return {
    ...database,
    run(statement, values) {
      asked.push(statement.name);
      return database.run(statement, values);
    },
  };
}

/** Ada is known, and another event of hers is being accepted. */
async function withAccept(work: (world: World) => Promise<void>): Promise<void> {
  const postgres = await postgresPlace();
  const place = postgresProfilesPlace(postgres);
  const asked: string[] = [];
  const profiles = postgresProfiles(noting(postgres.database, asked));
  await tell(place, [SPACE], caught(-3, EVENT));
  const accept = await held(
    postgres,
    `LOCK TABLE messages IN ROW EXCLUSIVE MODE;
     INSERT INTO inbox (source, caught) SELECT id, '${caught(-2, EVENT).caught.replaceAll("'", "''")}' FROM names WHERE name = '${SOURCE}'`,
  );
  let committed: Promise<void> | undefined;
  const commitAccept = (): Promise<void> => (committed ??= accept.end());
  try {
    const isKnown = async (): Promise<boolean> => {
      await profiles.fold({ spaces, limit: 10 });
      return (await profiles.profile({ space: SPACE.id, user: 'ada', measures: [] })) !== undefined;
    };
    await work({ postgres, profiles, asked, commitAccept, isKnown });
  } finally {
    await commitAccept();
    await place.end();
  }
}

describeWithPostgres('a deletion of users beside accepts', () => {
  test('AUD-9: waits for those that are under way: what they bring is not folded behind it', () =>
    withAccept(async ({ profiles, asked, commitAccept, isKnown }) => {
      let isOver = false;
      const erased = profiles.erase(ADA).finally(() => (isOver = true));
      await expect.poll(() => isOver || asked.includes('pause')).toBe(true);
      await commitAccept();
      expect(await erased).toMatchObject({ isMore: false });
      expect(await isKnown()).toBe(false);
    }));

  test('AUD-9: removes what there is beside one that is held up for long, and has to be asked again', () =>
    withAccept(async ({ profiles, commitAccept, isKnown }) => {
      expect(await profiles.erase(ADA)).toMatchObject({ isMore: true });
      expect(await isKnown()).toBe(false);
      await commitAccept();
      expect(await isKnown()).toBe(true);
      expect(await profiles.erase(ADA)).toMatchObject({ isMore: false });
      expect(await isKnown()).toBe(false);
    }));

  test('AUD-9: waits for none that began later, however long each of them takes', () =>
    withAccept(async ({ postgres, profiles, commitAccept }) => {
      const { next: after, ...first } = await profiles.erase(ADA);
      expect(first).toMatchObject({ isMore: true });
      const later = await held(postgres, 'LOCK TABLE messages IN ROW EXCLUSIVE MODE');
      try {
        await commitAccept();
        expect(await profiles.erase({ ...ADA, after })).toMatchObject({ isMore: false });
      } finally {
        await later.end();
      }
    }));
});

import { expect, test } from 'vitest';
import { caught, EVERYBODY, space, tell } from '../conformance/profile-place.ts';
import { postgresProfilesPlace } from '../conformance/postgres-profiles-place.ts';
import type { Database, Queries } from '../../storage/postgres/connection/database.ts';
import { writes } from '../../storage/postgres/connection/statement.ts';
import { postgresProfiles } from '../../storage/postgres/profiles/profiles.ts';
import type { ProfileStorage } from '../../storage/profile-storage.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';

const COMPUTATION = 'workspaces/main/audiences/everybody';
const RUN = { space: space().id, computation: COMPUTATION, run: 1, of: { members: EVERYBODY } };
const SPACES = [space()];
const eventOf = (userId: string, at = -3) => caught(at, { userId });

interface Gate {
  readonly reached: Promise<void>;
  readonly open: () => void;
}

interface Held extends Gate {
  readonly database: Database;
}

/** Transactions of these connections wait behind a statement of this name, with what it has answered. */
function heldBehind(name: string, of: Database, which: 'patient' | 'own'): Held {
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = (queries: Queries): Queries => ({
    async run(statement, values = []) {
      const rows = await queries.run<never>(statement, values);
      if (statement.name === name) {
        reached.resolve();
        await gate.promise;
      }
      return rows;
    },
  });
  const from = which === 'own' ? of : of.patient;
  const transaction: Database['transaction'] = (work) => from.transaction((queries) => work(holding(queries)));
  const database = which === 'own' ? { ...of, transaction } : { ...of, patient: { ...of.patient, transaction } };
  return { database, reached: reached.promise, open: gate.resolve };
}

interface World {
  /** A run of everybody, which has found who there is and is not committed. */
  readonly computing: Gate;
  readonly computed: Promise<unknown>;
  /** Another router. */
  readonly beside: ProfileStorage;
  readonly other: Database;
  readonly folds: (userId: string) => Promise<void>;
  readonly members: () => Promise<readonly string[]>;
}

async function withRun(work: (world: World) => Promise<void>): Promise<void> {
  const postgres = await postgresPlace();
  const place = postgresProfilesPlace(postgres);
  const other = postgres.open();
  const beside = postgresProfiles(other);
  // What a run finds has no name: each is a statement of its own.
  const computing = heldBehind('', postgres.database, 'patient');
  const own = postgresProfiles(computing.database);
  try {
    await tell(place, SPACES, eventOf('ada'), eventOf('bob'));
    const computed = own.compute(RUN);
    await computing.reached;
    const folds = (userId: string): Promise<void> => tell(place, SPACES, eventOf(userId));
    const members = async (): Promise<readonly string[]> =>
      (await beside.results({ computation: COMPUTATION, limit: 9 })).results.map(({ user }) => user);
    await work({ computing, computed, beside, other, folds, members });
  } finally {
    computing.open();
    await other.close();
    await place.end();
  }
}

/** As it was before the run forgot her. */
const BACK_AGAIN = writes('', "INSERT INTO results SELECT id, 'ada', 1, NULL, 'true' FROM computations");
const ADA = { workspace: 'workspaces/main', userIds: ['ada'], spaces: async () => SPACES };

describeWithPostgres('a run beside the deletion of a user', () => {
  test('AUD-9: has not found who was deleted before it was committed', () =>
    withRun(async ({ computing, computed, beside, members }) => {
      expect(await beside.erase(ADA)).toMatchObject({ isMore: false });
      computing.open();
      await computed;
      expect(await members()).toEqual(['bob']);
    }));

  test('AUD-9: has not found who came back under the id of one who was deleted meanwhile', () =>
    withRun(async ({ computing, computed, beside, folds, members }) => {
      await beside.erase(ADA);
      await folds('ada');
      computing.open();
      await computed;
      expect(await members()).toEqual(['bob']);
    }));

  test('AUD-9: waits for a deletion that is under way as it is committed', () =>
    withRun(async ({ computing, computed, other, members }) => {
      const erasing = heldBehind('erase_results', other, 'own');
      const erased = postgresProfiles(erasing.database).erase(ADA);
      await erasing.reached;
      computing.open();
      await expect.poll(members).toEqual(['ada', 'bob']);
      erasing.open();
      await Promise.all([computed, erased]);
      expect(await members()).toEqual(['bob']);
    }));

  test('AUD-9: forgets who was deleted meanwhile when it is asked again, after a router that ended in between', () =>
    withRun(async ({ computing, computed, beside, other, members }) => {
      await beside.erase(ADA);
      computing.open();
      await computed;
      await other.run(BACK_AGAIN);
      expect(await members()).toEqual(['ada', 'bob']);
      expect(await beside.compute(RUN)).toMatchObject({ entered: 2 });
      expect(await members()).toEqual(['bob']);
    }));
});

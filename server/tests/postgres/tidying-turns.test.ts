import { expect, test } from 'vitest';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { type Database, openDatabase, type Queries } from '../../storage/postgres/connection/database.ts';
import { StatementEnded } from '../../storage/postgres/connection/failures.ts';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import { lockProfiles, transactionsInTurn } from '../../storage/postgres/profiles/locks.ts';
import { tidy } from '../../storage/postgres/profiles/tidy.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';

const needed = async () => ({ spaces: [], computations: [], from: [] });
const SPACES = reads('', 'SELECT name FROM spaces ORDER BY name');
const RESULTS_OF_A = reads('', 'SELECT user_id FROM results WHERE computation = 1 FOR UPDATE');
const DEADLINE_MS = 2_000;
const LONG = { timeout: 3_500 };

interface Place {
  /** Which waits for locks for 800 ms. */
  readonly database: Database;
  /** Another router. */
  readonly other: Database;
  /** Those of these workspaces. */
  readonly left: () => Promise<readonly string[]>;
}

/** Three workspaces without an audience, each of which had one with one member. */
async function withThree(work: (place: Place) => Promise<void>): Promise<void> {
  await using place = await postgresPlace();
  await using opened = new AsyncDisposableStack();
  const [database, other] = [DEADLINE_MS, undefined].map((ms) => openDatabase(readAddress(place.url), ms));
  if (database === undefined || other === undefined) throw new Error('neither was opened');
  for (const each of [database, other]) opened.defer(() => each.close());
  await place.superuser.run(
    script(`INSERT INTO spaces (name) VALUES ('a@1'), ('b@1'), ('c@1');
      INSERT INTO computations (space, name) SELECT id, name || '/audience' FROM spaces;
      INSERT INTO results (computation, user_id, since, value) SELECT id, 'ada', 1, 'true' FROM computations`),
  );
  const left = async () => (await place.superuser.run<{ readonly name: string }>(SPACES)).map(({ name }) => name);
  await work({ database, other, left });
}

interface Held extends AsyncDisposable {
  readonly end: () => Promise<void>;
}

/** Once a transaction has what it asks for. */
async function held(database: Database, ask: (queries: Queries) => Promise<unknown>): Promise<Held> {
  const [has, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const transaction = database.transaction(async (queries) => {
    await ask(queries);
    has.resolve();
    await gate.promise;
  });
  await Promise.race([has.promise, transaction]);
  const end = async (): Promise<void> => {
    gate.resolve();
    await transaction;
  };
  return { end, [Symbol.asyncDispose]: end };
}

async function heldProfiles(database: Database, workspace: string): Promise<Held> {
  return held(database, (queries) => lockProfiles(queries, workspace));
}

/** Tells for which profiles it waited. */
function watched(database: Database): { readonly database: Database; readonly waitedFor: unknown[] } {
  const waitedFor: unknown[] = [];
  const transaction: Database['transaction'] = (work) =>
    database.transaction((queries) => {
      const run: Queries['run'] = (statement, values) => {
        if (statement.name === 'lock_profiles') waitedFor.push(values?.[0]);
        return queries.run(statement, values);
      };
      return work({ ...queries, run });
    });
  return { database: { ...database, transaction }, waitedFor };
}

describeWithPostgres('tidying of workspaces in turn', () => {
  test.each(['another router', 'this router'])(
    'SAFE-2: while %s has the profiles of one workspace, those of all others are tidied, and it at the end',
    (whose) =>
      withThree(async ({ other, left }) => {
        const inTurn = transactionsInTurn(other);
        const holder = whose === 'this router' ? inTurn('a') : other;
        await using ofA = await heldProfiles(holder, 'a');
        const tidied = tidy(inTurn)({ needed, limit: 100 });
        await expect.poll(left, LONG).toEqual(['a@1']);
        await ofA.end();
        expect([await tidied, await left()]).toEqual([false, []]);
      }),
  );

  test('SAFE-2: a round that has removed enough waits for no workspace, and tells that more is left', () =>
    withThree(async ({ database, other, left }) => {
      const { database: own, waitedFor } = watched(database);
      await using ofA = await heldProfiles(other, 'a');
      const tidied = tidy(() => own);
      expect([await tidied({ needed, limit: 3 }), waitedFor, await left()]).toEqual([true, [], ['a@1', 'c@1']]);
      await ofA.end();
      expect([await tidied({ needed, limit: 100 }), waitedFor, await left()]).toEqual([false, [], []]);
    }));

  test('SAFE-2: a round that waited for one of two busy workspaces tells that more is left', () =>
    withThree(async ({ other, left }) => {
      const { database: own, waitedFor } = watched(other);
      await using ofA = await heldProfiles(other, 'a');
      await using ofB = await heldProfiles(other, 'b');
      const tidied = tidy(() => own);
      const first = tidied({ needed, limit: 100 });
      await expect.poll(() => waitedFor, LONG).toEqual(['a']);
      await ofA.end();
      expect([await first, await left()]).toEqual([true, ['b@1']]);
      await ofB.end();
      expect([await tidied({ needed, limit: 100 }), await left()]).toEqual([false, []]);
    }));

  test('SAFE-2: of workspaces that somebody always has each is waited for in its turn', () =>
    withThree(async ({ database, other, left }) => {
      const { database: own, waitedFor } = watched(database);
      await using ofB = await heldProfiles(other, 'b');
      await using ofA = await heldProfiles(other, 'a');
      const tidied = tidy(() => own);
      const round = async () => tidied({ needed, limit: 100 });
      expect([await round(), await round(), await round()]).toEqual([true, true, true]);
      expect([waitedFor, await left()]).toEqual([
        ['a', 'b', 'a'],
        ['a@1', 'b@1'],
      ]);
      for (const { end } of [ofA, ofB]) await end();
    }));

  test('SAFE-2: a round in which one workspace waits for too long tidies the others, and tells that it failed', () =>
    withThree(async ({ database, other, left }) => {
      await using ofA = await held(other, (queries) => queries.run(RESULTS_OF_A));
      const tidied = tidy(() => database);
      await expect(tidied({ needed, limit: 100 })).rejects.toThrow(StatementEnded);
      expect(await left()).toEqual(['a@1']);
      await ofA.end();
      expect([await tidied({ needed, limit: 100 }), await left()]).toEqual([false, []]);
    }));
});

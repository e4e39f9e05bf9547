import { expect, test } from 'vitest';
import { caught, measure, measured, type ProfilePlace, space } from '../conformance/profile-place.ts';
import { postgresProfilesPlace } from '../conformance/postgres-profiles-place.ts';
import type { Database, Queries } from '../../storage/postgres/connection/database.ts';
import { reads, writes } from '../../storage/postgres/connection/statement.ts';
import { WORKSPACES_AT_ONCE } from '../../storage/postgres/profiles/locks.ts';
import { postgresProfiles } from '../../storage/postgres/profiles/profiles.ts';
import type { MeasuredSpace, ProfileStorage } from '../../storage/profile-storage.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';

const COUNTED = measure('amounts', "event = 'E'");
const LOCKS = 'waybill profiles ';
const WAITING = reads(
  '',
  `SELECT pid FROM pg_locks WHERE NOT granted AND locktype = 'advisory'
     AND (classid::bigint << 32 | objid::bigint) = hashtextextended('${LOCKS}' || current_schema() || $1, 0)`,
);
const AS_BEFORE = writes('', `SELECT pg_advisory_xact_lock(hashtextextended('${LOCKS}' || current_schema(), 0))`);
const nameOf = (slug: string): string => `workspaces/${slug}`;
const spaceOf = (slug: string): MeasuredSpace => ({
  ...space(COUNTED),
  id: `${nameOf(slug)}@1`,
  workspace: nameOf(slug),
});
const spaces = async () => [spaceOf('v'), spaceOf('w')];
const eventOf = (slug: string) => caught(-3, { event: 'E', userId: 'ada' }, `${nameOf(slug)}/sources/js`);

/** Until somebody waits for that lock. */
async function seenWaiting(database: Database, of: string): Promise<void> {
  await expect.poll(async () => (await database.run(WAITING, [of])).length, { timeout: 5_000 }).toBe(1);
}

/** How often Ada's event was counted. */
async function countOf(profiles: ProfileStorage, slug: string): Promise<unknown> {
  const values = [measured(COUNTED, 'count')];
  return (await profiles.profile({ space: spaceOf(slug).id, user: 'ada', measures: [], values }))?.values[0];
}

interface Held {
  readonly database: Database;
  /** How many transactions there were at once. */
  readonly most: () => number;
  /** Those of one workspace. */
  readonly mostOfOne: () => number;
  /** How many of them are held. */
  readonly held: () => number;
  readonly release: () => void;
}

/** Transactions go on behind their lock once they are released. */
function heldBehindLock(database: Database): Held {
  const gate = Promise.withResolvers<void>();
  const underWay: string[][] = [];
  let [most, mostOfOne, held] = [0, 0, 0];
  const holding =
    (queries: Queries, own: string[]): Queries['run'] =>
    async (statement, values = []) => {
      if (statement.name === 'lock_profiles') own.push(String(values[0]));
      const [of] = own;
      mostOfOne = Math.max(
        mostOfOne,
        underWay.filter(([workspace]) => workspace !== undefined && workspace === of).length,
      );
      const answer = await queries.run<never>(statement, values);
      if (statement.name === 'locked_at' || statement.name === 'try_profiles') {
        held += 1;
        await gate.promise;
      }
      return answer;
    };
  const transaction: Database['transaction'] = (work) => {
    const own: string[] = [];
    underWay.push(own);
    most = Math.max(most, underWay.length);
    return database
      .transaction((queries) => work({ ...queries, run: holding(queries, own) }))
      .finally(() => void underWay.splice(underWay.indexOf(own), 1));
  };
  return {
    database: { ...database, transaction },
    most: () => most,
    mostOfOne: () => mostOfOne,
    held: () => held,
    release: gate.resolve,
  };
}

interface Routers {
  readonly place: ProfilePlace;
  readonly superuser: Database;
  /** One that is held behind its locks, on the connections of `place`. */
  readonly slow: Held;
  readonly first: ProfileStorage;
  /** Another router. */
  readonly beside: ProfileStorage;
  readonly other: Database;
}

async function withRouters(work: (routers: Routers) => Promise<void>): Promise<void> {
  const postgres = await postgresPlace();
  const place = postgresProfilesPlace(postgres);
  const other = postgres.open();
  const slow = heldBehindLock(postgres.database);
  const [first, beside] = [postgresProfiles(slow.database), postgresProfiles(other)];
  try {
    await work({ place, superuser: postgres.superuser, slow, first, beside, other });
  } finally {
    slow.release();
    await other.close();
    await place.end();
  }
}

describeWithPostgres('profiles of several workspaces and routers', () => {
  test('SAFE-2: an erasure keeps that workspace alone waiting, on whatever router', () =>
    withRouters(async ({ place, superuser, slow, first, beside }) => {
      const erase = { userIds: ['ada'], spaces };
      const held = first.erase({ ...erase, workspace: nameOf('w') });
      await expect.poll(() => slow.held()).toBe(1);
      await place.catches([eventOf('v'), eventOf('w')]);
      const second = beside.erase({ ...erase, workspace: nameOf('w') });
      await seenWaiting(superuser, ' workspaces/w');
      expect(await beside.erase({ ...erase, workspace: nameOf('v') })).toMatchObject({ isMore: false });
      expect(await place.waiting()).toBe(1);
      slow.release();
      await Promise.all([held, second]);
      expect(await place.waiting()).toBe(0);
    }));

  test('SAFE-2: upkeep folds what nobody else has, and waits for the first when somebody has all', () =>
    withRouters(async ({ place, superuser, slow, first, beside }) => {
      await place.catches([eventOf('w'), eventOf('v'), eventOf('w')]);
      const held = first.fold({ spaces, limit: 100, workspace: nameOf('w') });
      await expect.poll(() => slow.held()).toBe(1);
      expect(await beside.fold({ spaces, limit: 100 })).toMatchObject({ events: 1, isMore: true });
      const next = beside.fold({ spaces, limit: 100 });
      await seenWaiting(superuser, ' workspaces/w');
      slow.release();
      expect([await held, await next]).toMatchObject([{ events: 2 }, { events: 0, isMore: false }]);
      expect([await countOf(beside, 'v'), await countOf(beside, 'w')]).toEqual([1, 2]);
    }));

  test('SAFE-2: what is tidied of a workspace waits for its fold', () =>
    withRouters(async ({ place, superuser, slow, first, beside }) => {
      const request = { spaces: async () => [spaceOf('w')], limit: 100 };
      await place.catches([eventOf('w')]);
      await beside.fold(request);
      await place.catches([eventOf('w')]);
      const fold = first.fold(request);
      await expect.poll(() => slow.held()).toBe(1);
      const needed = { spaces: [], computations: [], from: [] };
      const tidied = beside.tidy({ needed: async () => needed, limit: 1_000 });
      await seenWaiting(superuser, ' workspaces/w');
      slow.release();
      expect([await fold, await tidied]).toMatchObject([{ events: 1 }, false]);
      expect(await superuser.run(reads('', 'SELECT id FROM spaces UNION ALL SELECT id FROM users'))).toEqual([]);
    }));

  test('SAFE-2: upkeep locks a part of many workspaces at a time', () =>
    withRouters(async ({ place, beside }) => {
      await place.catches(Array.from({ length: WORKSPACES_AT_ONCE + 2 }, (_one, index) => eventOf(`w${index}`)));
      const fold = async () => beside.fold({ spaces: async () => [], limit: 500 });
      expect(await fold()).toMatchObject({ events: WORKSPACES_AT_ONCE, isMore: true });
      expect(await fold()).toMatchObject({ events: 2, isMore: false });
    }));

  test('SAFE-2: a router of the version before and this one wait for each other', () =>
    withRouters(async ({ place, superuser, other }) => {
      await place.catches([eventOf('w')]);
      const [locked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const older = other.transaction(async (queries) => {
        await queries.run(AS_BEFORE);
        locked.resolve();
        await gate.promise;
      });
      await locked.promise;
      const fold = place.profiles.fold({ spaces: async () => [spaceOf('w')], limit: 100 });
      await seenWaiting(superuser, '').finally(gate.resolve);
      await older;
      expect(await fold).toMatchObject({ events: 1 });
    }));

  test('SAFE-2: a router waits for locks with some of its connections, and with one for each workspace', () =>
    withRouters(async ({ slow, first }) => {
      const all = Promise.all(
        ['w', 'w', 'w', 'w', 'w', 'v', 'u'].map(async (slug) =>
          first.erase({ workspace: nameOf(slug), userIds: ['ada'], spaces: async () => [] }),
        ),
      );
      await expect.poll(() => slow.held()).toBe(2);
      slow.release();
      await all;
      expect([slow.most(), slow.mostOfOne()]).toEqual([2, 1]);
    }));
});

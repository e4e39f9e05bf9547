import { attributedSql, TILE_TABLES } from '../../profiles/attributed-sql.ts';
import { type ErasedProfiles, type EraseRequest, foldAll, type ProfileStorage } from '../../profile-storage.ts';
import { confirmed } from '../connection/confirmed.ts';
import type { Database, Queries } from '../connection/database.ts';
import { reads, type Statement, writes } from '../connection/statement.ts';
import { storable } from '../../../model/json-values.ts';
import { numbers } from '../deliveries/columns.ts';
import { profilesOf } from './identity.ts';
import { lockProfiles } from './locks.ts';
import { findNumbers, USERS } from './numbers.ts';
import { daysOf, overTilesOf } from './tiles.ts';

/** So many at a time when all that was caught is folded. */
const LOT = 5_000;
/** So many ids are looked up before any of theirs is removed: a regulation may name tens of thousands, in each of its steps. */
const IDS_AT_ONCE = 1_000;
/** A statement removes so many tiles, give or take an hour: one user may have millions. */
const TILES_AT_ONCE = 20_000;
/** All folds of the workspace wait for a transaction that erases: no other profile is begun in it after so long with the lock. */
const ENOUGH_SECONDS = 0.3;
const HELD = reads(
  'locked_for',
  'SELECT extract(epoch FROM clock_timestamp())::double precision - $1::double precision AS seconds',
);

const SPACES = reads('spaces_of_workspace', "SELECT id FROM spaces WHERE starts_with(name, $1 || '@')");
const TEXTS = reads('texts_of_users', 'SELECT id, value FROM users WHERE id = ANY($1::bigint[])');
const VISITORS = reads(
  'visitors_of_erased',
  `SELECT v.id, EXISTS (SELECT FROM links o WHERE o.anonymous = v.id AND o.owner <> ALL($1::bigint[])) AS "isShared"
   FROM (SELECT DISTINCT anonymous AS id FROM links WHERE owner = ANY($1::bigint[])) v`,
);
const KEY = ['measure', 'day', 'holder', 'hour'];
const TILES = TILE_TABLES.map((table) => {
  const gone = (where: string): string =>
    `WITH gone AS (DELETE FROM ${table} WHERE ${where} RETURNING true) SELECT count(*) AS gone FROM gone`;
  const columns = KEY.join(', ');
  const theirs = overTilesOf(table, KEY, `SELECT ${columns} FROM tiles WHERE profile = $3 LIMIT ${TILES_AT_ONCE}`);
  const own = `SELECT ctid FROM ${table} WHERE measure = $1 AND day = ANY(${daysOf(table)}) AND holder = ANY($2::bigint[])`;
  return {
    /** Most measures have tiles of one kind alone. */
    measures: reads(
      `measures_with_${table}`,
      `SELECT m.id FROM measures m WHERE m.space = $1 AND (SELECT true FROM ${table} WHERE measure = m.id LIMIT 1)`,
    ),
    own: writes(`erase_${table}`, gone(`ctid = ANY(ARRAY(${own} LIMIT ${TILES_AT_ONCE}))`)),
    shared: writes(`erase_shared_${table}`, gone(`(${columns}) IN (${theirs})`)),
  };
});
const TRAITS = writes(
  'erase_traits',
  `DELETE FROM traits WHERE (name, holder, hour) IN (SELECT name, holder, hour FROM (${attributedSql(
    'traits',
    ['name', 'holder', 'hour'],
    't.holder = ANY($1::bigint[])',
  )}) t WHERE profile = ANY($2::bigint[]))`,
);
const IDS = ['links WHERE owner', 'moved WHERE id', 'merges WHERE profile', 'users WHERE id'].map((what) =>
  writes(`erase_ids_${what.split(' ')[0]}`, `DELETE FROM ${what} = ANY($1::bigint[])`),
);
const UNSEEN = writes(
  'erase_unseen',
  `DELETE FROM anonymous WHERE id = ANY($1::bigint[])
     AND (SELECT true FROM links l WHERE l.anonymous = anonymous.id LIMIT 1) IS NULL`,
);
const RESULTS = writes(
  'erase_results',
  `DELETE FROM results WHERE computation = ANY(ARRAY(SELECT id FROM computations WHERE space = $1))
     AND user_id = ANY($2::text[])`,
);

interface Id {
  readonly id: number;
}

/** An anonymous id that they were seen under. */
interface Visitor extends Id {
  /** Others were seen with it as well: what is theirs of it follows from its links, hour by hour. */
  readonly isShared: boolean;
}

/** One profile, with all that it is known under. */
interface Person {
  readonly space: number;
  readonly profile: number;
  readonly users: readonly number[];
  readonly ids: readonly string[];
}

/**
 * Folds what was caught, and removes users with all that is theirs by then, of their anonymous ids too. Of an anonymous id that
 * others were seen with as well, their hours stay.
 */
export function erase(
  database: Database,
  { fold, lastCaught }: Pick<ProfileStorage, 'fold' | 'lastCaught'>,
): ProfileStorage['erase'] {
  return async ({ workspace, userIds, spaces }) => {
    const caught = { spaces, limit: LOT, workspace, upTo: await lastCaught() };
    // In transactions of their own: all other folds of the workspace wait for each.
    const folded = await foldAll(() => fold(caught));
    const erased = await confirmed(database, async (queries) => {
      const since = await lockProfiles(queries, workspace);
      const removed = await removeFirst(queries, { workspace, userIds, since });
      return { ...removed, tookMs: 1_000 * (await heldFor(queries, since)) };
    });
    return { ...folded, ...erased };
  };
}

interface Removal extends Pick<EraseRequest, 'workspace' | 'userIds'> {
  /** When the lock was there. */
  readonly since: number;
}

/** As many as there is time for: those that follow are looked up next time, behind those that are gone. */
async function removeFirst(
  queries: Queries,
  { workspace, userIds, since }: Removal,
): Promise<Pick<ErasedProfiles, 'unasked' | 'isMore'>> {
  const asked = new Set(userIds.map(storable));
  let hasRemoved = false;
  for (const { id } of await queries.run<Id>(SPACES, [workspace])) {
    for (let from = 0; from < userIds.length; from += IDS_AT_ONCE) {
      // However long it took to find those that are left, it goes on with one of them.
      if (hasRemoved && (await isEnough(queries, since))) return { unasked: [], isMore: true };
      const some = await personsIn(queries, id, userIds.slice(from, from + IDS_AT_ONCE));
      const others = some.flatMap(({ ids }) => ids.filter((one) => !asked.has(one)));
      if (others.length > 0) return { unasked: [...new Set(others)], isMore: false };
      if (await removeSome(queries, some, since)) return { unasked: [], isMore: true };
      hasRemoved ||= some.length > 0;
    }
  }
  return { unasked: [], isMore: false };
}

async function personsIn(queries: Queries, space: number, userIds: readonly string[]): Promise<readonly Person[]> {
  const numberOf = await findNumbers(queries, USERS, space, userIds);
  const found = await profilesOf(
    queries,
    userIds.flatMap((userId) => numberOf(userId) ?? []),
  );
  const persons = new Map(found.map(({ profile, users }) => [profile, users]));
  const users = numbers([...persons.values()].flat());
  const texts = new Map(
    (await queries.run<Id & { readonly value: string }>(TEXTS, [users])).map((one) => [one.id, one.value]),
  );
  const idsOf = (own: readonly number[]): string[] => own.flatMap((id) => texts.get(id) ?? []);
  return Array.from(persons, ([profile, own]) => ({ space, profile, users: own, ids: idsOf(own) }));
}

/** Those that there is time for, one at least. Each goes as a whole: who is known in part would be told what never held. */
async function removeSome(queries: Queries, persons: readonly Person[], since: number): Promise<boolean> {
  for (const [index, person] of persons.entries()) {
    await remove(queries, person);
    if (index + 1 < persons.length && (await isEnough(queries, since))) return true;
  }
  return false;
}

async function isEnough(queries: Queries, since: number): Promise<boolean> {
  return (await heldFor(queries, since)) > ENOUGH_SECONDS;
}

async function heldFor(queries: Queries, since: number): Promise<number> {
  return (await queries.run<{ readonly seconds: number }>(HELD, [since]))[0]?.seconds ?? 0;
}

async function remove(queries: Queries, { space, profile, users: own, ids }: Person): Promise<void> {
  const users = numbers(own);
  const visitors = await queries.run<Visitor>(VISITORS, [users]);
  const shared = visitors.flatMap(({ id, isShared }) => (isShared ? [id] : []));
  const alone = [...own, ...visitors.flatMap(({ id, isShared }) => (isShared ? [] : [id]))];
  // By the links, which go afterwards.
  for (const tiles of TILES) {
    for (const { id } of await queries.run<Id>(tiles.measures, [space])) {
      await removeTiles(queries, tiles.own, [id, numbers(alone)]);
      if (shared.length > 0) await removeTiles(queries, tiles.shared, [id, numbers(shared), profile]);
    }
  }
  await queries.run(TRAITS, [numbers([...alone, ...shared]), numbers([profile])]);
  for (const statement of IDS) await queries.run(statement, [users]);
  await queries.run(UNSEEN, [numbers(visitors.map(({ id }) => id))]);
  await queries.run(RESULTS, [space, ids]);
}

async function removeTiles(queries: Queries, tiles: Statement, of: readonly unknown[]): Promise<void> {
  for (let gone = TILES_AT_ONCE; gone >= TILES_AT_ONCE;)
    gone = (await queries.run<{ readonly gone: number }>(tiles, of))[0]?.gone ?? 0;
}

import type { DatabaseSync } from 'node:sqlite';
import type { ErasedProfiles, EraseRequest } from '../../profile-storage.ts';
import { attributedSql, TILE_TABLES } from '../attributed-sql.ts';
import { query } from '../../file/deliveries/query.ts';
import { identity } from './identity.ts';
import { overTilesOf } from './tiles.ts';
import type { AllNumbers } from './numbers.ts';

interface Id {
  readonly id: number;
}

/** Whoever asks for profiles waits meanwhile: no other person is begun after so long. */
const ENOUGH_MS = 300;
/** So many at most go together, which spares statements: those behind may have a thousand times as much as those before. */
const MOST_TOGETHER = 8;

/**
 * Removes users with all that is theirs by now, of their anonymous ids too. Of an anonymous id that others were seen with as
 * well, their hours stay. Answers what else they are known under: then nothing is removed. And whether some are left.
 */
export function erase(
  database: DatabaseSync,
  numbers: AllNumbers,
): (request: Omit<EraseRequest, 'spaces'>) => Pick<ErasedProfiles, 'unasked' | 'isMore'> {
  const spaces = query<Id>(database, "SELECT id FROM spaces WHERE substr(name, 1, length(?1) + 1) = ?1 || '@'");
  const { profileOf, usersOf } = identity(database);
  const texts = query<{ readonly value: string }>(database, `SELECT value FROM users WHERE id IN ${OF_USERS}`);
  const idsOf = (users: readonly number[]): string[] => texts.all(JSON.stringify(users)).map(({ value }) => value);
  const remove = removeUsers(database);
  return ({ workspace, userIds }) => {
    const asked = new Set(userIds);
    const all = spaces.all(workspace).map(({ id: space }) => {
      const known = userIds.flatMap((userId) => numbers.users.find(space, userId) ?? []);
      return { space, profiles: [...new Set(known.map(profileOf))] };
    });
    const known = all.flatMap(({ profiles }) => idsOf(profiles.flatMap(usersOf)));
    const unasked = known.filter((id) => !asked.has(id));
    if (unasked.length > 0) return { unasked: [...new Set(unasked)], isMore: false };
    numbers.forget();
    const until = performance.now() + ENOUGH_MS;
    for (const { space, profiles } of all) {
      // Each goes as a whole: who is known in part would be told what never held.
      for (let [from, count] = [0, 1]; from < profiles.length; [from, count] = [from + count, more(count)]) {
        if (performance.now() > until) return { unasked: [], isMore: true };
        const some = profiles.slice(from, from + count);
        const users = some.flatMap(usersOf);
        remove({ space, users, profiles: some, ids: idsOf(users) });
      }
    }
    return { unasked: [], isMore: false };
  };
}

function more(count: number): number {
  return Math.min(count * 2, MOST_TOGETHER);
}

/** Users of a space, and all that they are known under. */
interface Erased {
  readonly space: number;
  readonly users: readonly number[];
  readonly profiles: readonly number[];
  readonly ids: readonly string[];
}

const OF_USERS = '(SELECT value FROM json_each(?))';

function removeUsers(database: DatabaseSync): (those: Erased) => void {
  const visitors = query<Id>(database, `SELECT DISTINCT anonymous AS id FROM links WHERE owner IN ${OF_USERS}`);
  const removeCounted = removeCountedOf(database);
  const numbered = ['links WHERE owner', 'moved WHERE id', 'merges WHERE profile', 'users WHERE id'].map((what) =>
    database.prepare(`DELETE FROM ${what} IN ${OF_USERS}`),
  );
  const unseen = database.prepare(`DELETE FROM anonymous WHERE id IN ${OF_USERS}
    AND NOT EXISTS (SELECT 1 FROM links WHERE links.anonymous = anonymous.id)`);
  const results =
    database.prepare(`DELETE FROM results WHERE computation IN (SELECT id FROM computations WHERE space = ?)
    AND user_id IN ${OF_USERS}`);
  return ({ space, users, profiles, ids: userIds }) => {
    const anonymous = visitors.all(JSON.stringify(users)).map(({ id }) => id);
    // By the links, which go afterwards.
    removeCounted(space, [...users, ...anonymous], profiles);
    for (const statement of numbered) statement.run(JSON.stringify(users));
    unseen.run(JSON.stringify(anonymous));
    results.run(space, JSON.stringify(userIds));
  };
}

/** Tiles and traits. */
function removeCountedOf(
  database: DatabaseSync,
): (space: number, holders: readonly number[], profiles: readonly number[]) => void {
  const measures = query<Id>(database, 'SELECT id FROM measures WHERE space = ?');
  const ofProfiles = 'WHERE profile IN (SELECT value FROM json_each(?3))';
  const key = ['measure', 'day', 'holder', 'hour'];
  const tiles = TILE_TABLES.map((table) => {
    const theirs = overTilesOf(table, key, `SELECT ${key.join(', ')} FROM tiles ${ofProfiles}`);
    return database.prepare(`DELETE FROM ${table} WHERE (${key.join(', ')}) IN (${theirs})`);
  });
  const theirs = attributedSql('traits', ['name', 'holder', 'hour'], 't.holder IN (SELECT value FROM json_each(?))');
  const traits = database.prepare(`DELETE FROM traits WHERE (name, holder, hour) IN
    (SELECT name, holder, hour FROM (${theirs}) t WHERE profile IN ${OF_USERS})`);
  return (space, holders, profiles) => {
    const [of, whose] = [JSON.stringify(holders), JSON.stringify(profiles)];
    for (const { id } of measures.all(space)) for (const table of tiles) table.run(id, of, whose);
    traits.run(of, whose);
  };
}

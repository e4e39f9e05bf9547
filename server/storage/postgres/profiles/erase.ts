import { attributedSql, TILE_TABLES } from '../../profiles/attributed-sql.ts';
import type { Erased } from '../../profiles/sqlite/erase.ts';
import { foldAll, type ProfileStorage } from '../../profile-storage.ts';
import { confirmed } from '../connection/confirmed.ts';
import type { Database, Queries } from '../connection/database.ts';
import { reads, writes } from '../connection/statement.ts';
import { storable } from '../../../model/json-values.ts';
import { numbers } from '../deliveries/columns.ts';
import { lockProfiles } from './fold.ts';
import { profilesOf } from './identity.ts';
import { findNumbers, USERS } from './numbers.ts';
import { overTilesOf } from './tiles.ts';

/** So many at a time when all that was caught is folded. */
const LOT = 5_000;

const SPACES = reads('spaces_of_workspace', "SELECT id FROM spaces WHERE starts_with(name, $1 || '@')");
const TEXTS = reads('texts_of_users', 'SELECT value FROM users WHERE id = ANY($1::bigint[])');
const VISITORS = reads(
  'visitors_of_erased',
  'SELECT DISTINCT anonymous AS id FROM links WHERE owner = ANY($1::bigint[])',
);
const MEASURES = reads('measures_of_space', 'SELECT id FROM measures WHERE space = $1');
const KEY = ['measure', 'day', 'holder', 'hour'];
const TILES = TILE_TABLES.map((table) => {
  const theirs = overTilesOf(table, KEY, `SELECT ${KEY.join(', ')} FROM tiles WHERE profile = ANY($3::bigint[])`);
  return writes(`erase_${table}`, `DELETE FROM ${table} WHERE (${KEY.join(', ')}) IN (${theirs})`);
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
    // In transactions of their own: all other folds wait for each.
    const folded = await foldAll(() => fold(caught));
    const unasked = await confirmed(database, async (queries) => {
      await lockProfiles(queries);
      const all: Erased[] = [];
      for (const { id } of await queries.run<Id>(SPACES, [workspace])) all.push(await usersIn(queries, id, userIds));
      const asked = new Set(userIds.map(storable));
      const others = all.flatMap(({ ids }) => ids.filter((id) => !asked.has(id)));
      if (others.length === 0) for (const those of all) await remove(queries, those);
      return [...new Set(others)];
    });
    return { unasked, ...folded };
  };
}

async function usersIn(queries: Queries, space: number, userIds: readonly string[]): Promise<Erased> {
  const numberOf = await findNumbers(queries, USERS, space, userIds);
  const found = await profilesOf(
    queries,
    userIds.flatMap((userId) => numberOf(userId) ?? []),
  );
  const users = [...new Set(found.flatMap((one) => one.users))];
  const profiles = [...new Set(found.map(({ profile }) => profile))];
  const ids = (await queries.run<{ readonly value: string }>(TEXTS, [numbers(users)])).map(({ value }) => value);
  return { space, users, profiles, ids };
}

async function remove(queries: Queries, { space, ids, ...those }: Erased): Promise<void> {
  const [users, profiles] = [numbers(those.users), numbers(those.profiles)];
  const visitors = (await queries.run<Id>(VISITORS, [users])).map(({ id }) => id);
  const holders = numbers([...those.users, ...visitors]);
  // By the links, which go afterwards.
  for (const { id } of await queries.run<Id>(MEASURES, [space]))
    for (const tiles of TILES) await queries.run(tiles, [id, holders, profiles]);
  await queries.run(TRAITS, [holders, profiles]);
  for (const statement of IDS) await queries.run(statement, [users]);
  await queries.run(UNSEEN, [numbers(visitors)]);
  await queries.run(RESULTS, [space, ids]);
}

import type { JsonObject } from '../../../model/message.ts';
import { attributedSql } from '../../profiles/attributed-sql.ts';
import type { Profile, ProfileStorage, Tile } from '../../profile-storage.ts';
import {
  AMOUNTS,
  type AmountRow,
  type EndRow,
  ENDS,
  tilesOfRows,
  type ValueRow,
  VALUES,
} from '../../profiles/tile-rows.ts';
import type { Database, Queries } from '../connection/database.ts';
import { reads } from '../connection/statement.ts';
import { storable } from '../../../model/json-values.ts';
import { numbers } from '../deliveries/columns.ts';
import { profilesOf } from './identity.ts';
import { findNumbers, findSpace, MEASURES, USERS } from './numbers.ts';
import { overTilesOf } from './tiles-of.ts';

const TEXTS = reads('user_texts', 'SELECT id, value FROM users WHERE id = ANY($1::bigint[]) ORDER BY value');
const VISITORS = reads(
  'visitors_of_users',
  `SELECT a.id, a.value FROM anonymous a WHERE a.id = ANY(ARRAY(SELECT DISTINCT anonymous FROM links
     WHERE owner = ANY($1::bigint[]))) ORDER BY a.value`,
);
const RESULTS = reads(
  'results_of_user',
  `SELECT c.name AS computation, r.value, r.since FROM computations c, LATERAL (SELECT value, since FROM results
     WHERE computation = c.id AND user_id = $2 AND until IS NULL LIMIT 1) r WHERE c.space = $1 ORDER BY c.name`,
);
const TRAITS = reads(
  'traits_of_profile',
  `SELECT n.name, r.value FROM (
     SELECT name, value, row_number() OVER (PARTITION BY name ORDER BY at DESC, value DESC) AS place
     FROM (${attributedSql('traits', ['name', 'at', 'value'], 't.holder = ANY($1::bigint[])')}) t WHERE profile = $2
   ) r, LATERAL (SELECT name FROM trait_names WHERE id = r.name OFFSET 0) n
   WHERE place = 1 AND r.value <> 'null' ORDER BY n.name COLLATE "C"`,
);

interface Text {
  readonly id: number;
  readonly value: string;
}

export function profile(database: Database): ProfileStorage['profile'] {
  return async ({ space: name, user, measures }): Promise<Profile | undefined> => {
    const space = await findSpace(database, name);
    const id = space === undefined ? undefined : (await findNumbers(database, USERS, space, [user]))(user);
    if (space === undefined || id === undefined) return undefined;
    const [own] = await profilesOf(database, [id]);
    if (own === undefined) return undefined;
    const users = await database.run<Text>(TEXTS, [numbers(own.users)]);
    const visitors = await database.run<Text>(VISITORS, [numbers(own.users)]);
    const holders = [...own.users, ...visitors.map((visitor) => visitor.id)];
    const told = users.find((one) => one.id === own.profile)?.value ?? user;
    const measureOf = await findNumbers(database, MEASURES, space, measures);
    const tiles: Tile[] = [];
    for (const measure of measures)
      tiles.push(...(await tilesOf(database, { measure, id: measureOf(measure) ?? 0, holders, profile: own.profile })));
    return {
      user: told,
      userIds: users.map(({ value }) => value),
      anonymousIds: visitors.map(({ value }) => value),
      traits: await traitsOf(database, holders, own.profile),
      results: await database.run(RESULTS, [space, told]),
      tiles,
    };
  };
}

async function traitsOf(queries: Queries, holders: readonly number[], of: number): Promise<JsonObject> {
  const rows = await queries.run<{ readonly name: string; readonly value: string }>(TRAITS, [numbers(holders), of]);
  return Object.fromEntries(rows.map(({ name, value }): [string, unknown] => [name, JSON.parse(value)]));
}

const OF_PROFILE = 'FROM tiles WHERE profile = $3 ORDER BY hour';
const AMOUNTS_OF = reads(
  'amounts_of_profile',
  overTilesOf('amounts', AMOUNTS.columns, `SELECT ${AMOUNTS.row} ${OF_PROFILE}`),
);
const VALUES_OF = reads(
  'values_of_profile',
  overTilesOf('counted_values', VALUES.columns, `SELECT ${VALUES.row} ${OF_PROFILE}`),
);
const ENDS_OF = reads('ends_of_profile', overTilesOf('ends', ENDS.columns, `SELECT ${ENDS.row} ${OF_PROFILE}`));

interface Of {
  readonly measure: string;
  readonly id: number;
  readonly holders: readonly number[];
  readonly profile: number;
}

async function tilesOf(queries: Queries, { measure, id, holders, profile: of }: Of): Promise<readonly Tile[]> {
  const parameters = [id, numbers(holders), of];
  const amounts = await queries.run<AmountRow>(AMOUNTS_OF, parameters);
  const values = await queries.run<ValueRow>(VALUES_OF, parameters);
  const ends = await queries.run<EndRow>(ENDS_OF, parameters);
  return tilesOfRows(measure, { amounts, values, ends });
}

const STANDING = reads(
  'standing_of_users',
  `SELECT u.value AS user, (SELECT true FROM moved m WHERE m.id = u.id LIMIT 1) AS moved FROM users u
   WHERE u.space = $1 AND u.value = ANY($2::text[])`,
);

export function standing(database: Database): ProfileStorage['standing'] {
  return async ({ space: name, users }) => {
    const space = (await findSpace(database, name)) ?? 0;
    const rows = await database.run<{ readonly user: string; readonly moved: boolean | null }>(STANDING, [
      space,
      users.map(storable),
    ]);
    const known = new Map(
      rows.map(({ user, moved }) => [user, moved === true ? ('merged' as const) : ('known' as const)]),
    );
    return users.map((user) => known.get(storable(user)) ?? 'unknown');
  };
}

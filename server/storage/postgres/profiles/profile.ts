import type { JsonObject } from '../../../model/message.ts';
import { attributedSql } from '../../profiles/attributed-sql.ts';
import { ownValue, ownValueSql } from '../../profiles/measured-sql.ts';
import type { Measured } from '../../../audiences/plan.ts';
import type { Profile, ProfileStorage } from '../../profile-storage.ts';
import {
  AMOUNTS,
  type AmountRow,
  CollectedTiles,
  type EndRow,
  ENDS,
  type TileRows,
  tilesSql,
  type ValueRow,
  VALUES,
} from '../../profiles/tile-rows.ts';
import type { Database, Queries } from '../connection/database.ts';
import { reads } from '../connection/statement.ts';
import { storable } from '../../../model/json-values.ts';
import { numbers } from '../deliveries/columns.ts';
import { dialectOf, postgresParameters } from './dialect.ts';
import { profilesOf } from './identity.ts';
import { findNumbers, findSpace, MEASURES, USERS } from './numbers.ts';
import { overTilesOf } from './tiles.ts';

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
  return async ({ space: name, user, measures, values = [] }): Promise<Profile | undefined> => {
    const space = await findSpace(database, name);
    const id = space === undefined ? undefined : (await findNumbers(database, USERS, space, [user]))(user);
    if (space === undefined || id === undefined) return undefined;
    const [own] = await profilesOf(database, [id]);
    if (own === undefined) return undefined;
    const users = await database.run<Text>(TEXTS, [numbers(own.users)]);
    const visitors = await database.run<Text>(VISITORS, [numbers(own.users)]);
    const holders = [...own.users, ...visitors.map((visitor) => visitor.id)];
    const told = users.find((one) => one.id === own.profile)?.value ?? user;
    const asked = [...measures, ...values.map(({ measure }) => measure)];
    const measureOf = await findNumbers(database, MEASURES, space, asked);
    const of = (measure: string): Of => ({ measure, id: measureOf(measure) ?? 0, holders, profile: own.profile });
    const valuesNow: unknown[] = [];
    for (const measured of values) valuesNow.push(await valueOf(database, measured, of(measured.measure)));
    return {
      user: told,
      userIds: users.map(({ value }) => value),
      anonymousIds: visitors.map(({ value }) => value),
      traits: await traitsOf(database, holders, own.profile),
      results: await database.run(RESULTS, [space, told]),
      values: valuesNow,
      tiles: await tilesOf(database, measures.map(of)),
    };
  };
}

async function traitsOf(queries: Queries, holders: readonly number[], of: number): Promise<JsonObject> {
  const rows = await queries.run<{ readonly name: string; readonly value: string }>(TRAITS, [numbers(holders), of]);
  return Object.fromEntries(rows.map(({ name, value }): [string, unknown] => [name, JSON.parse(value)]));
}

interface Of {
  readonly measure: string;
  readonly id: number;
  readonly holders: readonly number[];
  readonly profile: number;
}

/** The same SQL as that of a run. */
async function valueOf(queries: Queries, measured: Measured, { id, holders, profile: of }: Of): Promise<unknown> {
  const parameters = postgresParameters();
  const [, , own = ''] = [id, numbers(holders), of].map((value) => parameters.add(value));
  const dialect = dialectOf((number) => parameters.values[number - 1] ?? '');
  const { table, columns, sql } = ownValueSql(measured, own, { dialect, parameters });
  const look = reads('', overTilesOf(table, columns, sql));
  const [found] = await queries.run<{ readonly value: string }>(look, parameters.values);
  return ownValue(found, measured);
}

const AMOUNTS_OF = reads('amounts_of_profile', overTilesOf('amounts', AMOUNTS.columns, tilesSql(AMOUNTS, '$3')));
const VALUES_OF = reads('values_of_profile', overTilesOf('counted_values', VALUES.columns, tilesSql(VALUES, '$3')));
const ENDS_OF = reads('ends_of_profile', overTilesOf('ends', ENDS.columns, tilesSql(ENDS, '$3')));

async function tilesOf(queries: Queries, all: readonly Of[]): Promise<Profile['tiles']> {
  const collected = new CollectedTiles();
  for (const { measure, id, holders, profile: of } of all) {
    const parameters = [id, numbers(holders), of];
    const rows: TileRows = {
      amounts: await queries.run<AmountRow>(AMOUNTS_OF, parameters),
      values: await queries.run<ValueRow>(VALUES_OF, parameters),
      ends: await queries.run<EndRow>(ENDS_OF, parameters),
    };
    if (!collected.add(measure, rows)) return undefined;
  }
  return collected.tiles;
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

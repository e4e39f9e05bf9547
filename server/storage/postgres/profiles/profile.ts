import type { JsonObject } from '../../../model/message.ts';
import { attributedSql } from '../../profiles/attributed-sql.ts';
import type { End, Profile, ProfileStorage, Tile } from '../../profile-storage.ts';
import type { Database, Queries } from '../connection/database.ts';
import { reads } from '../connection/statement.ts';
import { numbers, storable } from '../deliveries/columns.ts';
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
     SELECT name, value, row_number() OVER (PARTITION BY name ORDER BY at DESC, message DESC) AS place
     FROM (${attributedSql('traits', ['name', 'at', 'message', 'value'], 't.holder = ANY($1::bigint[])')}) t WHERE profile = $2
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

const SELECT = 'FROM tiles WHERE profile = $3 ORDER BY hour';
const AMOUNTS = reads(
  'amounts_of_profile',
  overTilesOf(
    'amounts',
    ['hour', 'events', 'numbers', 'total', 'lowest', 'highest'],
    `SELECT hour, events AS count, numbers, total AS sum,
       coalesce(lowest, CASE WHEN numbers > 0 THEN total END) AS min,
       coalesce(highest, CASE WHEN numbers > 0 THEN total END) AS max ${SELECT}`,
  ),
);
const VALUES = reads(
  'values_of_profile',
  overTilesOf('counted_values', ['hour', 'value', 'events'], `SELECT hour, value, events AS count ${SELECT}`),
);
const END = ['first_at', 'first_message', 'first_json', 'last_at', 'last_message', 'last_json'];
const ENDS = reads(
  'ends_of_profile',
  overTilesOf('ends', ['hour', ...END], `SELECT hour, ${END.join(', ')} ${SELECT}`),
);

interface Of {
  readonly measure: string;
  readonly id: number;
  readonly holders: readonly number[];
  readonly profile: number;
}

type RowOf<Kind extends Tile['kind']> = Omit<Extract<Tile, { kind: Kind }>, 'kind' | 'measure'>;

interface EndRow {
  readonly hour: number;
  readonly first_at: number;
  readonly first_message: string;
  readonly first_json: string;
  readonly last_at: number;
  readonly last_message: string;
  readonly last_json: string;
}

async function tilesOf(queries: Queries, { measure, id, holders, profile: of }: Of): Promise<readonly Tile[]> {
  const values = [id, numbers(holders), of];
  const amounts = await queries.run<RowOf<'amounts'>>(AMOUNTS, values);
  const counted = await queries.run<RowOf<'values'>>(VALUES, values);
  const ends = await queries.run<EndRow>(ENDS, values);
  return [
    ...amounts.map((row): Tile => ({ measure, kind: 'amounts', ...row })),
    ...counted.map((row): Tile => ({ measure, kind: 'values', ...row })),
    ...ends.map((row): Tile => {
      const first: End = { at: row.first_at, messageId: row.first_message, value: row.first_json };
      const last: End = { at: row.last_at, messageId: row.last_message, value: row.last_json };
      return { measure, hour: row.hour, kind: 'ends', first, last };
    }),
  ];
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

import type { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '../../../model/message.ts';
import type { Profile, ProfileRequest, Standing, Tile } from '../../profile-storage.ts';
import { attributedSql } from '../attributed-sql.ts';
import { query } from '../../file/deliveries/query.ts';
import { identity } from './identity.ts';
import type { AllNumbers } from './numbers.ts';
import { overTilesOf, type TileTable } from './tile-tables.ts';
import { AMOUNTS, type AmountRow, type EndRow, ENDS, tilesOfRows, type ValueRow, VALUES } from '../tile-rows.ts';

export function profileOf(
  database: DatabaseSync,
  numbers: AllNumbers,
): (request: ProfileRequest) => Profile | undefined {
  const { profileOf: toldAs, usersOf } = identity(database);
  const texts = query<{ readonly value: string }>(
    database,
    'SELECT value FROM users WHERE id IN (SELECT value FROM json_each(?)) ORDER BY value',
  );
  const told = query<{ readonly value: string }>(database, 'SELECT value FROM users WHERE id = ?');
  const anonymous = query<{ readonly id: number; readonly value: string }>(
    database,
    `SELECT a.id, a.value FROM anonymous a WHERE a.id IN
       (SELECT anonymous FROM links WHERE owner IN (SELECT value FROM json_each(?))) ORDER BY a.value`,
  );
  const results = resultsIn(database);
  const [traits, tiles] = [traitsOf(database), tilesOf(database)];
  return ({ space: name, user, measures }) => {
    const space = numbers.spaces.find(name);
    const id = space === undefined ? undefined : numbers.users.find(space, user);
    if (space === undefined || id === undefined) return undefined;
    const profile = toldAs(id);
    const users = usersOf(profile);
    const visitors = anonymous.all(JSON.stringify(users));
    const toldUnder = told.get(profile)?.value ?? user;
    const holders = [...users, ...visitors.map((visitor) => visitor.id)];
    return {
      user: toldUnder,
      userIds: texts.all(JSON.stringify(users)).map(({ value }) => value),
      anonymousIds: visitors.map(({ value }) => value),
      traits: traits(holders, profile),
      results: results(space, toldUnder),
      tiles: measures.flatMap((measure) =>
        tiles(measure, numbers.measures.find(space, measure) ?? 0, holders, profile),
      ),
    };
  };
}

function resultsIn(database: DatabaseSync): (space: number, user: string) => Profile['results'] {
  const rows = query<Profile['results'][number]>(
    database,
    `SELECT c.name AS computation, r.value, r.since FROM computations c JOIN results r ON r.computation = c.id
     WHERE c.space = ? AND r.user_id = ? AND r.until IS NULL ORDER BY c.name`,
  );
  return (space, user) => rows.all(space, user);
}

function traitsOf(database: DatabaseSync): (holders: readonly number[], profile: number) => JsonObject {
  const own = attributedSql('traits', ['name', 'at', 'value'], 't.holder IN (SELECT value FROM json_each(?1))');
  const rows = query<{ readonly name: string; readonly value: string }>(
    database,
    `SELECT n.name, r.value FROM (
       SELECT name, value, row_number() OVER (PARTITION BY name ORDER BY at DESC, value DESC) AS place
       FROM (${own}) t WHERE profile = ?2
     ) r JOIN trait_names n ON n.id = r.name WHERE place = 1 AND r.value <> 'null' ORDER BY n.name`,
  );
  return (holders, profile) => {
    const all = rows.all(JSON.stringify(holders), profile);
    return Object.fromEntries(all.map(({ name, value }): [string, unknown] => [name, JSON.parse(value)]));
  };
}

type RowsOf<Row> = (measure: number, holders: readonly number[], profile: number) => Row[];

function tilesOf(
  database: DatabaseSync,
): (measure: string, id: number, holders: readonly number[], profile: number) => Tile[] {
  const rowsOf = <Row>(
    table: TileTable,
    { columns, row }: typeof AMOUNTS | typeof VALUES | typeof ENDS,
  ): RowsOf<Row> => {
    const rows = query<Row>(
      database,
      overTilesOf(table, columns, `SELECT ${row} FROM tiles WHERE profile = ?3 ORDER BY hour`),
    );
    return (id, holders, profile) => rows.all(id, JSON.stringify(holders), profile);
  };
  const amounts = rowsOf<AmountRow>('amounts', AMOUNTS);
  const values = rowsOf<ValueRow>('counted_values', VALUES);
  const ends = rowsOf<EndRow>('ends', ENDS);
  return (measure, ...of) =>
    tilesOfRows(measure, { amounts: amounts(...of), values: values(...of), ends: ends(...of) });
}

export function standingOf(
  database: DatabaseSync,
  numbers: AllNumbers,
): (request: { readonly space: string; readonly users: readonly string[] }) => Standing[] {
  const { profileOf: toldAs } = identity(database);
  return ({ space: name, users }) => {
    const space = numbers.spaces.find(name) ?? 0;
    return users.map((user) => {
      const id = numbers.users.find(space, user);
      if (id === undefined) return 'unknown';
      return toldAs(id) === id ? 'known' : 'merged';
    });
  };
}

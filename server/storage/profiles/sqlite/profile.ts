import type { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '../../../model/message.ts';
import type { Profile, ProfileRequest, Standing } from '../../profile-storage.ts';
import type { Measured } from '../../../audiences/plan.ts';
import { attributedSql, type TileTable } from '../attributed-sql.ts';
import { Parameters } from '../dialect.ts';
import { ownValue, ownValueSql } from '../measured-sql.ts';
import { query } from '../../file/deliveries/query.ts';
import { SQLITE } from './dialect.ts';
import { identity } from './identity.ts';
import type { AllNumbers } from './numbers.ts';
import { overTilesOf } from './tiles.ts';
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
} from '../tile-rows.ts';

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
  const [traits, tiles, lookUp] = [traitsOf(database), tilesOf(database), valueOf(database)];
  return ({ space: name, user, measures, values = [] }) => {
    const space = numbers.spaces.find(name);
    const id = space === undefined ? undefined : numbers.users.find(space, user);
    if (space === undefined || id === undefined) return undefined;
    const profile = toldAs(id);
    const users = usersOf(profile);
    const visitors = anonymous.all(JSON.stringify(users));
    const toldUnder = told.get(profile)?.value ?? user;
    const holders = [...users, ...visitors.map((visitor) => visitor.id)];
    const of = (measure: string): Of => ({ id: numbers.measures.find(space, measure) ?? 0, holders, profile });
    return {
      user: toldUnder,
      userIds: texts.all(JSON.stringify(users)).map(({ value }) => value),
      anonymousIds: visitors.map(({ value }) => value),
      traits: traits(holders, profile),
      results: results(space, toldUnder),
      values: values.map((measured) => lookUp(measured, of(measured.measure))),
      tiles: tiles(measures.map((measure) => [measure, of(measure)])),
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

/** A measure, and whose tiles of it are theirs. */
interface Of {
  readonly id: number;
  readonly holders: readonly number[];
  readonly profile: number;
}

/** The same SQL as that of a run. */
function valueOf(database: DatabaseSync): (measured: Measured, of: Of) => unknown {
  return (measured, { id, holders, profile }) => {
    const parameters = new Parameters(SQLITE);
    const [, , own = ''] = [id, JSON.stringify(holders), profile].map((value) => parameters.add(value));
    const { table, columns, sql } = ownValueSql(measured, own, { dialect: SQLITE, parameters });
    const rows = query<{ readonly value: string }>(database, overTilesOf(table, columns, sql));
    return ownValue(rows.get(...parameters.values), measured);
  };
}

type RowsOf<Row> = (of: Of) => Row[];

function tilesOf(database: DatabaseSync): (all: readonly (readonly [measure: string, of: Of])[]) => Profile['tiles'] {
  const rowsOf = <Row>(table: TileTable, kind: typeof AMOUNTS | typeof VALUES | typeof ENDS): RowsOf<Row> => {
    const rows = query<Row>(database, overTilesOf(table, kind.columns, tilesSql(kind, '?3')));
    return ({ id, holders, profile }) => rows.all(id, JSON.stringify(holders), profile);
  };
  const amounts = rowsOf<AmountRow>('amounts', AMOUNTS);
  const values = rowsOf<ValueRow>('counted_values', VALUES);
  const ends = rowsOf<EndRow>('ends', ENDS);
  return (all) => {
    const collected = new CollectedTiles();
    for (const [measure, of] of all) {
      const rows: TileRows = { amounts: amounts(of), values: values(of), ends: ends(of) };
      if (!collected.add(measure, rows)) return undefined;
    }
    return collected.tiles;
  };
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

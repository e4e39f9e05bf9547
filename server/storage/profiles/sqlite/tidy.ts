import type { DatabaseSync } from 'node:sqlite';
import { dayOf } from '../../../audiences/hours.ts';
import { shrinkFile } from '../../file/deliveries/purge.ts';
import { query } from '../../file/deliveries/query.ts';
import type { Needed } from '../../profile-storage.ts';
import type { AllNumbers } from './numbers.ts';
import { TILE_TABLES } from '../attributed-sql.ts';

/** Removes at most so many rows of something, and answers how many there were. */
type Removal = (limit: number) => number;

interface Named {
  readonly id: number;
  readonly space: string;
  readonly name: string;
}

export interface Tidying extends Needed {
  readonly limit: number;
}

/** Removes what nothing refers to any more, a bounded part; answers whether more is left. */
export function tidy(database: DatabaseSync, numbers: AllNumbers): (request: Tidying) => boolean {
  const named = (table: string): (() => Named[]) => {
    const rows = query<Named>(
      database,
      `SELECT n.id, s.name AS space, n.name FROM ${table} n JOIN spaces s ON s.id = n.space`,
    );
    return () => rows.all();
  };
  const [measures, computations] = [named('measures'), named('computations')];
  const spaces = query<{ readonly id: number; readonly name: string }>(database, 'SELECT id, name FROM spaces');
  const removals = removalsOf(database);
  const shrink = shrinkFile(database);
  return (request) => {
    const standing = new Map(
      request.spaces.map(({ id, measures: of }) => [id, new Set(of.map((measure) => measure.id))]),
    );
    const stands = new Set(request.computations);
    const oldest = new Map(request.from.map(({ measure, hour }) => [measure, dayOf(hour)]));
    const todo: Removal[] = [
      ...measures().flatMap(({ id, space, name }) => {
        if (standing.get(space)?.has(name) !== true) return removals.measure(id);
        const day = oldest.get(name);
        return day === undefined ? [] : removals.tiles(id, day);
      }),
      ...computations().flatMap(({ id, space, name }) =>
        standing.has(space) && stands.has(name) ? [] : removals.computation(id),
      ),
      ...spaces.all().flatMap(({ id, name }) => (standing.has(name) ? [] : removals.space(id))),
    ];
    let left = request.limit;
    for (const remove of todo) {
      if (left <= 0) break;
      left -= remove(left);
    }
    numbers.forget();
    return left <= 0 || shrink(request.limit);
  };
}

interface Removals {
  readonly measure: (id: number) => Removal[];
  /** Of a measure, before this day. */
  readonly tiles: (id: number, day: number) => Removal[];
  readonly computation: (id: number) => Removal[];
  readonly space: (id: number) => Removal[];
}

function all(...removals: readonly ((id: number) => Removal)[]): (id: number) => Removal[] {
  return (id) => removals.map((removal) => removal(id));
}

/** The first of a space, as many as there is room for: what refers to them goes before they do, in the same order. */
function first(table: string, text = 'value'): string {
  return `IN (SELECT id FROM ${table} WHERE space = ?1 ORDER BY ${text} LIMIT ?2)`;
}

function removalsOf(database: DatabaseSync): Removals {
  const bounded = (table: string, key: string, where: string, most = '?2'): ((...values: number[]) => Removal) => {
    const statement = database.prepare(
      `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${most})`,
    );
    const one = query(database, `SELECT 1 FROM ${table} WHERE ${where} LIMIT min(1, ${most})`);
    // Mostly there is nothing to remove, and a look costs a fraction of a removal.
    return (...values) =>
      (limit) =>
        one.get(...values, limit) === undefined ? 0 : Number(statement.run(...values, limit).changes);
  };
  const tiles = TILE_TABLES.map((table) =>
    bounded(table, 'measure, day, holder, hour', 'measure = ?1 AND day < ?2', '?3'),
  );
  const tilesOf: Removals['tiles'] = (id, day) => tiles.map((remove) => remove(id, day));
  const measure = bounded('measures', 'id', 'id = ?1');
  return {
    tiles: tilesOf,
    measure: (id) => [...tilesOf(id, Number.MAX_SAFE_INTEGER), measure(id)],
    computation: all(
      bounded('results', 'computation, user_id, since', 'computation = ?1'),
      bounded('runs', 'computation, run', 'computation = ?1'),
      bounded('computations', 'id', 'id = ?1'),
    ),
    space: all(
      bounded('traits', 'name, holder, hour', `name ${first('trait_names', 'name')}`),
      bounded('trait_names', 'id', `id ${first('trait_names', 'name')}`),
      bounded('links', 'anonymous, hour, at, owner', `anonymous ${first('anonymous')}`),
      bounded('anonymous', 'id', `id ${first('anonymous')}`),
      bounded('moved', 'id', `id ${first('users')}`),
      bounded('merges', 'profile', `profile ${first('users')}`),
      bounded('users', 'id', `id ${first('users')}`),
      bounded('spaces', 'id', 'id = ?1'),
    ),
  };
}

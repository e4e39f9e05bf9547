import { dayOf } from '../../../audiences/hours.ts';
import { TILE_TABLES } from '../../profiles/attributed-sql.ts';
import type { Needed, ProfileStorage } from '../../profile-storage.ts';
import type { Database, Queries } from '../connection/database.ts';
import { reads, type Statement, writes } from '../connection/statement.ts';
import { numbers } from '../deliveries/columns.ts';
import { lockProfiles } from './locks.ts';

interface Named {
  readonly id: number;
  readonly space: string;
  readonly name: string;
}

/** At most so many rows of something that is found by the values, of which the last is the limit. */
interface Removal {
  readonly statement: Statement;
  readonly values: readonly number[];
}

function named(table: string): Statement {
  return reads(`all_${table}`, `SELECT n.id, s.name AS space, n.name FROM ${table} n JOIN spaces s ON s.id = n.space`);
}

const [ALL_MEASURES, ALL_COMPUTATIONS] = [named('measures'), named('computations')];
const ALL_SPACES = reads('all_spaces', 'SELECT id, name FROM spaces');

function bounded(table: string, where: string, limit = '$2'): Statement {
  return writes(
    `tidy_${table}`,
    `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${where} LIMIT ${limit})) RETURNING true AS gone`,
  );
}

const TILES = TILE_TABLES.map((table) => bounded(table, 'measure = $1 AND day < $2', '$3'));
/** Mostly there is nothing to remove of a measure that stands: of very many it is seen at a glance, for which no fold waits. */
const OLD = TILE_TABLES.map((table) =>
  reads(
    `old_${table}`,
    `SELECT m.id FROM unnest($1::integer[], $2::integer[]) m (id, day),
       LATERAL (SELECT true FROM ${table} WHERE measure = m.id AND day < m.day LIMIT 1) one`,
  ),
);
/** So many measures are looked at by one statement: some tens of milliseconds. */
const LOOKED_AT = 5_000;
const MEASURE = bounded('measures', 'id = $1');
/** A run that is under way ends before, or finds that there is nothing to end any more. */
function held(table: string): Statement {
  return writes(`hold_${table}`, `UPDATE ${table} SET name = name WHERE id = $1 AND $2::bigint > 0`);
}
const OF_COMPUTATION = [
  held('computations'),
  bounded('results', 'computation = $1'),
  bounded('runs', 'computation = $1'),
  bounded('computations', 'id = $1'),
];
/**
 * The first of a space, as many as there is room for: what refers to them goes before they do, in the same order. Of all of them, which
 * may be millions, a list would be made each time.
 */
const first = (table: string, order: string): string =>
  `SELECT id FROM ${table} WHERE space = $1 ORDER BY ${order} LIMIT $2`;
const those = (table: string, order: string): Statement => bounded(table, `id = ANY(ARRAY(${first(table, order)}))`);
const FIRST_USERS = `= ANY(ARRAY(${first('users', 'value')}))`;
const OF_SPACE = [
  held('spaces'),
  bounded('traits', `name = ANY(ARRAY(${first('trait_names', 'name USING ~<~')}))`),
  those('trait_names', 'name USING ~<~'),
  bounded('links', `anonymous = ANY(ARRAY(${first('anonymous', 'value')}))`),
  those('anonymous', 'value'),
  bounded('moved', `id ${FIRST_USERS}`),
  bounded('merges', `profile ${FIRST_USERS}`),
  those('users', 'value'),
  bounded('spaces', 'id = $1 AND NOT EXISTS (SELECT FROM computations WHERE space = $1)'),
];

/** A day is behind all of them. */
const NO_DAY = 2 ** 31 - 1;

function tilesOf(id: number, day: number): readonly Removal[] {
  return TILES.map((statement) => ({ statement, values: [id, day] }));
}

/**
 * Each space in a transaction of its own, for which the folds of its workspace wait. It is not divided: what a fold adds in between, by a
 * configuration that it read before, would be of something that is gone when it ends, and found by nobody.
 */
export function tidy(transactionsOf: (workspace?: string) => Database): ProfileStorage['tidy'] {
  const database = transactionsOf();
  return async ({ needed, limit }) => {
    const present = await presentIn(database);
    const now = await needed();
    const unneeded = removals(present, { ...now, from: await outlived(database, present, now) });
    let left = limit;
    for (const [space, ofSpace] of unneeded) {
      if (left <= 0) break;
      const workspace = space.slice(0, space.lastIndexOf('@'));
      left -= await transactionsOf(workspace).transaction(async (queries) => {
        await lockProfiles(queries, workspace);
        return remove(queries, ofSpace, left);
      });
    }
    return left <= 0;
  };
}

/** Answers how many rows were removed: about as many as there is room for, or all. */
async function remove(queries: Queries, unneeded: readonly Removal[], limit: number): Promise<number> {
  let gone = 0;
  for (const { statement, values } of unneeded) {
    if (gone >= limit) break;
    gone += (await queries.run(statement, [...values, limit - gone])).length;
  }
  return gone;
}

interface Present {
  readonly measures: readonly Named[];
  readonly computations: readonly Named[];
  readonly spaces: readonly Omit<Named, 'space'>[];
}

async function presentIn(queries: Queries): Promise<Present> {
  return {
    measures: await queries.run<Named>(ALL_MEASURES),
    computations: await queries.run<Named>(ALL_COMPUTATIONS),
    spaces: await queries.run<Omit<Named, 'space'>>(ALL_SPACES),
  };
}

/** Of windows, those before which something is stored. */
async function outlived(queries: Queries, { measures }: Present, { from }: Needed): Promise<Needed['from']> {
  const oldest = new Map(from.map(({ measure, hour }) => [measure, dayOf(hour)]));
  const windows = measures.filter(({ name }) => oldest.has(name));
  const found = new Set<number>();
  for (let start = 0; start < windows.length; start += LOOKED_AT) {
    const some = windows.slice(start, start + LOOKED_AT);
    const values = [numbers(some.map(({ id }) => id)), numbers(some.map(({ name }) => oldest.get(name) ?? 0))];
    for (const old of OLD) for (const { id } of await queries.run<{ readonly id: number }>(old, values)) found.add(id);
  }
  const names = new Set(windows.flatMap(({ id, name }) => (found.has(id) ? [name] : [])));
  return from.filter(({ measure }) => names.has(measure));
}

/** Of each space, what refers to something before it. */
function removals(
  present: Present,
  { spaces, computations, from }: Needed,
): Iterable<readonly [string, readonly Removal[]]> {
  const standing = new Map(spaces.map(({ id, measures }) => [id, new Set(measures.map((measure) => measure.id))]));
  const stands = new Set(computations);
  const oldest = new Map(from.map(({ measure, hour }) => [measure, dayOf(hour)]));
  const bySpace = new Map<string, Removal[]>(present.spaces.map(({ name }) => [name, []]));
  for (const { id, space, name } of present.measures) {
    const isGone = standing.get(space)?.has(name) !== true;
    const day = isGone ? NO_DAY : oldest.get(name);
    if (day !== undefined) bySpace.get(space)?.push(...tilesOf(id, day));
    if (isGone) bySpace.get(space)?.push({ statement: MEASURE, values: [id] });
  }
  for (const { id, space, name } of present.computations) {
    if (standing.has(space) && stands.has(name)) continue;
    bySpace.get(space)?.push(...OF_COMPUTATION.map((statement) => ({ statement, values: [id] })));
  }
  for (const { id, name } of present.spaces) {
    if (!standing.has(name)) bySpace.get(name)?.push(...OF_SPACE.map((statement) => ({ statement, values: [id] })));
  }
  return bySpace.entries().filter(([, own]) => own.length > 0);
}

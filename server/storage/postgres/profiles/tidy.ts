import { dayOf } from '../../../audiences/hours.ts';
import { TILE_TABLES } from '../../profiles/attributed-sql.ts';
import type { Needed, ProfileStorage } from '../../profile-storage.ts';
import type { Database, Queries } from '../connection/database.ts';
import { StatementEnded } from '../connection/failures.ts';
import { reads, type Statement, writes } from '../connection/statement.ts';
import { numbers } from '../deliveries/columns.ts';
import { lockProfiles, tryProfiles } from './locks.ts';

interface Named {
  readonly id: number;
  readonly space: string;
  readonly name: string;
}

/** What goes together, in this order. Each statement removes a number of rows at most, which is the value behind these. */
interface Removal {
  /** Without an answer, somebody has it now, and nothing of it is removed. */
  readonly held?: Statement;
  readonly statements: readonly Statement[];
  readonly values: readonly number[];
}

/** Of one space. */
interface Unneeded {
  readonly space: string;
  readonly workspace: string;
  readonly removals: readonly Removal[];
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
/** What a run has is left to a later round: the run may take minutes, in which all folds of the workspace would wait. */
function held(table: string): Statement {
  return writes(`hold_${table}`, `SELECT id FROM ${table} WHERE id = $1 FOR UPDATE SKIP LOCKED`);
}
const OF_COMPUTATION = {
  held: held('computations'),
  statements: [
    bounded('results', 'computation = $1'),
    bounded('runs', 'computation = $1'),
    bounded('computations', 'id = $1'),
  ],
};
/**
 * The first of a space, as many as there is room for: what refers to them goes before they do, in the same order. Of all of them, which
 * may be millions, a list would be made each time.
 */
const first = (table: string, order: string): string =>
  `SELECT id FROM ${table} WHERE space = $1 ORDER BY ${order} LIMIT $2`;
const those = (table: string, order: string): Statement => bounded(table, `id = ANY(ARRAY(${first(table, order)}))`);
const FIRST_USERS = `= ANY(ARRAY(${first('users', 'value')}))`;
const OF_SPACE = {
  held: held('spaces'),
  statements: [
    bounded('traits', `name = ANY(ARRAY(${first('trait_names', 'name USING ~<~')}))`),
    those('trait_names', 'name USING ~<~'),
    bounded('links', `anonymous = ANY(ARRAY(${first('anonymous', 'value')}))`),
    those('anonymous', 'value'),
    bounded('moved', `id ${FIRST_USERS}`),
    bounded('merges', `profile ${FIRST_USERS}`),
    those('users', 'value'),
    bounded('spaces', 'id = $1 AND NOT EXISTS (SELECT FROM computations WHERE space = $1)'),
  ],
};

/** A day is behind all of them. */
const NO_DAY = 2 ** 31 - 1;

/**
 * Each space in a transaction of its own, for which the folds of its workspace wait. It is not divided: what a fold adds in between, by a
 * configuration that it read before, would be of something that is gone when it ends, and found by nobody.
 *
 * Spaces whose profiles somebody has now are passed. A round that has room for more waits for one of them at its end, each time for the
 * next one, so that all others are tidied beside one that is always busy, and it is as well.
 */
export function tidy(transactionsOf: (workspace?: string) => Database): ProfileStorage['tidy'] {
  const database = transactionsOf();
  let last = '';
  return async ({ needed, limit }) => {
    const present = await presentIn(database);
    const now = await needed();
    const unneeded = removals(present, { ...now, from: await outlived(database, present, now) });
    const { left, busy, failure } = await removeFree(database, unneeded, limit);
    const next = left > 0 ? (busy.find(({ space }) => space > last) ?? busy[0]) : undefined;
    if (next !== undefined) last = next.space;
    const after = next === undefined ? left : await removeOnceFree(transactionsOf(next.workspace), next, left);
    if (failure !== undefined) throw failure;
    return after === undefined || after <= 0 || busy.length > 1;
  };
}

interface Round {
  /** So many rows may still be removed. */
  readonly left: number;
  /** Those that somebody has, in their order. */
  readonly busy: readonly Unneeded[];
  /** The first one, of one that the server could not tidy. */
  readonly failure: StatementEnded | undefined;
}

async function removeFree(database: Database, unneeded: Iterable<Unneeded>, limit: number): Promise<Round> {
  let left = limit;
  const busy: Unneeded[] = [];
  let failure: StatementEnded | undefined;
  for (const one of unneeded) {
    if (left <= 0) break;
    try {
      const gone = await database.transaction(async (queries) =>
        (await tryProfiles(queries, [one.workspace])).size > 0 ? remove(queries, one.removals, left) : undefined,
      );
      if (gone === undefined) busy.push(one);
      else left -= gone;
    } catch (error) {
      // Those behind it would never be tidied, as each round begins in the same order.
      if (!(error instanceof StatementEnded)) throw error;
      failure ??= error;
    }
  }
  return { left, busy: busy.toSorted((one, other) => (one.space < other.space ? -1 : 1)), failure };
}

/** Answers how many rows may still be removed; undefined where somebody had it for too long. */
async function removeOnceFree(
  database: Database,
  { workspace, removals: own }: Unneeded,
  left: number,
): Promise<number | undefined> {
  try {
    return await database.transaction(async (queries) => {
      await lockProfiles(queries, workspace);
      return left - (await remove(queries, own, left));
    });
  } catch (error) {
    if (error instanceof StatementEnded) return undefined;
    throw error;
  }
}

/** Answers how many rows were removed: about as many as there is room for, or all that nobody has. */
async function remove(queries: Queries, unneeded: readonly Removal[], limit: number): Promise<number> {
  let gone = 0;
  for (const { held: hold, statements, values } of unneeded) {
    if (gone >= limit) break;
    if (hold !== undefined && (await queries.run(hold, values)).length === 0) continue;
    for (const statement of statements) {
      if (gone >= limit) break;
      gone += (await queries.run(statement, [...values, limit - gone])).length;
    }
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
function removals(present: Present, { spaces, computations, from }: Needed): Iterable<Unneeded> {
  const standing = new Map(spaces.map(({ id, measures }) => [id, new Set(measures.map((measure) => measure.id))]));
  const stands = new Set(computations);
  const oldest = new Map(from.map(({ measure, hour }) => [measure, dayOf(hour)]));
  const bySpace = new Map<string, Removal[]>(present.spaces.map(({ name }) => [name, []]));
  for (const { id, space, name } of present.measures) {
    const isGone = standing.get(space)?.has(name) !== true;
    const day = isGone ? NO_DAY : oldest.get(name);
    if (day !== undefined) bySpace.get(space)?.push({ statements: TILES, values: [id, day] });
    if (isGone) bySpace.get(space)?.push({ statements: [MEASURE], values: [id] });
  }
  for (const { id, space, name } of present.computations) {
    if (standing.has(space) && stands.has(name)) continue;
    bySpace.get(space)?.push({ ...OF_COMPUTATION, values: [id] });
  }
  for (const { id, name } of present.spaces) {
    if (!standing.has(name)) bySpace.get(name)?.push({ ...OF_SPACE, values: [id] });
  }
  return bySpace.entries().flatMap(([space, own]) => {
    return own.length === 0 ? [] : [{ space, workspace: space.slice(0, space.lastIndexOf('@')), removals: own }];
  });
}

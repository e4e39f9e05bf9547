import { attributedSql, TILE_TABLES } from '../../profiles/attributed-sql.ts';
import type { Queries } from '../connection/database.ts';
import { reads, type Statement, writes } from '../connection/statement.ts';
import { numbers } from '../deliveries/columns.ts';
import { daysOf, overTilesOf } from './tiles.ts';

/** A statement removes so many rows: one user may have millions, and what takes too long is undone, each time anew. */
const ROWS_AT_ONCE = 20_000;

const VISITORS = reads(
  'visitors_of_erased',
  `SELECT v.id, EXISTS (SELECT FROM links o WHERE o.anonymous = v.id AND o.owner <> ALL($1::bigint[])) AS "isShared"
   FROM (SELECT DISTINCT anonymous AS id FROM links WHERE owner = ANY($1::bigint[])) v`,
);

/** Removes a part; answers how many rows, and when it came to its end. */
function part(name: string, table: string, where: string): Statement {
  return writes(
    name,
    `WITH gone AS (DELETE FROM ${table} WHERE ${where} RETURNING true)
     SELECT count(*) AS gone, extract(epoch FROM clock_timestamp())::double precision AS at FROM gone`,
  );
}

/** Where they stand. */
function those(table: string, where: string): string {
  return `ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${where} LIMIT ${ROWS_AT_ONCE}))`;
}

const KEY = ['measure', 'day', 'holder', 'hour'];
const TILES = TILE_TABLES.map((table) => {
  const columns = KEY.join(', ');
  const ofThem = 'profile = ANY($3::bigint[])';
  const theirs = overTilesOf(table, KEY, `SELECT ${columns} FROM tiles WHERE ${ofThem} LIMIT ${ROWS_AT_ONCE}`);
  const own = `measure = $1 AND day = ANY(${daysOf(table)}) AND holder = ANY($2::bigint[])`;
  return {
    /** Most measures have tiles of one kind alone. */
    measures: reads(
      `measures_with_${table}`,
      `SELECT m.id FROM measures m WHERE m.space = $1 AND (SELECT true FROM ${table} WHERE measure = m.id LIMIT 1)`,
    ),
    own: part(`erase_${table}`, table, those(table, own)),
    shared: part(`erase_shared_${table}`, table, `(${columns}) IN (${theirs})`),
  };
});
/** Whose an hour is, is the same for the many traits that may have been said in it. */
const TRAIT_HOURS = '(SELECT DISTINCT holder, hour FROM traits WHERE holder = ANY($1::bigint[]))';
const THEIR_HOURS = attributedSql(TRAIT_HOURS, ['holder', 'hour'], 'true');
const TRAITS = {
  own: part('erase_traits', 'traits', those('traits', 'holder = ANY($1::bigint[])')),
  shared: part(
    'erase_shared_traits',
    'traits',
    those(
      'traits',
      `holder = ANY($1::bigint[])
        AND ((holder, hour) IN (SELECT holder, hour FROM (${THEIR_HOURS}) t WHERE profile = ANY($2::bigint[]))) IS TRUE`,
    ),
  ),
};
const LINKS = part('erase_links', 'links', those('links', 'owner = ANY($1::bigint[])'));
const IDS = ['moved WHERE id', 'merges WHERE profile', 'users WHERE id'].map((what) =>
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

/** An anonymous id that they were seen under. */
interface Visitor extends Id {
  /** Others were seen with it as well: what is theirs of it follows from its links, hour by hour. */
  readonly isShared: boolean;
}

/** One profile, with all that it is known under. */
export interface Person {
  readonly profile: number;
  readonly users: readonly number[];
  readonly ids: readonly string[];
}

/** All of them are of one space. */
export interface Persons {
  readonly space: number;
  readonly persons: readonly Person[];
}

/**
 * Removes all that is of these persons, what they did under anonymous ids too. Answers whether it came to its end until then, in seconds
 * by the clock of the server: else a part of it is left.
 */
export async function removePersons(queries: Queries, { space, persons }: Persons, until = Infinity): Promise<boolean> {
  const own = persons.flatMap(({ users }) => users);
  const visitors = await queries.run<Visitor>(VISITORS, [numbers(own)]);
  for (const { statement, values } of await partsOf(queries, { space, persons }, visitors)) {
    for (let gone = ROWS_AT_ONCE; gone >= ROWS_AT_ONCE;) {
      const [removed] = await queries.run<{ readonly gone: number; readonly at: number }>(statement, values);
      if (removed === undefined || removed.at > until) return false;
      ({ gone } = removed);
    }
  }
  for (const statement of IDS) await queries.run(statement, [numbers(own)]);
  await queries.run(UNSEEN, [numbers(visitors.map(({ id }) => id))]);
  await queries.run(RESULTS, [space, persons.flatMap(({ ids }) => ids)]);
  return true;
}

interface Part {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/** What one of them may have very many of. */
async function partsOf(
  queries: Queries,
  { space, persons }: Persons,
  visitors: readonly Visitor[],
): Promise<readonly Part[]> {
  const [users, profiles] = [persons.flatMap((one) => one.users), numbers(persons.map(({ profile }) => profile))];
  const alone = numbers([...users, ...visitors.flatMap(({ id, isShared }) => (isShared ? [] : [id]))]);
  const seen = visitors.flatMap(({ id, isShared }) => (isShared ? [id] : []));
  const parts: Part[] = [];
  const add = ({ own, shared }: Record<'own' | 'shared', Statement>, of: readonly unknown[]): void => {
    parts.push({ statement: own, values: [...of, alone] });
    if (seen.length > 0) parts.push({ statement: shared, values: [...of, numbers(seen), profiles] });
  };
  for (const tiles of TILES) {
    for (const { id } of await queries.run<Id>(tiles.measures, [space])) add(tiles, [id]);
  }
  add(TRAITS, []);
  // By which the others were found.
  parts.push({ statement: LINKS, values: [numbers(users)] });
  return parts;
}

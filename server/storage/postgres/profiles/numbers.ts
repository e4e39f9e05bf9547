import type { Queries } from '../connection/database.ts';
import { reads, writes } from '../connection/statement.ts';
import { storable } from '../../../model/json-values.ts';

/** Texts of a space that have numbers. */
export interface Numbered {
  readonly add: ReturnType<typeof writes>;
  readonly find: ReturnType<typeof reads>;
}

function numbered(table: string, column: string): Numbered {
  return {
    add: writes(
      `add_${table}`,
      `INSERT INTO ${table} (space, ${column}) SELECT $1, one FROM unnest($2::text[]) one ORDER BY one ON CONFLICT DO NOTHING`,
    ),
    find: reads(
      `find_${table}`,
      `SELECT id, ${column} AS text FROM ${table} WHERE space = $1 AND ${column} = ANY($2::text[])`,
    ),
  };
}

export const MEASURES = numbered('measures', 'name');
export const USERS = numbered('users', 'value');
export const ANONYMOUS = numbered('anonymous', 'value');
export const TRAITS = numbered('trait_names', 'name');
export const COMPUTATIONS = numbered('computations', 'name');

const ADD_SPACE = writes('add_space', 'INSERT INTO spaces (name) VALUES ($1) ON CONFLICT DO NOTHING');
const FIND_SPACE = reads('find_space', 'SELECT id FROM spaces WHERE name = $1');

interface Row {
  readonly id: number;
  readonly text: string;
}

/** The number of a text, as it is stored. */
export type NumberOf = (text: string) => number | undefined;

export async function findNumbers(
  queries: Queries,
  { find }: Numbered,
  space: number,
  texts: Iterable<string>,
): Promise<NumberOf> {
  const stored = [...new Set([...texts].map(storable))];
  const rows = stored.length === 0 ? [] : await queries.run<Row>(find, [space, stored]);
  const numbers = new Map(rows.map(({ id, text }) => [text, id]));
  return (text) => numbers.get(storable(text));
}

/** Those that have none get one. */
export async function giveNumbers(
  queries: Queries,
  of: Numbered,
  space: number,
  texts: Iterable<string>,
): Promise<NumberOf> {
  const all = [...new Set(texts)];
  const known = await findNumbers(queries, of, space, all);
  const unknown = all.filter((text) => known(text) === undefined);
  if (unknown.length === 0) return known;
  await queries.run(of.add, [space, [...new Set(unknown.map(storable))]]);
  return findNumbers(queries, of, space, all);
}

export async function findSpace(queries: Queries, name: string): Promise<number | undefined> {
  return (await queries.run<{ readonly id: number }>(FIND_SPACE, [name]))[0]?.id;
}

export async function spaceOf(queries: Queries, name: string): Promise<number> {
  const known = await findSpace(queries, name);
  if (known !== undefined) return known;
  await queries.run(ADD_SPACE, [name]);
  return (await findSpace(queries, name)) ?? 0;
}

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { query } from '../../file/deliveries/query.ts';

/** Numbers that stand for texts of a space in rows. */
export interface Numbers {
  /** The number of a text, which gets one when it has none yet. */
  of(space: number, text: string): number;
  find(space: number, text: string): number | undefined;
  /** Forgets what was found: rows were removed, or a transaction was rolled back. */
  forget(): void;
}

export interface AllNumbers {
  readonly measures: Numbers;
  readonly users: Numbers;
  /** Negative ones. */
  readonly anonymous: Numbers;
  readonly traits: Numbers;
  readonly computations: Numbers;
  readonly spaces: {
    of(name: string): number;
    find(name: string): number | undefined;
  };
  forget(): void;
}

type NumberQuery = (...values: SQLInputValue[]) => number | undefined;

interface Queries {
  readonly find: NumberQuery;
  /** Answers the number that a text gets. */
  readonly add: NumberQuery;
}

/** The number is that of the row, which costs less than having it answered. */
function named(database: DatabaseSync, table: string, column: string): Queries {
  const add = database.prepare(`INSERT INTO ${table} (space, ${column}) VALUES (?, ?)`);
  return {
    find: numberQuery(database, `SELECT id FROM ${table} WHERE space = ? AND ${column} = ?`),
    add: (...values) => Number(add.run(...values).lastInsertRowid),
  };
}

export function createNumbers(database: DatabaseSync): AllNumbers {
  const numbers = {
    measures: numbersOf(named(database, 'measures', 'name')),
    users: numbersOf(named(database, 'users', 'value')),
    anonymous: numbersOf({
      find: numberQuery(database, 'SELECT id FROM anonymous WHERE space = ? AND value = ?'),
      add: numberQuery(
        database,
        `INSERT INTO anonymous (space, value, id) SELECT ?, ?, coalesce(min(id), 0) - 1 FROM anonymous RETURNING id`,
      ),
    }),
    traits: numbersOf(named(database, 'trait_names', 'name')),
    computations: numbersOf(named(database, 'computations', 'name')),
  };
  const spaces = spacesOf(database);
  const all = [...Object.values(numbers), spaces];
  return { ...numbers, spaces, forget: () => all.forEach((one) => one.forget()) };
}

/** So many texts that were used before are found in memory, unless they are longer than ids and names are. */
const REMEMBERED = 50_000;
const REMEMBERED_CHARACTERS = 200;

function numbersOf({ find, add }: Queries): Numbers {
  const known = new Map<number, Map<string, number>>();
  let remembered = 0;
  const remember = (space: number, text: string, id: number): number => {
    if (text.length > REMEMBERED_CHARACTERS) return id;
    if (remembered >= REMEMBERED) forget();
    const ofSpace = known.get(space) ?? new Map<string, number>();
    known.set(space, ofSpace.set(text, id));
    remembered += 1;
    return id;
  };
  const forget = (): void => {
    known.clear();
    remembered = 0;
  };
  const look = (space: number, text: string): number | undefined => {
    const cached = known.get(space)?.get(text);
    if (cached !== undefined) return cached;
    const found = find(space, text);
    return found === undefined ? undefined : remember(space, text, found);
  };
  return {
    find: look,
    of: (space, text) => look(space, text) ?? remember(space, text, add(space, text) ?? 0),
    forget,
  };
}

/** There are few. */
function spacesOf(database: DatabaseSync): AllNumbers['spaces'] & Pick<Numbers, 'forget'> {
  const known = new Map<string, number>();
  const finding = numberQuery(database, 'SELECT id FROM spaces WHERE name = ?');
  const add = numberQuery(database, 'INSERT INTO spaces (name) VALUES (?) RETURNING id');
  const find = (name: string): number | undefined => {
    const id = known.get(name) ?? finding(name);
    if (id !== undefined) known.set(name, id);
    return id;
  };
  return { find, of: (name) => find(name) ?? add(name) ?? 0, forget: () => known.clear() };
}

function numberQuery(database: DatabaseSync, sql: string): NumberQuery {
  const rows = query<{ readonly id: number }>(database, sql);
  return (...values) => rows.get(...values)?.id;
}

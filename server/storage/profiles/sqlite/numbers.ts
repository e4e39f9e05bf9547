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

interface Statements {
  readonly find: string;
  /** Answers the number. */
  readonly add: string;
}

function named(table: string, column: string): Statements {
  return {
    find: `SELECT id FROM ${table} WHERE space = ? AND ${column} = ?`,
    add: `INSERT INTO ${table} (space, ${column}) VALUES (?, ?) RETURNING id`,
  };
}

export function createNumbers(database: DatabaseSync): AllNumbers {
  const numbers = {
    measures: numbersOf(database, named('measures', 'name')),
    users: numbersOf(database, named('users', 'value')),
    anonymous: numbersOf(database, {
      find: 'SELECT id FROM anonymous WHERE space = ? AND value = ?',
      add: `INSERT INTO anonymous (space, value, id) SELECT ?, ?, coalesce(min(id), 0) - 1 FROM anonymous RETURNING id`,
    }),
    traits: numbersOf(database, named('trait_names', 'name')),
    computations: numbersOf(database, named('computations', 'name')),
  };
  const spaces = spacesOf(database);
  const all = [...Object.values(numbers), spaces];
  return { ...numbers, spaces, forget: () => all.forEach((one) => one.forget()) };
}

/** So many texts that were used before are found in memory, unless they are longer than ids and names are. */
const REMEMBERED = 50_000;
const REMEMBERED_CHARACTERS = 200;

function numbersOf(database: DatabaseSync, { find, add }: Statements): Numbers {
  const known = new Map<string, number>();
  const [finding, adding] = [numberQuery(database, find), numberQuery(database, add)];
  const remember = (key: string, id: number): number => {
    if (known.size >= REMEMBERED) known.clear();
    if (key.length <= REMEMBERED_CHARACTERS) known.set(key, id);
    return id;
  };
  const look = (space: number, text: string): number | undefined => {
    const key = `${space} ${text}`;
    const cached = known.get(key);
    if (cached !== undefined) return cached;
    const found = finding(space, text);
    return found === undefined ? undefined : remember(key, found);
  };
  return {
    find: look,
    of: (space, text) => look(space, text) ?? remember(`${space} ${text}`, adding(space, text) ?? 0),
    forget: () => known.clear(),
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

function numberQuery(database: DatabaseSync, sql: string): (...values: SQLInputValue[]) => number | undefined {
  const rows = query<{ readonly id: number }>(database, sql);
  return (...values) => rows.get(...values)?.id;
}

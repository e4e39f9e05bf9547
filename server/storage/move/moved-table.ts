/**
 * A value as it is moved. What people chose stays as it is; a time that waits is converted from clock to clock: `time` is a life's own
 * in a data folder (HOOK-21), `wall` is the wall's.
 */
export type Column = 'number' | 'real' | 'time' | 'wall' | 'text' | 'bytes';

/** Rows that a table of an engine gets: an expression of the moved columns for each of its own. */
export interface Into {
  readonly table: string;
  readonly values: Readonly<Record<string, string>>;
  /** Of the moved rows those for which this holds; all by default. */
  readonly where?: string;
}

/** How an engine stores what is moved. */
export interface Side {
  /** A query that has the moved columns. */
  readonly from: string;
  readonly into: readonly Into[];
}

/** Rows that are moved together, in the order of their key, which each of them has alone. */
export interface MovedTable {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, Column>>;
  readonly sqlite: Side;
  readonly postgres: Side;
}

/** A table whose columns are the moved ones in both engines, but for what is said otherwise. */
export function alike(
  name: string,
  key: readonly string[],
  columns: MovedTable['columns'],
  { sqlite = {}, postgres = {} }: { readonly sqlite?: Partial<Side>; readonly postgres?: Partial<Side> } = {},
): MovedTable {
  const side: Side = {
    from: `SELECT ${Object.keys(columns).join(', ')} FROM ${name}`,
    into: [{ table: name, values: asTheyAre(Object.keys(columns)) }],
  };
  return { name, key, columns, sqlite: { ...side, ...sqlite }, postgres: { ...side, ...postgres } };
}

export function asTheyAre(columns: readonly string[]): Record<string, string> {
  return Object.fromEntries(columns.map((column) => [column, column]));
}

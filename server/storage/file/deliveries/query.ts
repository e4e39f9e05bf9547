import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

type Values = Readonly<Record<string, SQLInputValue>>;

/** A query whose rows are known: the columns of its SQL name the fields of `Row`. */
export interface Query<Row> {
  /** Parameters in their order, or by name. */
  all(...parameters: readonly SQLInputValue[] | readonly [Values]): Row[];
  get(...parameters: readonly SQLInputValue[] | readonly [Values]): Row | undefined;
  /** One row after the other, for those that are too many for memory, or of which not all may be wanted. */
  each(...parameters: readonly [] | readonly [Values]): Iterable<Row>;
}

export function query<Row>(database: DatabaseSync, sql: string): Query<Row> {
  const statement = database.prepare(sql);
  return {
    all: (...parameters) => {
      const rows: unknown = isNamed(parameters) ? statement.all(parameters[0]) : statement.all(...parameters);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the SELECT beside each use says what rows are
      return rows as Row[];
    },
    get: (...parameters) => {
      const row: unknown = isNamed(parameters) ? statement.get(parameters[0]) : statement.get(...parameters);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
      return row as Row | undefined;
    },
    each: (...[values = {}]) => {
      const rows: Iterable<unknown> = statement.iterate(values);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
      return rows as Iterable<Row>;
    },
  };
}

function isNamed(parameters: readonly SQLInputValue[] | readonly [Values]): parameters is readonly [Values] {
  const [first] = parameters;
  return typeof first === 'object' && first !== null && !ArrayBuffer.isView(first);
}

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

/** So many rows of the log are looked at, or forgotten, in one call: a few milliseconds of the thread … */
const MAX_EXAMINED = 2_000;
/** … where they are in memory. In a store that is larger, each may be a page that the disk has to read: for so long … */
const MAX_MS = 10;
/** … and these many in any case. */
const MIN_EXAMINED = 50;

/** Looks at one row after the other, as long as `look` goes on. Answers which was the last, and whether there may be more. */
export function examine<Row>(
  rows: Iterable<Row>,
  look: (row: Row) => boolean,
): { readonly last: Row | undefined; readonly isMore: boolean } {
  const until = performance.now() + MAX_MS;
  let [last, examined]: [Row | undefined, number] = [undefined, 0];
  for (const row of rows) {
    [last, examined] = [row, examined + 1];
    const isLate = examined >= MIN_EXAMINED && performance.now() >= until;
    if (!look(row) || examined === MAX_EXAMINED || isLate) return { last, isMore: true };
  }
  return { last, isMore: false };
}

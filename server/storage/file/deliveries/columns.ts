/**
 * Rows of one shape, column by column: what crosses to another thread is copied, and a copy of rows would name each of
 * their fields once a row.
 */
export type Columns<Row> = { readonly [Field in keyof Row]: readonly Row[Field][] };

/** The rows again; all columns have one length. */
export function rowsOf<Row extends object>(columns: Columns<Row>): Row[] {
  const entries: [string, readonly unknown[]][] = Object.entries(columns);
  const [, first = []] = entries[0] ?? [];
  return first.map((_, index) => {
    const row: Record<string, unknown> = {};
    for (const [field, column] of entries) row[field] = column[index];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each column holds the values of its field
    return row as Row;
  });
}

/** Texts that come again and again, each once; what refers to them holds their index. */
export class Texts {
  readonly #indexes = new Map<string, number>();

  indexOf(text: string): number {
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    const index = this.#indexes.size;
    this.#indexes.set(text, index);
    return index;
  }

  /** In the order of their indexes. */
  get all(): readonly string[] {
    return [...this.#indexes.keys()];
  }
}

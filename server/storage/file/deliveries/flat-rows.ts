/**
 * Rows of one width, one behind the other in one list. What crosses to another thread is copied, and to read the names of
 * fields there, or a list for each of them, takes several times as long as the values.
 */
export type Flat<Row extends readonly unknown[]> = readonly Row[number][];

export function flat<Row extends readonly unknown[]>(rows: readonly Row[]): Flat<Row> {
  const values: Row[number][] = [];
  for (const row of rows) values.push(...row);
  return values;
}

/** The rows again. */
export function rowsIn<Row extends readonly unknown[]>(values: Flat<Row>, width: Row['length']): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < values.length; at += width) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `flat` put them there
    rows.push(values.slice(at, at + width) as readonly unknown[] as Row);
  }
  return rows;
}

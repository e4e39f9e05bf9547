export interface Page<Row> {
  readonly rows: readonly Row[];
  /** The key of the last row; undefined when there are no more. */
  readonly next: string | undefined;
}

interface Bounds {
  readonly after?: string | undefined;
  readonly limit: number;
}

/** The rows behind `after`, which is the key of one that was there; `rows` are in the order of their keys. */
export function pageOf<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string | number,
  { after, limit }: Bounds,
): Page<Row> {
  const isBehind = (row: Row): boolean => {
    const key = keyOf(row);
    return after === undefined || (typeof key === 'number' ? key > Number(after) : key > after);
  };
  const left = rows.filter(isBehind);
  const page = left.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, next: left.length > limit && last !== undefined ? String(keyOf(last)) : undefined };
}

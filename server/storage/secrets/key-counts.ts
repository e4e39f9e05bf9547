/** How many stored rows hold secrets that are encrypted with a key; undefined stands for those in clear. */
export type KeyCounts = ReadonlyMap<string | undefined, number>;

/** A row counts once for each key that it needs. */
export function countKeys(rows: Iterable<readonly (string | undefined)[]>): KeyCounts {
  const counts = new Map<string | undefined, number>();
  for (const row of rows) for (const id of new Set(row)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

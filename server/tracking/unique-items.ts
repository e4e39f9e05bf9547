/** As `hasUniqueItems`, for lists that do not change: a rule may ask of one again and again. */
export function createUniqueItems(): (list: readonly unknown[]) => boolean {
  const known = new WeakMap<readonly unknown[], boolean>();
  return (list) => {
    const found = known.get(list) ?? hasUniqueItems(list);
    known.set(list, found);
    return found;
  };
}

/**
 * Whether no two items of a list are equal, as JSON Schema means it: the order of fields does not matter. In time that
 * grows with the list, where comparing each with each grows with its square.
 */
export function hasUniqueItems(list: readonly unknown[]): boolean {
  return new Set(list.map((item) => canonical(item))).size === list.length;
}

/** So deep the order of fields does not matter; a bound, so that no depth sent is one too many. */
const DEPTH = 100;

function canonical(value: unknown, depth = DEPTH): string {
  if (typeof value !== 'object' || value === null || depth === 0) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth - 1)).join(',')}]`;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner, depth - 1)}`).join(',')}}`;
}

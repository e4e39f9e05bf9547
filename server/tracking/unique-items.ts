/**
 * Whether no two items of a list are equal, as JSON Schema means it: the order of fields does not matter. In time that
 * grows with the list, where comparing each with each grows with its square.
 */
export function hasUniqueItems(list: readonly unknown[]): boolean {
  return new Set(list.map(canonical)).size === list.length;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`;
}

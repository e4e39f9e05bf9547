/** A text of an address, where it has one. A number in an address is read as one, and may be the id of a user. */
export function searchText<Key extends string>(
  search: Record<string, unknown>,
  key: Key,
): { [K in Key]?: string } | object {
  const value = search[key];
  if (typeof value === 'number') return { [key]: String(value) };
  return typeof value === 'string' && value !== '' ? { [key]: value } : {};
}

/** Whom a view is about: part of its address, as ids may hold what a path cannot. */
export function readUserSearch(search: Record<string, unknown>): { readonly user: string } {
  return { user: '', ...searchText(search, 'user') };
}

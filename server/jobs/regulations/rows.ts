import type { ConfigStore, Kind, Resources, Row } from '../../storage/config-store.ts';

/** The most that one call of the store is asked for. */
const PAGE = 1_000;

/** Every row of a collection after a sequence, in order of creation. */
export async function rowsAfter<K extends Kind>(
  store: Pick<ConfigStore, 'list'>,
  kind: K,
  parent: string,
  after = 0,
): Promise<Row<Resources[K]>[]> {
  const found: Row<Resources[K]>[] = [];
  let rows: readonly Row<Resources[K]>[] = [];
  do {
    rows = await store.list(kind, parent, { after: rows.at(-1)?.sequence ?? after, limit: PAGE });
    found.push(...rows);
  } while (rows.length === PAGE);
  return found;
}

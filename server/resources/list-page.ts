import type { ConfigStore, Kind, Page, Resources, Row } from '../storage/config-store.ts';
import { pageToken, type PageQuery, readPage } from './paging.ts';

export interface ListRequest<K extends Kind> {
  readonly kind: K;
  /** The name that the collection stands below; empty at the root. */
  readonly parent: string;
  /** What a page token is good for, when it is not the collection of the store itself. */
  readonly collection?: string;
  readonly query: PageQuery;
  readonly defaultSize?: number;
  /** What the caller may not see takes no room in a page. */
  readonly isVisible?: (resource: Resources[K]) => boolean;
}

export interface ListAnswer<R> {
  readonly items: R[];
  readonly next_page_token: string;
}

/** One page, in order of creation (CFG-5, CFG-6). */
export async function listPage<K extends Kind>(
  store: ConfigStore,
  { kind, parent, collection = `${parent}/${kind}`, query, defaultSize, isVisible = () => true }: ListRequest<K>,
): Promise<ListAnswer<Resources[K]>> {
  const page = readPage(query, collection, defaultSize);
  // One row more than the page holds tells whether there is another page.
  const rows = await visibleRows({ page: { ...page, limit: page.limit + 1 }, isVisible }, (next) =>
    store.list(kind, parent, next),
  );
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  const isLast = rows.length === shown.length || last === undefined;
  return {
    items: shown.map((row) => row.resource),
    next_page_token: isLast ? '' : pageToken(collection, { after: last.sequence, limit: page.limit }),
  };
}

interface Wanted<R> {
  readonly page: Page;
  readonly isVisible: (resource: R) => boolean;
}

async function visibleRows<R>(
  { page, isVisible }: Wanted<R>,
  read: (page: Page) => Promise<readonly Row<R>[]>,
): Promise<Row<R>[]> {
  const found: Row<R>[] = [];
  let { after } = page;
  for (;;) {
    const rows = await read({ after, limit: page.limit });
    found.push(...rows.filter((row) => isVisible(row.resource)));
    after = rows.at(-1)?.sequence ?? after;
    if (found.length >= page.limit || rows.length < page.limit) return found.slice(0, page.limit);
  }
}

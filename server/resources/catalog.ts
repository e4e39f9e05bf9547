import { CATALOG } from '../destinations/catalog.ts';
import type { ConfigHandlers } from './env.ts';
import { found } from './kit.ts';
import { type PageQuery, pageToken, readPage } from './pages.ts';

export function catalogHandlers() {
  const { sources, destinations } = CATALOG;
  return {
    listCatalogSources({ query }) {
      const { items, next_page_token } = pageOf(sources, 'catalog/sources', query);
      return { sources: items, next_page_token };
    },

    getCatalogSource: ({ path }) => named(sources, `catalog/sources/${path.slug}`),

    listCatalogDestinations({ query }) {
      const { items, next_page_token } = pageOf(destinations, 'catalog/destinations', query);
      return { destinations: items, next_page_token };
    },

    getCatalogDestination: ({ path }) => named(destinations, `catalog/destinations/${path.slug}`),
  } satisfies Partial<ConfigHandlers>;
}

interface Named {
  readonly name: string;
}

function named<Entry extends Named>(entries: readonly Entry[], name: string): Entry {
  return found(
    entries.find((entry) => entry.name === name),
    name,
  );
}

/** The list never changes while the router runs, so a position in it is where a page ended. */
function pageOf<Entry>(
  entries: readonly Entry[],
  collection: string,
  query: PageQuery,
): { items: Entry[]; next_page_token: string } {
  const { after, limit } = readPage(query, collection);
  const end = after + limit;
  return {
    items: entries.slice(after, end),
    next_page_token: end < entries.length ? pageToken(collection, { after: end, limit }) : '',
  };
}

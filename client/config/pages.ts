import type { Page } from './readings.ts';

/** Gets the page that begins at a token; the empty token begins the first page. */
export type FetchPage<Item> = (token: string) => Promise<Page<Item>>;

/** Every item of every page, in order (S 2.3, S 4.1). A page is asked for when the items before it are used up. */
export function itemsOf<Item>(fetchPage: FetchPage<Item>): AsyncIterable<Item> {
  return { [Symbol.asyncIterator]: () => walk(fetchPage) };
}

async function* walk<Item>(fetchPage: FetchPage<Item>): AsyncGenerator<Item, void, undefined> {
  let token = '';
  do {
    const page = await fetchPage(token);
    yield* page.items;
    token = page.nextToken;
  } while (token !== '');
}

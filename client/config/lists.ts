import type { paths } from '../../generated/config-api.d.ts';
import type { Ids, Send } from './call.ts';
import { itemsOf } from './pages.ts';
import { readPage } from './readings.ts';
import type { ListOptions } from './resource-types.ts';

/** Which list is read, and how. */
export interface Listing {
  /** As `client.deliveries`. */
  readonly owner: string;
  readonly path: keyof paths;
  readonly ids: Ids;
  /** The field that holds the items of a page. */
  readonly plural: string;
  /** The field that each item has as a text. */
  readonly mark: string;
}

/** All items of all pages; what is no paging goes along as query parameters. Throws a TypeError for a bad page size. */
export function listItems<Item>(
  send: Send,
  { owner, path, ids, plural, mark }: Listing,
  { pageSize, signal, ...query }: ListOptions & Readonly<Record<string, unknown>> = {},
): AsyncIterable<Item> {
  if (pageSize !== undefined && !(Number.isInteger(pageSize) && pageSize >= 0)) {
    throw new TypeError(`${owner}.list: pageSize is ${String(pageSize)}; give a whole number from 0`);
  }
  return itemsOf((token) =>
    send({
      method: 'get',
      path,
      ids,
      query: { ...query, page_size: pageSize, page_token: token === '' ? undefined : token },
      signal,
      read(body) {
        const reading = readPage<Item>(plural, mark, body);
        const isStuck = 'value' in reading && token !== '' && reading.value.nextToken === token;
        return isStuck ? { problem: 'its next_page_token is that of the page itself' } : reading;
      },
    }),
  );
}

import type { Send } from './call.ts';
import { idsOf } from './name-templates.ts';
import { type Answer, ask, listAll } from './operations.ts';
import type { CallOptions, ListOptions } from './resource-types.ts';

const SOURCES = '/v1beta/catalog/sources';
const SOURCE = `${SOURCES}/{slug}` as const;
const DESTINATIONS = '/v1beta/catalog/destinations';
const DESTINATION = `${DESTINATIONS}/{slug}` as const;

/** A kind of source that is known. */
export type CatalogSource = Answer<typeof SOURCE>;
/** A kind of destination that is known, with its settings. */
export type CatalogDestination = Answer<typeof DESTINATION>;

/** The catalog is the same for everybody, and cannot be changed. */
export interface CatalogMethods<Entry> {
  list(options?: ListOptions): AsyncIterable<Entry>;

  /** One entry, by its name: `catalog/sources/javascript`. Kinds: `NotFound`. */
  get(name: string, options?: CallOptions): Promise<Entry>;
}

export function catalogSourceMethods(send: Send): CatalogMethods<CatalogSource> {
  const owner = 'client.catalogSources';
  return {
    list: (options) => listAll(send, { owner, path: SOURCES, ids: {}, plural: 'sources', mark: 'name' }, options),
    async get(name, { signal } = {}) {
      return ask(send, { method: 'get', path: SOURCE, ids: idsOf(owner, SOURCE, name), signal }, 'name');
    },
  };
}

export function catalogDestinationMethods(send: Send): CatalogMethods<CatalogDestination> {
  const owner = 'client.catalogDestinations';
  return {
    list: (options) =>
      listAll(send, { owner, path: DESTINATIONS, ids: {}, plural: 'destinations', mark: 'name' }, options),
    async get(name, { signal } = {}) {
      return ask(send, { method: 'get', path: DESTINATION, ids: idsOf(owner, DESTINATION, name), signal }, 'name');
    },
  };
}

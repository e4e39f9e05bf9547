import type { Send } from './call.ts';
import { idsOf } from './name-templates.ts';
import { type Answer, ask, listAll, type Listed, type Query } from './operations.ts';
import type { CallOptions, ListOptions } from './resource-types.ts';
import { RESOURCES } from './resources.ts';

const COLLECTION = '/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}/deliveries';
const ITEM = `${COLLECTION}/{delivery}` as const;
const OWNER = 'client.deliveries';

/** An event on its way to a destination. */
export type Delivery = Listed<typeof COLLECTION, 'deliveries'>;
/** The same with its rounds and attempts, and an explanation in words (D-31). */
export type DeliveryStory = Answer<typeof ITEM>;

/** Some of them; `next_page_token` is empty where there are no more. */
export type DeliveryPage = Answer<typeof COLLECTION>;

export interface PageOptions extends ListOptions {
  /** The `next_page_token` of the page before, with the same filter. */
  readonly pageToken?: string | undefined;
}

/** The attempt log of destinations. Kinds: `NotFound`, and `Unimplemented` where the router keeps no log. */
export interface DeliveryMethods {
  /** The deliveries of a destination, newest first; by state, type, event, user id and time of acceptance. */
  list(destination: string, options?: ListOptions & Query<typeof COLLECTION>): AsyncIterable<Delivery>;

  /** One page of them, for lists that are shown a part at a time; the first without a token. */
  page(destination: string, options?: PageOptions & Query<typeof COLLECTION>): Promise<DeliveryPage>;

  get(name: string, options?: CallOptions): Promise<DeliveryStory>;

  /** Sends one that has ended again. Kinds: `InvalidArgument` while it has not, or while the destination is disabled. */
  replay(name: string, options?: CallOptions): Promise<DeliveryStory>;
}

export function deliveryMethods(send: Send): DeliveryMethods {
  return {
    list(destination, options) {
      const ids = idsOf(`${OWNER}.list`, RESOURCES.destinations.item, destination);
      return listAll(send, { owner: OWNER, path: COLLECTION, ids, plural: 'deliveries', mark: 'name' }, options);
    },
    async page(destination, { pageSize, pageToken, signal, ...filter } = {}) {
      const ids = idsOf(`${OWNER}.page`, RESOURCES.destinations.item, destination);
      const query = { ...filter, page_size: pageSize, page_token: pageToken };
      return ask(send, { method: 'get', path: COLLECTION, ids, query, signal }, 'deliveries');
    },
    async get(name, { signal } = {}) {
      return ask(send, { method: 'get', path: ITEM, ids: idsOf(OWNER, ITEM, name), signal }, 'name');
    },
    async replay(name, { signal } = {}) {
      return ask(send, { method: 'post', path: `${ITEM}:replay`, ids: idsOf(OWNER, ITEM, name), signal }, 'name');
    },
  };
}

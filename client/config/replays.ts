import type { Send } from './call.ts';
import { idsOf } from './name-templates.ts';
import { type Answer, ask, type Input, listAll } from './operations.ts';
import type { CallOptions, ListOptions } from './resource-types.ts';
import { RESOURCES } from './resources.ts';

const COLLECTION = '/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}/replays';
const ITEM = `${COLLECTION}/{replay}` as const;
const OWNER = 'client.replays';

/** A job that sends deliveries again, and how far it has got. */
export type Replay = Answer<typeof ITEM>;
/** Which deliveries, how many in a second, and whether they are only counted. */
export type NewReplay = Input<typeof COLLECTION>;

/** Bulk replays of destinations. Kinds: `NotFound`, and `Unimplemented` where the router keeps no log of deliveries. */
export interface ReplayMethods {
  /** The replays of a destination, oldest first. */
  list(destination: string, options?: ListOptions): AsyncIterable<Replay>;

  get(name: string, options?: CallOptions): Promise<Replay>;

  /** Begins a job that goes on by itself; without a filter for all that failed, expired or was cancelled. */
  create(destination: string, replay?: NewReplay, options?: CallOptions): Promise<Replay>;

  /** Stops a job, and gives it as it now stands. What it has sent again stays so. */
  cancel(name: string, options?: CallOptions): Promise<Replay>;
}

export function replayMethods(send: Send): ReplayMethods {
  return {
    list(destination, options) {
      const ids = idsOf(`${OWNER}.list`, RESOURCES.destinations.item, destination);
      return listAll(send, { owner: OWNER, path: COLLECTION, ids, plural: 'replays', mark: 'name' }, options);
    },
    async get(name, { signal } = {}) {
      return ask(send, { method: 'get', path: ITEM, ids: idsOf(OWNER, ITEM, name), signal }, 'name');
    },
    async create(destination, replay = {}, { signal } = {}) {
      const ids = idsOf(`${OWNER}.create`, RESOURCES.destinations.item, destination);
      return ask(send, { method: 'post', path: COLLECTION, ids, body: replay, signal }, 'name');
    },
    async cancel(name, { signal } = {}) {
      return ask(send, { method: 'post', path: `${ITEM}:cancel`, ids: idsOf(OWNER, ITEM, name), signal }, 'name');
    },
  };
}

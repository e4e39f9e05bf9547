import type { Send } from './call.ts';
import { idsOf } from './name-templates.ts';
import { type Answer, ask } from './operations.ts';
import type { CallOptions } from './resource-types.ts';
import { RESOURCES } from './resources.ts';

const PATH = '/v1beta/workspaces/{workspace}/sources/{source}/accepted-events';

/** How many events since the router started, and the last of them, newest first. */
export type AcceptedEvents = Answer<typeof PATH>;

export interface AcceptedEventMethods {
  /** Whether the events of a source arrive. Kinds: `NotFound`. */
  get(source: string, options?: CallOptions): Promise<AcceptedEvents>;
}

export function acceptedEventMethods(send: Send): AcceptedEventMethods {
  return {
    async get(source, { signal } = {}) {
      const ids = idsOf('client.acceptedEvents.get', RESOURCES.sources.item, source);
      return ask(send, { method: 'get', path: PATH, ids, signal }, 'accepted_events');
    },
  };
}

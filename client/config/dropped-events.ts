import type { Send } from './call.ts';
import { idsOf } from './name-templates.ts';
import { type Answer, ask } from './operations.ts';
import type { CallOptions } from './resource-types.ts';
import { RESOURCES } from './resources.ts';

const PATH = '/v1beta/workspaces/{workspace}/sources/{source}/dropped-events';

/** Counts by reason, and the last hundred, newest first (D-42). */
export type DroppedEvents = Answer<typeof PATH>;

export interface DroppedEventMethods {
  /** What a source sent and the router did not keep. Kinds: `NotFound`. */
  get(source: string, options?: CallOptions): Promise<DroppedEvents>;
}

export function droppedEventMethods(send: Send): DroppedEventMethods {
  return {
    async get(source, { signal } = {}) {
      const ids = idsOf('client.droppedEvents.get', RESOURCES.sources.item, source);
      return ask(send, { method: 'get', path: PATH, ids, signal }, 'counts');
    },
  };
}

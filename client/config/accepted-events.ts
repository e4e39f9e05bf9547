import type { components } from '../../generated/config-api.d.ts';
import type { Reading, Send, Watch } from './call.ts';
import { idsOf } from './name-templates.ts';
import { type Answer, ask } from './operations.ts';
import { readMarked } from './readings.ts';
import type { CallOptions } from './resource-types.ts';
import { RESOURCES } from './resources.ts';

const PATH = '/v1beta/workspaces/{workspace}/sources/{source}/accepted-events';
const STREAM_PATH = `${PATH}:stream`;

/** How many events since the router started, and the last of them, newest first. */
export type AcceptedEvents = Answer<typeof PATH>;

/** What was accepted since the message before. */
export type LiveEvents = components['schemas']['LiveEvents'];

export interface AcceptedEventMethods {
  /** Whether the events of a source arrive. Kinds: `NotFound`. */
  get(source: string, options?: CallOptions): Promise<AcceptedEvents>;
  /**
   * The events of a source as they are accepted, until the router ends the stream, the signal aborts, or the loop is
   * left: `for await (const { accepted_events } of client.acceptedEvents.watch(source)) …`. The first message comes at
   * once. Nothing is repeated. Kinds: `NotFound`, `ResourceExhausted`.
   */
  watch(source: string, options?: CallOptions): AsyncIterable<LiveEvents>;
}

export function acceptedEventMethods(send: Send, watch: Watch): AcceptedEventMethods {
  return {
    async get(source, { signal } = {}) {
      const ids = idsOf('client.acceptedEvents.get', RESOURCES.sources.item, source);
      return ask(send, { method: 'get', path: PATH, ids, signal }, 'accepted_events');
    },
    watch(source, { signal } = {}) {
      const ids = idsOf('client.acceptedEvents.watch', RESOURCES.sources.item, source);
      return watch({ method: 'get', path: STREAM_PATH, ids, signal, read: readMessage });
    },
  };
}

function readMessage(body: unknown): Reading<LiveEvents> {
  return readMarked('accepted_events', body);
}

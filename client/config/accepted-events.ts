import type { components } from '../../generated/config-api.d.ts';
import type { Reading, Send, Watch } from './call.ts';
import { idsOf } from './name-templates.ts';
import { type Answer, ask, type Query } from './operations.ts';
import { readMarked } from './readings.ts';
import type { CallOptions } from './resource-types.ts';
import { RESOURCES } from './resources.ts';

const PATH = '/v1beta/workspaces/{workspace}/sources/{source}/accepted-events';
const STREAM_PATH = `${PATH}:stream`;
const COUNT_PATH = `${PATH}:count`;

/** How many events since the router started, and the last of them, newest first. */
export type AcceptedEvents = Answer<typeof PATH>;

/** What was accepted since the message before. */
export type LiveEvents = components['schemas']['LiveEvents'];

/** By hour and type. */
export type AcceptedCounts = Answer<typeof COUNT_PATH>;

/** From when to when, in whole hours; the last 24 when absent. */
export type CountOptions = CallOptions & Query<typeof COUNT_PATH>;

export interface AcceptedEventMethods {
  /** Whether the events of a source arrive. Kinds: `NotFound`. */
  get(source: string, options?: CallOptions): Promise<AcceptedEvents>;
  /**
   * How many events of each type there were in each hour, of all routers, as far back as the router keeps deliveries. Kinds:
   * `NotFound`, `InvalidArgument`.
   */
  count(source: string, options?: CountOptions): Promise<AcceptedCounts>;
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
    async count(source, { signal, ...query } = {}) {
      const ids = idsOf('client.acceptedEvents.count', RESOURCES.sources.item, source);
      return ask(send, { method: 'get', path: COUNT_PATH, ids, query, signal }, 'counts');
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

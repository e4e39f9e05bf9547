import type { Send } from './call.ts';
import { idsOf } from './name-templates.ts';
import { type Answer, ask } from './operations.ts';
import type { CallOptions } from './resource-types.ts';
import { RESOURCES } from './resources.ts';

const PATH = '/v1beta/workspaces/{workspace}/overview';
const QUEUE = '/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}/queue';

/** How a workspace fares. */
export type Overview = Answer<typeof PATH>;

/** What waits for a destination, and whether it is being sent to. */
export type DestinationQueue = Answer<typeof QUEUE>;

export interface OverviewMethods {
  /** The last hour and day of a workspace, what waits, and what needs attention. Kinds: `NotFound`. */
  get(workspace: string, options?: CallOptions): Promise<Overview>;
}

export interface QueueMethods {
  /** The queue of a destination, with its circuit. Kinds: `NotFound`. */
  get(destination: string, options?: CallOptions): Promise<DestinationQueue>;
}

export function overviewMethods(send: Send): OverviewMethods {
  return {
    get(workspace, { signal } = {}) {
      const ids = idsOf('client.overviews.get', RESOURCES.workspaces.item, workspace);
      return ask(send, { method: 'get', path: PATH, ids, signal }, 'destinations');
    },
  };
}

export function queueMethods(send: Send): QueueMethods {
  return {
    get(destination, { signal } = {}) {
      const ids = idsOf('client.queues.get', RESOURCES.destinations.item, destination);
      return ask(send, { method: 'get', path: QUEUE, ids, signal }, 'circuit');
    },
  };
}

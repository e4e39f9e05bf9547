import type { Ids, Send } from './call.ts';
import { idsOf } from './name-templates.ts';
import { ask, listAll, type Listed } from './operations.ts';
import { readNothing } from './readings.ts';
import type { CallOptions, ListOptions } from './resource-types.ts';
import { RESOURCES } from './resources.ts';

const COLLECTION = '/v1beta/workspaces/{workspace}/tracking-plans/{tracking_plan}/source-connections';
const BATCH = `${COLLECTION}:batchCreateConnections` as const;
const ITEM = `${COLLECTION}/workspaces/{source_workspace}/sources/{source}` as const;
const OWNER = 'client.sourceConnections';

/** A source, and the tracking plan that is for it; a source has one at most. */
export type SourceConnection = Listed<typeof COLLECTION, 'connections'>;

/** Which sources a tracking plan is for; both by their full names. Kinds of all: `NotFound`. */
export interface SourceConnectionMethods {
  list(trackingPlan: string, options?: ListOptions): AsyncIterable<SourceConnection>;

  /** Kinds: `AlreadyExists` when the source has a plan. */
  create(trackingPlan: string, source: string, options?: CallOptions): Promise<SourceConnection>;

  /** All of them or none. Kinds: `AlreadyExists` when one of the sources has a plan. */
  createAll(
    trackingPlan: string,
    sources: readonly string[],
    options?: CallOptions,
  ): Promise<readonly SourceConnection[]>;

  delete(trackingPlan: string, source: string, options?: CallOptions): Promise<void>;
}

export function sourceConnectionMethods(send: Send): SourceConnectionMethods {
  return {
    list(trackingPlan, options) {
      const ids = planIds('list', trackingPlan);
      return listAll(
        send,
        { owner: OWNER, path: COLLECTION, ids, plural: 'connections', mark: 'source_name' },
        options,
      );
    },
    async create(trackingPlan, source, { signal } = {}) {
      const ids = planIds('create', trackingPlan);
      sourceIds('create', source);
      const body = { source_name: source };
      return ask(send, { method: 'post', path: COLLECTION, ids, body, signal }, 'source_name');
    },
    async createAll(trackingPlan, sources, { signal } = {}) {
      const ids = planIds('createAll', trackingPlan);
      for (const source of sources) sourceIds('createAll', source);
      const body = { source_names: sources };
      return (await ask(send, { method: 'post', path: BATCH, ids, body, signal }, 'connections')).connections;
    },
    async delete(trackingPlan, source, { signal } = {}) {
      const { workspace: source_workspace = '', source: slug = '' } = sourceIds('delete', source);
      const ids = { ...planIds('delete', trackingPlan), source_workspace, source: slug };
      await send({ method: 'delete', path: ITEM, ids, signal, read: readNothing });
    },
  };
}

function planIds(method: string, name: string): Ids {
  return idsOf(`${OWNER}.${method}`, RESOURCES.trackingPlans.item, name);
}

function sourceIds(method: string, name: string): Ids {
  return idsOf(`${OWNER}.${method}`, RESOURCES.sources.item, name);
}

import type { Ids, Send } from './call.ts';
import { idsOf } from './name-templates.ts';
import { type Answer, ask, type Query } from './operations.ts';
import type { CallOptions } from './resource-types.ts';
import { RESOURCES } from './resources.ts';

const COLLECTION = '/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}/metrics';
const ITEM = `${COLLECTION}/{metric}` as const;
const SUMMARY = `${COLLECTION}:getSummary` as const;
const BATCH = `${COLLECTION}:batchGet` as const;
const SUMMARIES = '/v1beta/workspaces/{workspace}/event-delivery-metrics:batchGetSummary';
const OWNER = 'client.metrics';

/** One figure of a destination, hour by hour. */
export type DeliveryMetric = Answer<typeof ITEM>;
/** What the deliveries of a destination came to, in one figure each. */
export type DeliveryMetricsSummary = Answer<typeof SUMMARY>;

/** From when to when; the last 24 hours when absent. */
export type MetricsOptions = CallOptions & Query<typeof COLLECTION>;

/** Figures of destinations. Kinds: `NotFound`, `InvalidArgument`, and `Unimplemented` where the router keeps no log. */
export interface MetricMethods {
  /** Every series of a destination that has something to tell; all at once, not in pages. */
  list(destination: string, options?: MetricsOptions): Promise<readonly DeliveryMetric[]>;

  /** One series, by its name: `…/metrics/retried_503`. */
  get(name: string, options?: MetricsOptions): Promise<DeliveryMetric>;

  /** Several series of a destination, at most a hundred, in the order of their names. */
  getAll(destination: string, names: readonly string[], options?: MetricsOptions): Promise<readonly DeliveryMetric[]>;

  summary(destination: string, options?: MetricsOptions): Promise<DeliveryMetricsSummary>;

  /** Those of several destinations of a workspace, at most a hundred, in the order of their names. */
  summaries(
    workspace: string,
    destinations: readonly string[],
    options?: MetricsOptions,
  ): Promise<readonly DeliveryMetricsSummary[]>;
}

export function metricMethods(send: Send): MetricMethods {
  return {
    async list(destination, { signal, ...query } = {}) {
      const ids = destinationIds('list', destination);
      return (await ask(send, { method: 'get', path: COLLECTION, ids, query, signal }, 'metrics')).metrics;
    },
    async get(name, { signal, ...query } = {}) {
      return ask(send, { method: 'get', path: ITEM, ids: idsOf(OWNER, ITEM, name), query, signal }, 'name');
    },
    async getAll(destination, names, { signal, ...range } = {}) {
      const ids = destinationIds('getAll', destination);
      // In the query: fetch sends no body with a GET.
      const query = { ...range, names: names.join(',') };
      return (await ask(send, { method: 'get', path: BATCH, ids, query, signal }, 'metrics')).metrics;
    },
    async summary(destination, { signal, ...query } = {}) {
      const ids = destinationIds('summary', destination);
      return ask(send, { method: 'get', path: SUMMARY, ids, query, signal }, 'name');
    },
    async summaries(workspace, destinations, { signal, ...range } = {}) {
      const ids = idsOf(`${OWNER}.summaries`, RESOURCES.workspaces.item, workspace);
      const query = { ...range, names: destinations.join(',') };
      return (await ask(send, { method: 'get', path: SUMMARIES, ids, query, signal }, 'summaries')).summaries;
    },
  };
}

function destinationIds(method: string, name: string): Ids {
  return idsOf(`${OWNER}.${method}`, RESOURCES.destinations.item, name);
}

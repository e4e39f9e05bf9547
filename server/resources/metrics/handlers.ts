import type { components } from '../../../generated/config-api.d.ts';
import type { HourlyCount } from '../../model/logged-delivery.ts';
import type { Caller } from '../caller.ts';
import { deliveriesOf, requireDestination } from '../deliveries/destination.ts';
import type { ConfigHandlers, Env } from '../env.ts';
import { destinationName, workspaceName } from '../resource-name.ts';
import { found } from '../store-answers.ts';
import { milliseconds } from '../times.ts';
import { requireParent } from '../visible.ts';
import { destinationsWithin, metricsWithin, namesOf } from './names.ts';
import { type HourRange, readRange } from './range.ts';
import { metricNames, percentile, retriesOf, type Series, seriesOf, totalOf } from './series.ts';

type MetricHandlers = Pick<
  ConfigHandlers,
  | 'listDeliveryMetrics'
  | 'getDeliveryMetric'
  | 'getDeliveryMetricsSummary'
  | 'batchGetDeliveryMetrics'
  | 'batchGetDeliveryMetricsSummaries'
>;
type Schemas = components['schemas'];

interface Asked {
  readonly destination: string;
  readonly query: { readonly from?: string; readonly to?: string };
  readonly caller: Caller;
}

type AskedAt = Omit<Asked, 'destination'> & { readonly path: Parameters<typeof destinationName>[0] };

interface Counted {
  readonly name: string;
  readonly range: HourRange;
  readonly counts: readonly HourlyCount[];
}

export function metricHandlers(env: Env): MetricHandlers {
  const count = async ({ destination, query, caller }: Asked): Promise<Counted> => {
    const range = readRange(query, env.clock.now());
    const { name } = await requireDestination(env, caller, destination);
    return { name, range, counts: await deliveriesOf(env).log.counts({ destination: name, ...range }) };
  };
  const countAt = ({ path, ...call }: AskedAt): Promise<Counted> =>
    count({ ...call, destination: destinationName(path) });
  return {
    async listDeliveryMetrics(call) {
      const { name, counts } = await countAt(call);
      const series = metricNames(counts).flatMap((metric) => seriesOf(metric, counts) ?? []);
      return { metrics: series.map((one) => metricResource(name, one)) };
    },

    async getDeliveryMetric(call) {
      const { name, counts } = await countAt(call);
      return requireMetric(name, call.path.metric, counts);
    },

    async batchGetDeliveryMetrics(call) {
      const names = namesOf(call);
      const metrics = metricsWithin(`${destinationName(call.path)}/metrics/`, names);
      const { name, counts } = await countAt(call);
      return { metrics: metrics.map((metric) => requireMetric(name, metric, counts)) };
    },

    async getDeliveryMetricsSummary(call) {
      return summaryResource(await countAt(call));
    },

    async batchGetDeliveryMetricsSummaries({ path, query, body, caller }) {
      const destinations = destinationsWithin(`${workspaceName(path)}/sources/`, namesOf({ query, body }));
      await requireParent(env.store, 'workspaces', caller, workspaceName(path));
      const summaries: Schemas['DeliveryMetricsSummary'][] = [];
      // One after the other, so that the store has turns for deliveries in between.
      for (const destination of destinations)
        summaries.push(summaryResource(await count({ destination, query, caller })));
      return { summaries };
    },
  };
}

function requireMetric(parent: string, metric: string, counts: readonly HourlyCount[]): Schemas['DeliveryMetric'] {
  return metricResource(parent, found(seriesOf(metric, counts), `${parent}/metrics/${metric}`));
}

function metricResource(parent: string, { metric, unit, points }: Series): Schemas['DeliveryMetric'] {
  return {
    name: `${parent}/metrics/${metric}`,
    parent,
    unit,
    points: points.map(({ hour, value }) => ({ time: milliseconds(hour), value })),
  };
}

function summaryResource({ name, range, counts }: Counted): Schemas['DeliveryMetricsSummary'] {
  const retries = retriesOf(counts);
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(counts, share));
  const times =
    p50 === undefined || p95 === undefined || p99 === undefined ? {} : { time_to_success: { p50, p95, p99 } };
  return {
    name: `${name}/metrics:getSummary`,
    parent: name,
    from: milliseconds(range.from),
    to: milliseconds(range.to),
    successes: totalOf(counts, 'successes'),
    failures: totalOf(counts, 'failures'),
    expirations: totalOf(counts, 'expirations'),
    cancellations: totalOf(counts, 'cancellations'),
    retries: Object.values(retries).reduce((sum, value) => sum + value, 0),
    retries_by_status: retries,
    ...times,
  };
}

import type { components } from '../../../generated/config-api.d.ts';
import type { HourlyCount } from '../../ports/delivery-log.ts';
import type { Caller } from '../caller.ts';
import { deliveriesOf, requireDestination } from '../deliveries/destination.ts';
import type { ConfigHandlers, Env } from '../env.ts';
import { destinationName } from '../resource-name.ts';
import { found } from '../store-answers.ts';
import { milliseconds } from '../times.ts';
import { type HourRange, readRange } from './range.ts';
import { metricNames, percentile, retriesOf, type Series, seriesOf, totalOf } from './series.ts';

type MetricHandlers = Pick<ConfigHandlers, 'listDeliveryMetrics' | 'getDeliveryMetric' | 'getDeliveryMetricsSummary'>;
type Schemas = components['schemas'];

interface Asked {
  readonly path: Parameters<typeof destinationName>[0];
  readonly query: { readonly from?: string; readonly to?: string };
  readonly caller: Caller;
}

interface Counted {
  readonly name: string;
  readonly range: HourRange;
  readonly counts: readonly HourlyCount[];
}

export function metricHandlers(env: Env): MetricHandlers {
  const count = async ({ path, query, caller }: Asked): Promise<Counted> => {
    const range = readRange(query, env.clock.now());
    const { name } = await requireDestination(env, caller, destinationName(path));
    return { name, range, counts: await deliveriesOf(env).log.counts(name, range.from, range.to) };
  };
  return {
    async listDeliveryMetrics(call) {
      const { name, counts } = await count(call);
      const series = metricNames(counts).flatMap((metric) => seriesOf(metric, counts) ?? []);
      return { metrics: series.map((one) => metricResource(name, one)) };
    },

    async getDeliveryMetric(call) {
      const { name, counts } = await count(call);
      const { metric } = call.path;
      return metricResource(name, found(seriesOf(metric, counts), `${name}/metrics/${metric}`));
    },

    async getDeliveryMetricsSummary(call) {
      return summaryResource(await count(call));
    },
  };
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

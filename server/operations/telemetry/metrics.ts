import type { HrTime } from '@opentelemetry/api';
import type { DataPoint, Histogram, MetricData, MeterProvider, MetricProducer } from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue, MetricValueWithName } from 'prom-client';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { MetricSettings } from '../../settings/telemetry-settings.ts';
import { THIS_ROUTER } from '../../this-router.ts';
import { loadMetricPackages, type MetricPackages } from './packages.ts';
import { resourceOf } from './resource.ts';
import { told } from './told-exporter.ts';

/** A metric as Prometheus gets it. */
export type PrometheusMetric = MetricObjectWithValues<MetricValue<string>>;

/** What `/metrics` serves, at this moment. */
export type ReadMetrics = () => Promise<readonly PrometheusMetric[]>;

/** Makes what exports the metrics of `read`, under the names that `/metrics` has. */
export async function loadMetrics(settings: MetricSettings, ports: { readonly clock: Clock; readonly log: Log }) {
  const packages = await loadMetricPackages(settings.protocol);
  const { sdk, exporter, resources } = packages;
  const resource = resourceOf(resources);
  const startTime = hrTimeOf(ports.clock.now());
  return (read: ReadMetrics): MeterProvider => {
    const scope = { name: 'waybill', version: THIS_ROUTER.version };
    const producer: MetricProducer = {
      collect: async () => {
        const times = { startTime, endTime: hrTimeOf(ports.clock.now()) };
        const metrics = (await read()).flatMap((metric) => metricData(metric, times, sdk));
        return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] };
      },
    };
    const reader = new sdk.PeriodicExportingMetricReader({
      exporter: told(new exporter.OTLPMetricExporter(), 'metrics', ports.log),
      exportIntervalMillis: settings.intervalMs,
      metricProducers: [producer],
    });
    return new sdk.MeterProvider({ resource, readers: [reader] });
  };
}

type Times = Pick<DataPoint<unknown>, 'startTime' | 'endTime'>;

function hrTimeOf(ms: number): HrTime {
  return [Math.floor(ms / 1000), (ms % 1000) * 1_000_000];
}

/** A metric without values is none. */
function metricData(metric: PrometheusMetric, times: Times, sdk: MetricPackages['sdk']): MetricData[] {
  if (metric.values.length === 0) return [];
  const { AggregationTemporality, DataPointType } = sdk;
  const descriptor = { name: metric.name, description: metric.help, unit: unitOf(metric.name), valueType: 1 };
  const common = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  const kind = String(metric.type);
  if (kind === 'histogram') {
    const dataPoints = histogramPoints(metric.values, times);
    return [{ ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints }];
  }
  const dataPoints = metric.values.map(({ labels, value }) => ({ ...times, attributes: labels, value }));
  if (kind === 'counter') return [{ ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }];
  return [{ ...common, dataPointType: DataPointType.GAUGE, dataPoints }];
}

function unitOf(name: string): string {
  return name.endsWith('_seconds') ? 's' : '1';
}

/** Prometheus has a row for each bucket, and counts in each what the ones before it have. */
function histogramPoints(values: readonly MetricValueWithName<string>[], times: Times): DataPoint<Histogram>[] {
  const bySeries = Map.groupBy(values, ({ labels: { le: _le, ...labels } }) => JSON.stringify(labels));
  return [...bySeries.entries()].map(([attributes, rows]) => {
    const ending = (end: string) => rows.find(({ metricName }) => metricName?.endsWith(end))?.value ?? 0;
    const buckets = rows.filter(({ metricName }) => metricName?.endsWith('_bucket'));
    const counts = buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0));
    const boundaries = buckets.map(({ labels }) => Number(labels['le'])).filter(Number.isFinite);
    const value = { buckets: { boundaries, counts }, sum: ending('_sum'), count: ending('_count') };
    return { ...times, attributes: JSON.parse(attributes), value };
  });
}

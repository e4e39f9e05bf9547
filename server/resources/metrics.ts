import type { components } from '../../generated/config-api.d.ts';
import { ApiError } from '../http/errors.ts';
import type { HourlyCount } from '../model/logged-delivery.ts';
import type { Caller } from './callers.ts';
import { deliveriesOf, requireDestination } from './deliveries.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { found, requireParent } from './kit.ts';
import { metricNames, percentile, retriesOf, type Series, seriesOf, totalOf } from './metric-series.ts';
import { nameOf, type PathParameters } from './names.ts';

type Schemas = components['schemas'];

interface Asked {
  readonly destination: string;
  readonly query: { readonly from?: string; readonly to?: string };
  readonly caller: Caller;
}

type AskedAt = Omit<Asked, 'destination'> & { readonly path: PathParameters };

interface Counted {
  readonly name: string;
  readonly range: HourRange;
  readonly counts: readonly HourlyCount[];
}

export function metricHandlers(env: Env) {
  const count = async ({ destination, query, caller }: Asked): Promise<Counted> => {
    const range = readRange(query, env.clock.now());
    const { name } = await requireDestination(env, caller, destination);
    return { name, range, counts: await deliveriesOf(env).log.counts({ destination: name, ...range }) };
  };
  const countAt = ({ path, ...call }: AskedAt): Promise<Counted> =>
    count({ ...call, destination: nameOf('destinations', path) });
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
      const metrics = metricsWithin(`${nameOf('destinations', call.path)}/metrics/`, names);
      const { name, counts } = await countAt(call);
      return { metrics: metrics.map((metric) => requireMetric(name, metric, counts)) };
    },

    async getDeliveryMetricsSummary(call) {
      return summaryResource(await countAt(call));
    },

    async batchGetDeliveryMetricsSummaries({ path, query, body, caller }) {
      const destinations = destinationsWithin(`${nameOf('workspaces', path)}/sources/`, namesOf({ query, body }));
      await requireParent(env.store, caller, nameOf('workspaces', path));
      const summaries: Schemas['DeliveryMetricsSummary'][] = [];
      // One after the other, so that the store has turns for deliveries in between.
      for (const destination of destinations)
        summaries.push(summaryResource(await count({ destination, query, caller })));
      return { summaries };
    },
  } satisfies Partial<ConfigHandlers>;
}

function requireMetric(parent: string, metric: string, counts: readonly HourlyCount[]): Schemas['DeliveryMetric'] {
  return metricResource(parent, found(seriesOf(metric, counts), `${parent}/metrics/${metric}`));
}

function metricResource(parent: string, { metric, unit, points }: Series): Schemas['DeliveryMetric'] {
  return {
    name: `${parent}/metrics/${metric}`,
    parent,
    unit,
    points: points.map(({ hour, value }) => ({ time: new Date(hour).toISOString(), value })),
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
    from: new Date(range.from).toISOString(),
    to: new Date(range.to).toISOString(),
    successes: totalOf(counts, 'successes'),
    failures: totalOf(counts, 'failures'),
    expirations: totalOf(counts, 'expirations'),
    cancellations: totalOf(counts, 'cancellations'),
    retries: Object.values(retries).reduce((sum, value) => sum + value, 0),
    retries_by_status: retries,
    ...times,
  };
}

const MAX_NAMES = 100;

interface NamesCall {
  readonly query: { readonly names?: string };
  readonly body: Schemas['BatchNames'];
}

/** The names that a batch asks for, wherever they stand; one that asks for none is answered none. */
function namesOf({ query, body }: NamesCall): readonly string[] {
  const names = body.names ?? query.names?.split(',').map((name) => name.trim()) ?? [];
  if (names.length <= MAX_NAMES) return names;
  throw new ApiError('InvalidArgument', `names must be at most ${MAX_NAMES} names, got ${names.length}`);
}

/** The metrics of one destination, by their full names. */
function metricsWithin(collection: string, names: readonly string[]): string[] {
  return names.map((name) => {
    const metric = name.startsWith(collection) ? name.slice(collection.length) : '';
    if (/^[a-z][a-z0-9_]{0,63}$/.test(metric)) return metric;
    throw refused(name, `${collection}<metric>`);
  });
}

/** Destinations of one workspace, by their own names or those of their summaries. */
function destinationsWithin(sources: string, names: readonly string[]): string[] {
  return names.map((name) => {
    const destination = name.replace(/\/metrics:getSummary$/, '');
    const rest = destination.startsWith(sources) ? destination.slice(sources.length) : '';
    if (/^[^/]+\/destinations\/[^/]+$/.test(rest)) return destination;
    throw refused(name, `${sources}<source>/destinations/<destination>`);
  });
}

function refused(name: string, form: string): ApiError {
  const seen = JSON.stringify(name.slice(0, 200));
  return new ApiError('InvalidArgument', `names must hold names of the form ${form}, got ${seen}`);
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MAX_RANGE = 31 * DAY;
/** What RFC 3339 can write, and so an answer can hold. */
const [EARLIEST, LATEST] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')];

/** Whole hours, in milliseconds since the epoch: `from` is the begin of the first, `to` the end of the last. */
interface HourRange {
  readonly from: number;
  readonly to: number;
}

export function readRange(query: { readonly from?: string; readonly to?: string }, now: number): HourRange {
  const to = query.to === undefined ? now : Date.parse(query.to);
  const from = query.from === undefined ? to - DAY : Date.parse(query.from);
  if (from >= to) {
    const given = `${query.from ?? '24 hours before to'} and ${query.to ?? 'now'}`;
    throw new ApiError('InvalidArgument', `from must be before to, got ${given}`);
  }
  if (to - from > MAX_RANGE)
    throw new ApiError(
      'InvalidArgument',
      `from and to must be at most 31 days apart, got ${query.from} and ${query.to ?? 'now'}`,
    );
  const range = { from: Math.floor(from / HOUR) * HOUR, to: Math.ceil(to / HOUR) * HOUR };
  if (range.from < EARLIEST || range.to > LATEST) {
    throw new ApiError('InvalidArgument', 'from and to must be between the years 1 and 9999');
  }
  return range;
}

import { type HourlyCount, successTimeMs } from '../model/logged-delivery.ts';
import { FAILURES } from '../ports/transport.ts';

/** Metrics that count an end, by what the log calls it. */
const ENDS = {
  successes: 'delivered',
  failures: 'failed',
  expirations: 'expired',
  cancellations: 'cancelled',
} as const;

const PERCENTILES = { time_to_success_p50: 0.5, time_to_success_p95: 0.95, time_to_success_p99: 0.99 } as const;

export type EndName = keyof typeof ENDS;

const END_NAMES = ['successes', 'failures', 'expirations', 'cancellations'] as const satisfies EndName[];

/** Of some hours, or of one. */
type Counts = readonly Pick<HourlyCount, 'what' | 'count'>[];

export interface Series {
  readonly metric: string;
  readonly unit: 'count' | 'milliseconds';
  /** Times in milliseconds since the epoch, oldest first; hours without anything to count are left out. */
  readonly points: readonly { readonly hour: number; readonly value: number }[];
}

/** The series of a metric; undefined when there is no metric of this name. */
export function seriesOf(metric: string, counts: readonly HourlyCount[]): Series | undefined {
  if (isKey(ENDS, metric)) return { metric, unit: 'count', points: countsOf(counts, ENDS[metric]) };
  if (isKey(PERCENTILES, metric)) {
    const share = PERCENTILES[metric];
    const hours = Map.groupBy(counts, ({ hour }) => hour);
    const points = [...hours].flatMap(([hour, ofHour]) => {
      const value = percentile(ofHour, share);
      return value === undefined ? [] : [{ hour, value }];
    });
    return { metric, unit: 'milliseconds', points };
  }
  const [, retried] = /^retried_(.+)$/.exec(metric) ?? [];
  if (retried === undefined || !isRetryKind(retried)) return undefined;
  return { metric, unit: 'count', points: countsOf(counts, `retried:${retried}`) };
}

/** The names of all metrics that have something to tell, and of those that always stand in a list. */
export function metricNames(counts: readonly HourlyCount[]): string[] {
  return [
    ...END_NAMES,
    ...Object.keys(retriesOf(counts)).map((kind) => `retried_${kind}`),
    ...Object.keys(PERCENTILES),
  ];
}

/** How many attempts were tried again, by status or outcome, in alphabetical order. */
export function retriesOf(counts: Counts): Record<string, number> {
  const sums = new Map<string, number>();
  for (const { what, count } of counts) {
    if (!what.startsWith('retried:')) continue;
    const kind = what.slice('retried:'.length);
    sums.set(kind, (sums.get(kind) ?? 0) + count);
  }
  return Object.fromEntries([...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export function totalOf(counts: Counts, end: EndName): number {
  return counts.reduce((sum, { what, count }) => (what === ENDS[end] ? sum + count : sum), 0);
}

/** The time to success in milliseconds that this share of the successes kept to; undefined when there was none. */
export function percentile(counts: Counts, share: number): number | undefined {
  const times = counts
    .filter(({ what }) => what.startsWith('time:'))
    .map(({ what, count }) => ({ successClass: Number(what.slice('time:'.length)), count }))
    .toSorted((a, b) => a.successClass - b.successClass);
  const wanted = share * times.reduce((sum, { count }) => sum + count, 0);
  let passed = 0;
  const reached = times.find(({ count }) => (passed += count) >= wanted);
  return reached === undefined ? undefined : successTimeMs(reached.successClass);
}

function countsOf(counts: readonly HourlyCount[], wanted: string): { hour: number; value: number }[] {
  return counts.filter(({ what }) => what === wanted).map(({ hour, count }) => ({ hour, value: count }));
}

function isRetryKind(kind: string): boolean {
  return /^\d{3}$/.test(kind) || FAILURES.some((failure) => failure === kind);
}

function isKey<T extends object>(table: T, key: PropertyKey): key is keyof T {
  return Object.hasOwn(table, key);
}

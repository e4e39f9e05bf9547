import { type AcceptedEvent, KEPT_EVENTS } from './accepted-events.ts';
import type { LossCount, StoredLosses } from '../storage/losses.ts';
import type { Drop, DropCounts, LossReason } from './dropped-events.ts';
import { lately, type TrafficKind, type TrafficPoint } from './traffic.ts';
import type { UndecidedCount } from './undecided.ts';
import type { UnknownKey } from './unknown-keys.ts';
import type { Violation, ViolationCount } from './violations.ts';

// What is read here was written by `batchesOf` as JSON of these types, by a router of this version or of another one.

export function acceptedIn({ counts, items }: StoredLosses): { count: number; last: readonly AcceptedEvent[] } {
  const last = items.slice(0, KEPT_EVENTS).map(({ item }): AcceptedEvent => JSON.parse(item));
  return { count: counts.reduce((sum, { count }) => sum + count, 0), last };
}

export function dropsIn({ counts, items }: StoredLosses): { counts: DropCounts; last: readonly Drop[] } {
  const last = items.map(({ item }): Drop => JSON.parse(item));
  return { counts: new Map(counts.map(({ what, count }): [LossReason, number] => [JSON.parse(what), count])), last };
}

export function violationsIn({ counts, items }: StoredLosses): {
  counts: readonly ViolationCount[];
  last: readonly Violation[];
} {
  return { counts: counts.map(violationCount), last: items.map(({ item }): Violation => JSON.parse(item)) };
}

function violationCount({ what, detail, count }: LossCount): ViolationCount {
  const pair: Pick<ViolationCount, 'type' | 'kind'> = JSON.parse(what);
  return { ...pair, ...(detail === '' ? {} : { event: detail }), count };
}

/** So many are listed, the last seen first. */
const LISTED_KEYS = 1_000;

export function unknownKeysIn({ counts }: StoredLosses): { total: number; keys: readonly UnknownKey[] } {
  const named = counts.filter(({ detail }) => detail !== '').toSorted((a, b) => b.lastAt - a.lastAt);
  return { total: counts.reduce((sum, { count }) => sum + count, 0), keys: named.slice(0, LISTED_KEYS).map(keyOf) };
}

function keyOf({ detail: prefix, count: events, firstAt, lastAt }: LossCount): UnknownKey {
  return { prefix, events, firstAt, lastAt };
}

export function undecidedIn({ counts }: StoredLosses): ReadonlyMap<string, UndecidedCount> {
  return new Map(
    counts.map(({ owner, count, lastAt }) => [owner, { count, lastTime: new Date(lastAt).toISOString() }]),
  );
}

/** `hours` is the list of those; what is in others is of minutes. */
export function trafficIn(
  { counts }: StoredLosses,
  hours: string,
  now: number,
): { minutes: readonly TrafficPoint[]; hours: readonly TrafficPoint[] } {
  const isHour = ({ list }: LossCount): boolean => list === hours;
  const [ofHours, ofMinutes] = [counts.filter(isHour), counts.filter((count) => !isHour(count))];
  return { minutes: lately(pointsIn(ofMinutes), 'minute', now), hours: lately(pointsIn(ofHours), 'hour', now) };
}

function pointsIn(counts: readonly LossCount[]): Map<number, Record<TrafficKind, number>> {
  const points = new Map<number, Record<TrafficKind, number>>();
  for (const { what, count } of counts) {
    const { kind, at }: { kind: TrafficKind; at: number } = JSON.parse(what);
    const point = points.get(at) ?? { accepted: 0, delivered: 0, failed: 0 };
    point[kind] += count;
    points.set(at, point);
  }
  return points;
}

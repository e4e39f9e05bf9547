import { type AcceptedEvent, KEPT_EVENTS } from '../events/accepted-events.ts';
import type { LossCount, StoredLosses } from '../storage/losses.ts';
import type { Drop, DropCounts, LossReason } from './dropped-events.ts';
import type { UndecidedCount } from './undecided.ts';
import type { UnknownKey } from './unknown-keys.ts';
import type { Violation, ViolationCount } from './violations.ts';

// What is read here was written by `batchOf` as JSON of these types, by a router of this version or of another one.

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

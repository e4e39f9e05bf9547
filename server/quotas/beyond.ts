import type { Quota } from '../model/resources.ts';
import type { Moment } from '../ports/clock.ts';
import { waitMs } from './rate.ts';
import { endOf, type Usage } from './usage.ts';

export type Limit = 'second' | 'day';

/** Why events are too many, and how long to wait. */
export interface Beyond {
  readonly limit: Limit;
  readonly most: number;
  readonly waitMs: number;
}

/** Undefined where so many more events are within the quota. Of both limits, the one that is waited for longer. */
export function beyondQuota(
  { events_per_second: perSecond, events_per_day: perDay }: Quota,
  usage: Usage,
  events: number,
  { wall, steady }: Moment,
): Beyond | undefined {
  if (perDay > 0 && usage.stored + usage.events + events > perDay) {
    return { limit: 'day', most: perDay, waitMs: endOf(usage.day) - wall };
  }
  const wait = perSecond > 0 ? waitMs(usage.busyUntil, { events, perSecond }, steady) : 0;
  return wait > 0 ? { limit: 'second', most: perSecond, waitMs: wait } : undefined;
}

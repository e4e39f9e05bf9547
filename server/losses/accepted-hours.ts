import type { Event } from '../model/message.ts';
import type { HourlyCounts, HourlySum } from './hourly-counts.ts';

const PREFIX = 'accepted:';

/**
 * Counts how many events of each type a source sent in each hour. Events that come together are of one moment, and mostly alike: the sum
 * of the one before is looked up for the first alone.
 */
export function countAccepted(
  counts: Pick<HourlyCounts, 'sumOf'>,
): (source: string, events: readonly Pick<Event, 'type' | 'receivedAt'>[]) => void {
  return (source, events) => {
    let [last, sum]: [Pick<Event, 'type' | 'receivedAt'>?, HourlySum?] = [];
    for (const event of events) {
      if (sum === undefined || event.type !== last?.type || event.receivedAt !== last.receivedAt)
        sum = counts.sumOf(source, Date.parse(event.receivedAt), `${PREFIX}${event.type}`);
      sum.count += 1;
      last = event;
    }
  };
}

/** The type that a stored count is of; undefined when it counts something else. */
export function acceptedTypeOf(what: string): string | undefined {
  return what.startsWith(PREFIX) ? what.slice(PREFIX.length) : undefined;
}

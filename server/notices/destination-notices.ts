import type { HourlyCount } from '../model/logged-delivery.ts';
import type { Destination, Health } from '../model/resources.ts';
import type { Said } from './notice.ts';

const HOUR = 3_600_000;
/** What ended within an hour is stored by then. */
const COUNTED_AFTER_MS = 60_000;
/** Message ids are known for a day: within it, what is told again is known (D-43). */
const MAX_HOURS = 22;
const MAX_NOTICE_MS = 4 * HOUR;

export interface HourRange {
  readonly from: number;
  readonly to: number;
}

export function parkedOrRecovered({ name, display_name: displayName }: Destination, health: Health): Said {
  const { state, since, failed_since: parkedSince = since, number } = health;
  const about = { destination: name, displayName };
  const which = { about: name, of: `${number} ${since}` };
  return state === 'failing'
    ? { event: 'destination.parked', properties: { ...about, since }, ...which }
    : { event: 'destination.recovered', properties: { ...about, parkedSince, since }, ...which };
}

/** In the last quarter of the overlap of two secrets, or its last hours. */
export function expiringSecret(
  { name, display_name: displayName, rotation }: Destination,
  now: number,
): Said | undefined {
  if (rotation === undefined) return undefined;
  const { start_time, end_time: expires } = rotation;
  const [start, end] = [Date.parse(start_time), Date.parse(expires)];
  const from = end - Math.min(MAX_NOTICE_MS, (end - start) / 4);
  if (now < from || now >= end) return undefined;
  return {
    event: 'secret.expiring',
    properties: { destination: name, displayName, expires },
    about: name,
    of: expires,
  };
}

/** The hours that are over, behind the last one that was counted; undefined where there are none. */
export function hoursToCount(counted: number | undefined, now: number): HourRange | undefined {
  const to = Math.floor((now - COUNTED_AFTER_MS) / HOUR) * HOUR;
  const first = to - MAX_HOURS * HOUR;
  // Where the wall was set back, what was counted lies ahead.
  const from = counted === undefined || counted > to ? first : Math.max(counted, first);
  return from === to ? undefined : { from, to };
}

/** One for each hour in which deliveries ended in vain. */
export function givenUp(
  { name, display_name: displayName }: Destination,
  counts: readonly HourlyCount[],
): HourOfSaid[] {
  const hours = Map.groupBy(
    counts.filter(({ what, count }) => count > 0 && (what === 'failed' || what === 'expired')),
    ({ hour }) => hour,
  );
  return Array.from(hours, ([hour, ended]) => {
    const sum = (state: string): number =>
      ended.filter(({ what }) => what === state).reduce((all, { count }) => all + count, 0);
    const [from, to] = [new Date(hour).toISOString(), new Date(hour + HOUR).toISOString()];
    const properties = { destination: name, displayName, from, to, failed: sum('failed'), expired: sum('expired') };
    return { to: hour + HOUR, said: { event: 'deliveries.given_up', properties, about: name, of: from } };
  });
}

/** With the end of its hour. */
interface HourOfSaid {
  readonly to: number;
  readonly said: Said;
}

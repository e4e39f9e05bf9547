import { instantOf } from '../events/times.ts';
import type { Window } from '../model/definition.ts';
import { HOUR_MS } from './hours.ts';
import type { Hours } from './plan.ts';

/** How many hours `12h` or `30d` are; undefined where it is no duration of 1 hour at least. */
export function hoursIn(duration: string): number | undefined {
  const [, count, unit] = /^([1-9]\d{0,4})([hd])$/.exec(duration) ?? [];
  if (count === undefined) return undefined;
  return Number(count) * (unit === 'd' ? 24 : 1);
}

/** The hours of a window at a run in the hour `now`. Future events count from receipt, so no hour is later. */
export function hoursOf(window: Window | undefined, now: number): Hours {
  if (window === undefined) return { to: now };
  if ('within' in window) return { from: now - known(window.within) + 1, to: now };
  if ('since' in window) return { from: (instantOf(window.since) ?? 0) / HOUR_MS, to: now };
  const [nearer, farther] = window.between;
  return { from: now - known(farther) + 1, to: now - known(nearer) };
}

function known(duration: string): number {
  const hours = hoursIn(duration);
  if (hours === undefined) throw new Error(`a stored window has the duration ${JSON.stringify(duration)}`);
  return hours;
}

/** The times that some hours are: after one, and until another, which is still of them. */
export function timesOf({ from, to }: Hours): { readonly after: string | undefined; readonly until: string } {
  const after = from === undefined ? undefined : new Date(from * HOUR_MS).toISOString();
  return { after, until: new Date((to + 1) * HOUR_MS).toISOString() };
}

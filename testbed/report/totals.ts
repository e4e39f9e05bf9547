import type { Picture } from './picture.ts';

/** A rehearsal in figures. Delays are milliseconds from acceptance to delivery; undefined when nothing was delivered. */
export interface Totals {
  readonly events: number;
  readonly delivered: number;
  readonly failed: number;
  readonly expired: number;
  readonly waiting: number;
  readonly attempts: number;
  readonly medianDelayMs: number | undefined;
  readonly p95DelayMs: number | undefined;
  readonly longestDelayMs: number | undefined;
  readonly parkedMs: number;
}

export function totalsOf({ events, lanes }: Picture): Totals {
  const count = (...states: readonly string[]) => events.filter(({ state }) => states.includes(state)).length;
  const delays = events
    .filter(({ state }) => state === 'delivered')
    .map(({ from, to }) => to - from)
    .toSorted((a, b) => a - b);
  const parked = lanes[0]?.parked ?? [];
  return {
    events: events.length,
    delivered: count('delivered'),
    failed: count('failed', 'cancelled'),
    expired: count('expired'),
    waiting: count('pending', 'trying'),
    attempts: lanes.flatMap(({ tracks }) => tracks).reduce((sum, { marks }) => sum + marks.length, 0),
    medianDelayMs: quantile(delays, 0.5),
    p95DelayMs: quantile(delays, 0.95),
    longestDelayMs: delays.at(-1),
    parkedMs: parked.reduce((sum, { from, to }) => sum + to - from, 0),
  };
}

/** How many events were accepted and had not ended, at so many moments over the run. */
export function backlogOf({ events, durationMs }: Picture, moments: number): readonly number[] {
  return Array.from({ length: moments }, (_, index) => {
    const at = ((index + 0.5) * durationMs) / moments;
    return events.filter(({ from, to }) => from <= at && to > at).length;
  });
}

function quantile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

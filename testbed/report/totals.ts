import type { Picture } from './picture.ts';
import { spanText } from './time-text.ts';

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
  /** Of the destination that was parked the longest. */
  readonly parkedMs: number;
}

export function totalsOf({ events, lanes }: Picture): Totals {
  const count = (...states: readonly string[]) => events.filter(({ state }) => states.includes(state)).length;
  const delays = events
    .filter(({ state }) => state === 'delivered')
    .map(({ from, to }) => to - from)
    .toSorted((a, b) => a - b);
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
    parkedMs: Math.max(0, ...lanes.map(({ parked }) => parked.reduce((sum, { from, to }) => sum + to - from, 0))),
  };
}

/** The figures with their names, in the order in which reports show them. */
export function figuresOf(totals: Totals): readonly (readonly [name: string, value: string])[] {
  return [
    ['events', String(totals.events)],
    ['delivered', String(totals.delivered)],
    ['refused for good', String(totals.failed)],
    ['expired', String(totals.expired)],
    ['still waiting', String(totals.waiting)],
    ['attempts', String(totals.attempts)],
    ['parked', spanText(totals.parkedMs)],
    ['median delay', spanText(totals.medianDelayMs)],
    ['p95 delay', spanText(totals.p95DelayMs)],
    ['longest delay', spanText(totals.longestDelayMs)],
  ];
}

/** How many events waited at most, in each of so many columns over the run: what is on its first attempt does not wait. */
export function backlogOf({ events, durationMs, policy }: Picture, columns: number): readonly number[] {
  const changes = events
    .map(({ from, to }) => ({ from: from + policy.deadlineMs, to }))
    .filter(({ from, to }) => to > from)
    .flatMap(({ from, to }) => [
      { at: from, by: 1 },
      { at: to, by: -1 },
    ])
    // Who goes as another comes did not wait beside it.
    .toSorted((one, other) => one.at - other.at || one.by - other.by);
  let next = 0;
  let waiting = 0;
  return Array.from({ length: columns }, (_, column) => {
    const end = ((column + 1) * durationMs) / columns;
    let most = waiting;
    const isHere = ({ at, by }: { at: number; by: number }) => at < end || (at === end && by < 0);
    for (let change = changes[next]; change !== undefined && isHere(change); change = changes[++next]) {
      waiting += change.by;
      most = Math.max(most, waiting);
    }
    return most;
  });
}

function quantile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

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

/** Looks at each column so many times, so that a short wait is not overlooked in it. */
const LOOKS = 8;

/** How many events waited at most, in each of so many columns over the run: what is on its first attempt does not wait. */
export function backlogOf({ events, durationMs, policy }: Picture, columns: number): readonly number[] {
  const waits = events
    .map(({ from, to }) => ({ from: from + policy.deadlineMs, to }))
    .filter(({ from, to }) => to > from);
  return Array.from({ length: columns }, (_, column) => {
    const looks = Array.from({ length: LOOKS }, (_look, index) => ((column + index / LOOKS) * durationMs) / columns);
    return Math.max(...looks.map((at) => waits.filter(({ from, to }) => from <= at && to > at).length));
  });
}

function quantile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

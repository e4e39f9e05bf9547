import type { HourlyAddition } from '../storage/delivery-log.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const EVENTS = 'quota:events';
const REFUSED = 'quota:refused';

/** What a workspace used of its quota, in one day of UTC. */
export interface Usage {
  readonly workspace: string;
  readonly day: number;
  /** Of all routers, as the storage said last. */
  stored: number;
  /** Of this router, not stored yet. */
  events: number;
  refused: number;
  /** Until when its rate is taken up, in steady time. */
  busyUntil: number;
  /** When `stored` was heard, and when a sender last asked, in steady time. */
  heardAt: number;
  askedAt: number;
}

export function newUsage(workspace: string, day: number, { stored, now }: { stored: number; now: number }): Usage {
  return { workspace, day, stored, events: 0, refused: 0, busyUntil: now, heardAt: now, askedAt: now };
}

/** The same workspace on another day. */
export function onDay(day: number, usage: Usage): Usage {
  return { ...usage, day, stored: 0, events: 0, refused: 0 };
}

export function dayOf(wallMs: number): number {
  return Math.floor(wallMs / DAY);
}

export function endOf(day: number): number {
  return (day + 1) * DAY;
}

/** The counts of a day are those of its last hour, so that no retention removes them before it ends. */
export function hourOf(day: number): number {
  return endOf(day) - HOUR;
}

/** What is to be stored of it: its events, also none, as the answer has those of other routers. Refused ones need no row. */
export function additionsOf({
  workspace,
  day,
  events,
  refused,
}: Usage): readonly [HourlyAddition, ...HourlyAddition[]] {
  const hour = hourOf(day);
  const passed = { of: workspace, hour, what: EVENTS, count: events };
  return refused === 0 ? [passed] : [passed, { of: workspace, hour, what: REFUSED, count: refused }];
}

export interface Counted {
  readonly events: number;
  readonly refused: number;
}

/** Of what is counted in the hour of a day. */
export function countedIn(counts: readonly { readonly what: string; readonly count: number }[]): Counted {
  const of = (wanted: string): number => counts.find(({ what }) => what === wanted)?.count ?? 0;
  return { events: of(EVENTS), refused: of(REFUSED) };
}

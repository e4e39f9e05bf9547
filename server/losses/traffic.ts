import type { RoundWatcher } from '../delivery/recorder.ts';
import { workspaceOf } from '../model/resource-names.ts';
import type { Clock } from '../ports/clock.ts';
import type { LossSinks } from './loss-reader.ts';

/** Events that were accepted; deliveries that came, and that failed for good or expired. */
const TRAFFIC_KINDS = ['accepted', 'delivered', 'failed'] as const;
export type TrafficKind = (typeof TRAFFIC_KINDS)[number];

/** What is counted by itself, and for how long. */
export const TRAFFIC_UNITS = {
  minute: { ms: 60_000, kept: 60 },
  hour: { ms: 3_600_000, kept: 24 },
} as const;
export type TrafficUnit = keyof typeof TRAFFIC_UNITS;

/** One minute or hour in which there was something, from when it began. */
export type TrafficPoint = Readonly<Record<TrafficKind, number>> & { readonly at: number };

/** A count as it is stored. */
export interface TrafficCount {
  readonly workspace: string;
  readonly unit: TrafficUnit;
  readonly kind: TrafficKind;
  readonly at: number;
  readonly count: number;
}

/** What went through each workspace lately, by its full name. */
export interface Traffic {
  add(workspace: string, kind: TrafficKind, count: number): void;
  /** Oldest first. */
  of(workspace: string, unit: TrafficUnit): readonly TrafficPoint[];
  all(): readonly TrafficCount[];
}

/** In memory: so much for each workspace, however much there is. */
export function createTraffic(clock: Pick<Clock, 'now'>): Traffic {
  const counts = { minute: new Map<string, Map<number, Counts>>(), hour: new Map<string, Map<number, Counts>>() };
  const pointOf = (unit: TrafficUnit, workspace: string, now: number): Counts => {
    const { ms, kept } = TRAFFIC_UNITS[unit];
    const at = Math.floor(now / ms) * ms;
    const points = counts[unit].get(workspace) ?? new Map<number, Counts>();
    if (points.size === 0) counts[unit].set(workspace, points);
    let point = points.get(at);
    if (point === undefined) {
      point = { accepted: 0, delivered: 0, failed: 0 };
      points.set(at, point);
      for (const old of points.keys()) if (old <= at - kept * ms) points.delete(old);
    }
    return point;
  };
  return {
    add(workspace, kind, count) {
      if (count === 0) return;
      const now = clock.now();
      pointOf('minute', workspace, now)[kind] += count;
      // What became of deliveries in each hour is counted by the storage.
      if (kind === 'accepted') pointOf('hour', workspace, now)[kind] += count;
    },
    of: (workspace, unit) => lately(counts[unit].get(workspace) ?? new Map(), unit, clock.now()),
    all: () => [...countsOf('minute', counts.minute), ...countsOf('hour', counts.hour)],
  };
}

type Counts = Record<TrafficKind, number>;

/** Points that are not too old, in order. */
export function lately(points: ReadonlyMap<number, Counts>, unit: TrafficUnit, now: number): TrafficPoint[] {
  const { ms, kept } = TRAFFIC_UNITS[unit];
  const first = Math.floor(now / ms) * ms - (kept - 1) * ms;
  const recent = [...points].filter(([at]) => at >= first).toSorted(([one], [other]) => one - other);
  return recent.map(([at, counts]) => ({ at, ...counts }));
}

function countsOf(unit: TrafficUnit, workspaces: ReadonlyMap<string, ReadonlyMap<number, Counts>>): TrafficCount[] {
  return [...workspaces].flatMap(([workspace, points]) =>
    [...points].flatMap(([at, counts]) =>
      TRAFFIC_KINDS.filter((kind) => counts[kind] > 0).map((kind) => ({
        workspace,
        unit,
        kind,
        at,
        count: counts[kind],
      })),
    ),
  );
}

/** The same sinks, with what is accepted counted as traffic as well, and by another. */
export function countedArrivals<Sinks extends Pick<LossSinks, 'accepted' | 'traffic'>>(
  sinks: Sinks,
  count?: LossSinks['accepted']['add'],
): Sinks {
  const { accepted, traffic } = sinks;
  const add: typeof accepted.add = (source, events) => {
    traffic.add(workspaceOf(source), 'accepted', events.length);
    count?.(source, events);
    accepted.add(source, events);
  };
  return { ...sinks, accepted: { ...accepted, add } };
}

/** Counts the ends of deliveries as traffic. */
export function countedEnds(traffic: Pick<Traffic, 'add'>): RoundWatcher {
  return {
    ended({ destination, verdict: { state } }) {
      if (state === 'delivered') traffic.add(workspaceOf(destination), 'delivered', 1);
      if (state === 'failed' || state === 'expired') traffic.add(workspaceOf(destination), 'failed', 1);
    },
  };
}

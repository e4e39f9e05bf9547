import type { AcceptedEvent, AcceptedEvents } from './accepted-events.ts';
import { PacedWork } from '../fairness/paced-work.ts';
import type { Clock } from '../ports/clock.ts';
import type { Drop, DropCounts, DroppedEvents } from './dropped-events.ts';
import { isWithin } from '../model/resource-names.ts';
import { type ErasedUsers, type ItemEraser, namesOneOf } from './erase-items.ts';
import type { Traffic, TrafficPoint } from './traffic.ts';
import type { Undecided, UndecidedCount } from './undecided.ts';
import type { UnknownKey, UnknownKeys } from './unknown-keys.ts';
import type { Violation, ViolationCount, Violations } from './violations.ts';

interface Since {
  /** When counting began, in milliseconds since the epoch. */
  readonly since: number;
}

export interface TrafficSeries {
  /** Oldest first; without those in which there was nothing. */
  readonly minutes: readonly TrafficPoint[];
  readonly hours: readonly Pick<TrafficPoint, 'at' | 'accepted'>[];
}

/** What ingestion accepted, and what it did not let through as it came, as whoever asks the API sees it: over all routers. */
export interface LossReader {
  accepted(source: string): Promise<Since & { readonly count: number; readonly last: readonly AcceptedEvent[] }>;
  dropped(source: string): Promise<Since & { readonly counts: DropCounts; readonly last: readonly Drop[] }>;
  violations(
    source: string,
  ): Promise<Since & { readonly counts: readonly ViolationCount[]; readonly last: readonly Violation[] }>;
  unknownKeys(): Promise<Since & { readonly total: number; readonly keys: readonly UnknownKey[] }>;
  /** What went through a workspace in the last hour and day. */
  traffic(workspace: string): Promise<Since & TrafficSeries>;
  /** By the full names of definitions; of most there is nothing to tell. */
  undecided(names: readonly string[]): Promise<ReadonlyMap<string, UndecidedCount>>;
}

/** What is counted. */
export interface Losses {
  readonly accepted: AcceptedEvents;
  readonly dropped: DroppedEvents;
  readonly violations: Violations;
  readonly unknownKeys: UnknownKeys;
  readonly undecided: Undecided;
  readonly traffic: Traffic;
}

/** What ingestion accepted, and what it did not let through as it came, is told to these. */
export type LossSinks = { readonly [Kind in keyof Losses]: Pick<Losses[Kind], 'add'> };

/** All of one workspace may be full of texts, and the users be thousands: it is done in parts, as seconds of the event loop. */
export async function eraseItemsIn(
  { accepted, dropped, violations }: Losses,
  { scope, userIds }: ErasedUsers,
  pace = new PacedWork(),
): Promise<void> {
  const isOf = (source: string): boolean => isWithin(source, scope);
  const isGone = namesOneOf(userIds);
  const steps = [
    accepted.removeLast(isOf, isGone),
    dropped.removeLast(isOf, isGone),
    violations.removeLast(isOf, isGone),
    violations.unname(isOf, (event) => isGone({ event })),
  ];
  for (const each of steps) await pace.each(pace.parts(each), () => undefined);
}

/** The counts of this process, which has its storage alone: they are in memory, and end with it. */
export function ownLosses(losses: Losses, clock: Pick<Clock, 'now'>): LossReader & ItemEraser {
  const { accepted, dropped, violations, unknownKeys, undecided, traffic } = losses;
  const since = clock.now();
  return {
    eraseItems: (users) => eraseItemsIn(losses, users),
    accepted: (source) => Promise.resolve({ since, count: accepted.countOf(source), last: accepted.lastOf(source) }),
    dropped: (source) => Promise.resolve({ since, counts: dropped.of(source), last: dropped.lastOf(source) }),
    violations: (source) =>
      Promise.resolve({ since, counts: violations.countsOf(source), last: violations.lastOf(source) }),
    unknownKeys: () => Promise.resolve({ since, total: unknownKeys.total(), keys: unknownKeys.list() }),
    traffic: (workspace) => {
      const [minutes, hours] = [traffic.of(workspace, 'minute'), traffic.of(workspace, 'hour')];
      return Promise.resolve({ since, minutes, hours });
    },
    undecided: (names) =>
      Promise.resolve(
        new Map(
          names.flatMap((name) => {
            const count = undecided.of(name);
            return count === undefined ? [] : [[name, count] as const];
          }),
        ),
      ),
  };
}

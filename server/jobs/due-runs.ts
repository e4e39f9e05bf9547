import type { Computation } from '../audiences/computations.ts';
import { isTime } from '../audiences/sync-times.ts';
import type { Sync } from '../model/sync.ts';
import type { Clock } from '../ports/clock.ts';

export interface RunTimes {
  readonly clock: Pick<Clock, 'now'>;
  /** Between two runs of one computation. */
  readonly intervalMs: number;
}

/** The last of each computation. */
export function lastOfEach(syncs: readonly Sync[]): Map<string, Sync> {
  const last = new Map<string, Sync>();
  for (const sync of syncs) {
    const known = last.get(sync.computation);
    if (known === undefined || known.number < sync.number) last.set(sync.computation, sync);
  }
  return last;
}

/** At its time, and at once where its definition is another than that of the last run. */
export function isDue(one: Computation, last: Sync | undefined, { clock, intervalMs }: RunTimes): boolean {
  if (!one.enabled) return false;
  const isOutdated = last !== undefined && last.startedAt < Date.parse(one.updateTime);
  return isOutdated || isTime(one.name, last, clock.now(), intervalMs);
}

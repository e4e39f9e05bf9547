import type { Computation } from '../audiences/computations.ts';
import { isTime, nextRunAt } from '../audiences/sync-times.ts';
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

/** At its time, and at once where it is another than the last run computed, or was told to. */
export function isDue(one: Computation, last: Sync | undefined, { clock, intervalMs }: RunTimes): boolean {
  if (!one.enabled) return false;
  const now = clock.now();
  return (last !== undefined && isOutdated(one, last, now)) || isTime(one.name, last, now, intervalMs);
}

/**
 * Whether a sync that was computed is to give way to the next one, as it would tell what holds no more: after an edit, and once it is
 * due again and has told nobody for an interval. One that goes on, however slowly, comes to those whom it tells last. By a clock that
 * is behind it does not give way: whoever asked for it has just begun it.
 */
export function isOvertaken(
  one: Pick<Computation, 'name' | 'updateTime' | 'digest'>,
  sync: Sync,
  toldAt: number,
  { clock, intervalMs }: RunTimes,
): boolean {
  const now = clock.now();
  if (isOutdated(one, sync, now)) return true;
  const isDueAgain = now >= nextRunAt(one.name, sync, intervalMs);
  return isDueAgain && (isLeftToHeldBack(sync) || now >= toldAt + intervalMs);
}

/** Only users are left to whom an earlier call is being sent: the next sync tells them as well. */
export function isLeftToHeldBack({ computed, cursor }: Sync): boolean {
  return computed !== undefined && cursor.destinations.length === 0;
}

/**
 * Whether an edit changed what is computed or told. What was cancelled has not told all: it is begun anew by any edit, also that it
 * is enabled again. Of one that has computed nothing, or is of an earlier version, only the time is known: by a clock that is ahead
 * one would follow another without end.
 */
function isOutdated(
  { updateTime, digest }: Pick<Computation, 'updateTime' | 'digest'>,
  { basis, startedAt, state }: Sync,
  now: number,
): boolean {
  if (basis !== undefined) return basis.updateTime !== updateTime && (basis.digest !== digest || state === 'CANCELLED');
  const changedAt = Date.parse(updateTime);
  return startedAt < changedAt && changedAt <= now;
}

import type { Computation } from '../audiences/computations.ts';
import { isTime, nextRunAt } from '../audiences/sync-times.ts';
import type { Directory } from '../directory/directory.ts';
import type { Sync } from '../model/sync.ts';
import type { Clock } from '../ports/clock.ts';

export interface DuePorts {
  readonly clock: Pick<Clock, 'now'>;
  /** Between two runs of one computation. */
  readonly intervalMs: number;
  readonly directory: Pick<Directory, 'target'>;
}

type Edited = Pick<Computation, 'updateTime' | 'digest' | 'destinations'>;

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
export function isDue(one: Computation, last: Sync | undefined, ports: DuePorts): boolean {
  if (!one.enabled) return false;
  const isEdited = last !== undefined && isOutdated(one, last, ports);
  return isEdited || isTime(one.name, last, ports.clock.now(), ports.intervalMs);
}

/**
 * Whether a sync that was computed is to give way to the next one, as it would tell what holds no more: after an edit, and once it is
 * due again and has told nobody for an interval. One that goes on, however slowly, comes to those whom it tells last. By a clock that
 * is behind it does not give way: whoever asked for it has just begun it.
 */
export function isOvertaken(
  one: Pick<Computation, 'name'> & Edited,
  sync: Sync,
  toldAt: number,
  ports: DuePorts,
): boolean {
  if (isOutdated(one, sync, ports)) return true;
  const { clock, intervalMs } = ports;
  const now = clock.now();
  const isDueAgain = now >= nextRunAt(one.name, sync, intervalMs);
  return isDueAgain && (isLeftToHeldBack(sync) || now >= toldAt + intervalMs);
}

/** Only users are left to whom an earlier call is being sent: the next sync tells them as well. */
export function isLeftToHeldBack({ computed, cursor }: Sync): boolean {
  return computed !== undefined && cursor.destinations.length === 0;
}

/**
 * Whether an edit asks for what was not computed or told. What was cancelled, or failed, has not told all: it is begun anew by any
 * edit, also that it is enabled again. Of one that has computed nothing, or is of an earlier version, only the time is known: by a
 * clock that is ahead one would follow another without end.
 */
export function isOutdated(one: Edited, sync: Sync, { clock, directory }: DuePorts): boolean {
  const { basis, startedAt, state } = sync;
  if (basis === undefined) {
    const changedAt = Date.parse(one.updateTime);
    return startedAt < changedAt && changedAt <= clock.now();
  }
  if (basis.updateTime === one.updateTime) return false;
  if (basis.digest !== one.digest || state === 'CANCELLED' || state === 'FAILED') return true;
  return one.destinations.some((destination) => isMissed(destination, sync, directory));
}

/** Who can hear now was passed over by the sync, or was made since, whoever had its name (AUD-3). */
function isMissed(destination: string, { basis, cursor }: Sync, directory: DuePorts['directory']): boolean {
  const target = directory.target(destination);
  if (target === undefined) return false;
  return target.createTime !== basis?.made[destination] || cursor.passedOver?.includes(destination) === true;
}

import { createHash } from 'node:crypto';
import type { Sync } from '../model/sync.ts';

/** A run that fails is tried again so much later. */
const AFTER_FAILURE_MS = 10 * 60_000;

type Last = Pick<Sync, 'startedAt' | 'state' | 'endedAt'>;

/** Whether a run is to begin now, by the wall. One that was set back since the last run does not keep it waiting. */
export function isTime(computation: string, last: Last | undefined, now: number, intervalMs: number): boolean {
  if (last === undefined || last.startedAt > now) return true;
  if (last.state === 'FAILED') return now >= (last.endedAt ?? 0) + AFTER_FAILURE_MS;
  return now >= nextRunAt(computation, last, intervalMs);
}

/**
 * When the run after this one begins, in the wall's milliseconds: an interval later, and by up to half of it more, always the same
 * for one computation, so that those of a workspace do not begin together (AUD-4). After a pause of any length that is one run.
 */
export function nextRunAt(computation: string, last: Pick<Sync, 'startedAt'>, intervalMs: number): number {
  return last.startedAt + intervalMs + Math.floor((intervalMs / 2) * shareOf(computation));
}

/** From 0 to below 1. */
function shareOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32;
}

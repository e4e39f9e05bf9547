import type { DeliveryPolicy } from '../model/policy.ts';

/** What a destination may be sent, by its own settings (HOOK-24). Absent: as any other. */
export interface Limits {
  readonly perSecond?: number;
  readonly inFlight?: number;
}

/** Rounds that are late, for a timer or a place in flight, are made up for up to so much. What was idle for longer has no credit. */
const CATCH_UP_MS = 100;

/** How long a queue that is held sleeps at most: its limit may be changed meanwhile. */
export const MAX_HOLD_MS = 1_000;

/** What is ready in memory is sent within about a second: the rest waits in storage, where it can be seen. */
export function limitedPolicy(
  policy: DeliveryPolicy,
  { perSecond = Infinity, inFlight = Infinity }: Limits,
): DeliveryPolicy {
  const perDestination = Math.min(policy.perDestination, inFlight);
  const room = Math.floor((policy.queueRoom * perDestination) / policy.perDestination);
  return { ...policy, perDestination, queueRoom: Math.max(1, Math.min(room, Math.ceil(perSecond))) };
}

/** How far apart rounds are; 0 without a limit. */
export function gapOf({ perSecond }: Limits): number {
  return perSecond === undefined ? 0 : 1_000 / perSecond;
}

/** When the next round may start, after one that had its slot at `last`. */
export function freeAt(gapMs: number, last: number | undefined): number {
  return last === undefined ? -Infinity : last + gapMs;
}

/** The slot of a round that starts now: slots are a gap apart, so that what is late does not slow down the rest. */
export function slotOf(gapMs: number, last: number | undefined, at: number): number {
  const free = freeAt(gapMs, last);
  return at - free <= CATCH_UP_MS ? free : at;
}

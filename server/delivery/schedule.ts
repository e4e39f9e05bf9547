import type { Random } from '../ports/random.ts';
import type { DeliveryPolicy } from '../model/policy.ts';

/** The longest wait after a round, before jitter: it doubles from the first wait up to the cap (D-23). */
export function longestWait(policy: DeliveryPolicy, round: number): number {
  return Math.min(policy.firstWaitMs * 2 ** (round - 1), policy.maxWaitMs);
}

/** A wait from the upper half of its bound, so that receivers that failed together are not tried in lock-step. */
export function waitAfter(policy: DeliveryPolicy, round: number, random: Random): number {
  return Math.round(longestWait(policy, round) * (1 + random()) * 0.5);
}

/** When the last try of an event starts: so early that its answer still falls into the window. */
export function lastTryAt(policy: DeliveryPolicy, receivedAt: number): number {
  return receivedAt + policy.windowMs - policy.deadlineMs;
}

export interface Round {
  /** Rounds that count, the one that just ended included: at least 1. */
  readonly round: number;
  readonly receivedAt: number;
  readonly endedAt: number;
  /** What receivers asked for in `Retry-After`; it lengthens a wait and never shortens one. */
  readonly retryAfterMs: number;
  /** Nothing has been attempted yet: then the end of the window ends nothing (HOOK-20). */
  readonly isOwed?: boolean;
}

/** When the next round is due, or undefined when the window leaves no room for one (HOOK-9, D-23). */
export function nextDueAt(policy: DeliveryPolicy, ended: Round, random: Random): number | undefined {
  const lastTry = lastTryAt(policy, ended.receivedAt);
  const isOver = ended.endedAt >= lastTry;
  if (isOver && ended.isOwed !== true) return undefined;
  const due = ended.endedAt + Math.max(waitAfter(policy, ended.round, random), ended.retryAfterMs);
  return isOver ? due : Math.min(due, lastTry);
}

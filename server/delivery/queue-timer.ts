import type { DestinationQueue } from './destination-queue.ts';
import { freeAt, MAX_HOLD_MS } from './pace.ts';
import type { Given } from './refill.ts';
import { lastTryAt } from './schedule.ts';

/** How long after a failure storage is asked again. */
export const PAUSE_MS = 1_000;

/** When the queue is to be looked at even if nothing happens to it; undefined while something is to come. */
export function nextLookAt(given: Given, next: DestinationQueue): number | undefined {
  if (isShut(given) && next.ready > 0) return given.at + PAUSE_MS;
  const free = next.isHeld ? Math.min(heldUntil(given, next), given.at + MAX_HOLD_MS) : undefined;
  return earlier(free, nextRefillAt(given, next));
}

/** Who has no share of the destination's limit sends nothing, and so holds nothing. */
export function isShut({ policy }: Given): boolean {
  return policy.perDestination === 0;
}

/**
 * Whether the pace is slower than when what is ready was admitted or asked: beyond twice its room it would be held for long. By less, the
 * next ones of lines pass it, which come with the end of others: of those alone nothing goes back, or other lines would wait for them.
 */
export function isBeyondPace({ policy }: Given, { ready }: Pick<DestinationQueue, 'ready'>): boolean {
  return ready > 2 * policy.queueRoom;
}

/** When the next slot begins, where the destination has slots. */
export function heldUntil({ gapMs = 0 }: Given, { slot }: Pick<DestinationQueue, 'slot'>): number {
  return gapMs === 0 ? -Infinity : freeAt(gapMs, slot);
}

export function earlier(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}

function nextRefillAt(given: Given, queue: DestinationQueue): number | undefined {
  const { policy, at } = given;
  const { refill, idleSince, circuit, dueAt, oldestAt } = queue;
  if (idleSince !== undefined) return idleSince + policy.maxWaitMs;
  if (refill.state === 'paused') return refill.until;
  if (refill.state !== 'none' || dueAt === undefined) return undefined;
  // Without a share nothing is brought; with the next one the queue is told.
  if (isShut(given)) return undefined;
  // What is due while enough is ready is looked for whenever a round starts.
  if (circuit.state === 'closed') return dueAt > at ? dueAt : undefined;
  const lastTry = oldestAt === undefined ? undefined : lastTryAt(policy, oldestAt);
  return circuit.state === 'open' ? earlier(circuit.probeAt, lastTry) : lastTry;
}

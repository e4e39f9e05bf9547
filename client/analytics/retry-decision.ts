import { backoffMs } from './backoff.ts';
import type { Clock } from './clock.ts';
import type { Outcome } from './outcome.ts';
import type { FailureReason } from './result.ts';
import { retryAfterMs } from './retry-after.ts';
import type { Store } from './store.ts';

/** What was already tried for a batch. */
export interface Tries {
  /** Requests made. */
  readonly attempts: number;
  /** Those that count against `maxRetries`: waits that the server asked for do not. */
  readonly retries: number;
  /** Answers that refused it, 429 apart, in a row up to the last request. */
  readonly refusals: number;
  readonly backoffMs: number;
  readonly rateLimitMs: number;
}

/** What of the settings decides. */
export interface RetryPolicy {
  readonly maxRetries: number;
  /** As `maxRetries`, but with a limit also where that has none: for a message refused while others are delivered. */
  readonly maxRefusals: number;
  readonly maxTotalBackoffMs: number;
  readonly maxRateLimitMs: number;
  readonly store: Store | undefined;
  readonly clock: Clock;
  readonly random: () => number;
}

export type Decision =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly cause: string }
  | Retry;

export interface Retry {
  readonly kind: 'retry';
  readonly waitMs: number;
  readonly place: Place;
  readonly cause: string;
  readonly tries: Tries;
}

/**
 * Where a batch waits, and goes on. None: it keeps its turn. `all`: so do all others, as the server asked every request to
 * wait. `first`: in halves, before all others. `behind`: it has waited, and lets all others go before it. `aside`: others go
 * on while it waits, and then it goes in halves, behind them.
 */
export type Place = 'all' | 'first' | 'behind' | 'aside' | undefined;

export const NO_TRIES: Tries = { attempts: 0, retries: 0, refusals: 0, backoffMs: 0, rateLimitMs: 0 };

/** So many refusals in a row may be meant for what is in the batch: others go first, and show whether they are. */
const MANY_REFUSALS = 5;

/** The shortest wait for a `Retry-After`, so that one of 0 makes no tight loop. */
const MIN_HOLD_MS = 1000;

/** The statuses below 500 that are worth a retry, and those from 500 that are not: what senders agree on since 2026. */
const RETRIED_4XX: ReadonlySet<number> = new Set([408, 410, 429, 460]);
const FINAL_5XX: ReadonlySet<number> = new Set([501, 505, 511]);

/**
 * What follows from how a request with so many `messages` ended. `before` is what was tried before it; `overtaken` says
 * whether others were delivered since then.
 */
export function decide(
  outcome: Outcome,
  before: Tries,
  messages: number,
  overtaken: boolean,
  policy: RetryPolicy,
): Decision {
  const tries = { ...before, attempts: before.attempts + 1, refusals: 0 };
  if (outcome.kind === 'unanswered') return backOff(tries, policy, outcome.why);
  const { status } = outcome;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const cause = causeOf(outcome);
  if (status === 413 && messages > 1) return { kind: 'retry', waitMs: 0, place: 'first', cause, tries };
  // 401 to 404 speak of the key or the address: what outlives the process waits until somebody has mended them.
  if (!isRetried(status) && !(policy.store && status > 400 && status < 405)) {
    return { kind: 'failed', reason: status >= 300 && status < 400 ? 'redirected' : 'rejected', cause };
  }
  const asked = retryAfterMs(outcome.retryAfter, policy.clock.now());
  if (asked !== undefined) return hold(tries, policy, cause, asked);
  const refusals = status === 429 ? 0 : before.refusals + 1;
  if (refusals < MANY_REFUSALS) return backOff({ ...tries, refusals }, policy, cause);
  // Against a message counts only what it was refused alone, while others were delivered: an outage refuses all.
  const own = overtaken && messages === 1 ? refusals : MANY_REFUSALS;
  if (!overtaken) return backOff({ ...tries, refusals: own }, policy, cause, 'behind');
  const limits = { ...policy, maxRetries: policy.maxRefusals };
  return backOff({ ...tries, refusals: own, retries: own - 1 }, limits, cause, 'aside');
}

export function isRetried(status: number): boolean {
  return RETRIED_4XX.has(status) || (status >= 500 && status < 600 && !FINAL_5XX.has(status));
}

function backOff(tries: Tries, policy: RetryPolicy, cause: string, place?: Place): Decision {
  const retries = tries.retries + 1;
  if (retries > policy.maxRetries) return { kind: 'failed', reason: 'retries_exhausted', cause };
  const waitMs = backoffMs(retries, policy.random);
  const total = tries.backoffMs + waitMs;
  if (total > policy.maxTotalBackoffMs) return { kind: 'failed', reason: 'time_exhausted', cause };
  return { kind: 'retry', waitMs, place, cause, tries: { ...tries, retries, backoffMs: total } };
}

function hold(tries: Tries, policy: RetryPolicy, cause: string, askedMs: number): Decision {
  const waitMs = Math.max(askedMs, MIN_HOLD_MS);
  const total = tries.rateLimitMs + waitMs;
  if (total > policy.maxRateLimitMs) return { kind: 'failed', reason: 'time_exhausted', cause };
  return { kind: 'retry', waitMs, place: 'all', cause, tries: { ...tries, rateLimitMs: total } };
}

function causeOf(outcome: Extract<Outcome, { kind: 'answered' }>): string {
  return `status ${outcome.status}${outcome.excerpt === '' ? '' : `: ${outcome.excerpt}`}`;
}

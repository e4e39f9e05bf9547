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
  /** Answers that refused it, 429 apart, in a row up to the last request; and parts of one for no answer. */
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

export type Decision = 'delivered' | FailureReason | Retry;

export interface Retry {
  readonly waitMs: number;
  readonly place: Place;
  readonly tries: Tries;
}

/**
 * Where a batch waits, and goes on. None: it keeps its turn. `all`: so do all others, as the server asked every request to
 * wait. `first`: in halves, before all others. `behind`: it has waited, and goes in halves behind all others, until one of them is
 * delivered. `aside`: others go on while it waits, and then it goes in halves, behind them.
 */
export type Place = 'all' | 'first' | 'behind' | 'aside' | undefined;

export const NO_TRIES: Tries = { attempts: 0, retries: 0, refusals: 0, backoffMs: 0, rateLimitMs: 0 };

/** So many refusals in a row may be meant for what is in the batch: others go first, and show whether they are. */
const MANY_REFUSALS = 5;

/** Without an answer it is mostly the way there that is broken, and for all; but some firewalls reset what they take for an attack. */
const SILENCE = 1 / 4;

/** Of all that an outage refused so often: full batches again, of which one that is refused once more is refused for itself. */
export const REFUSED: Tries = { ...NO_TRIES, refusals: MANY_REFUSALS };

/** The shortest wait for a `Retry-After`, so that one of 0 makes no tight loop. */
const MIN_HOLD_MS = 1000;

/** The statuses that are worth a retry: what senders agree on since 2026. */
export const RETRIED = /^(4(08|10|29|60)|5(?!01|05|11)..)$/;

/**
 * What follows from how a request with so many `messages` ended. `before` is what was tried before it; `overtaken` says
 * whether others were delivered since then.
 */
export function decide(
  { status = -1, retryAfter }: Outcome,
  before: Tries,
  messages: number,
  overtaken: boolean,
  policy: RetryPolicy,
): Decision {
  const tries = { ...before, attempts: before.attempts + 1, refusals: 0 };
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 413 && messages > 1) return { waitMs: 0, place: 'first', tries };
  // Others speak of the key, the address or the way to it: what outlives the process waits until somebody has mended them.
  if (status > 0 && !RETRIED.test(String(status)) && !(policy.store && status !== 400 && status !== 413)) {
    return status >= 300 && status < 400 ? 'redirected' : 'rejected';
  }
  const asked = retryAfterMs(retryAfter, policy.clock.now());
  if (asked !== undefined) {
    const retry = { waitMs: Math.max(asked, MIN_HOLD_MS), place: 'all', tries } as const;
    // Without an answer nobody asked but a browser that is offline, and that counts against no limit.
    return status < 0 ? retry : within(retry, 'rateLimitMs', policy.maxRateLimitMs);
  }
  if (status !== 429) tries.refusals = before.refusals + (status < 0 ? SILENCE : 1);
  if (tries.refusals < MANY_REFUSALS) return backOff(tries, policy);
  // Against a message counts only what it was refused alone, while others were delivered: an outage refuses all.
  if (!overtaken || messages > 1) tries.refusals = MANY_REFUSALS;
  if (!overtaken) return backOff(tries, policy, 'behind');
  return backOff({ ...tries, retries: tries.refusals - 1 }, policy, 'aside', policy.maxRefusals);
}

function backOff(tries: Tries, policy: RetryPolicy, place?: Place, maxRetries = policy.maxRetries): Decision {
  const retries = tries.retries + 1;
  if (retries > maxRetries) return 'retries_exhausted';
  const waitMs = backoffMs(retries, policy.random);
  return within({ waitMs, place, tries: { ...tries, retries } }, 'backoffMs', policy.maxTotalBackoffMs);
}

/** One more wait, as long as all of its kind are within their limit. */
function within(retry: Retry, kind: 'backoffMs' | 'rateLimitMs', mostMs: number): Decision {
  const total = retry.tries[kind] + retry.waitMs;
  return total > mostMs ? 'time_exhausted' : { ...retry, tries: { ...retry.tries, [kind]: total } };
}

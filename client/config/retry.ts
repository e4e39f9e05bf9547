import type { Method } from './call.ts';

/** How often, and after which waits, a request is sent again. */
export interface RetryPolicy {
  /** How many times a request is repeated after its first attempt; 0 repeats none. */
  readonly maxRetries: number;
  /** The wait before the first repetition, in milliseconds; it doubles from one to the next. */
  readonly firstWaitMs: number;
  /** No wait is longer, in milliseconds. A `Retry-After` beyond it is neither waited for nor cut short: the request fails. */
  readonly longestWaitMs: number;
}

/** The rate limit's window is a minute (S 8.1), so by default any `Retry-After` of the router is waited for. */
export const STANDARD_RETRY: RetryPolicy = { maxRetries: 4, firstWaitMs: 500, longestWaitMs: 60_000 };

export interface RefusedAttempt {
  readonly method: Method;
  readonly status: number;
  /** What `Retry-After` asks for. */
  readonly retryAfterMs: number | undefined;
  /** How many repetitions there were before. */
  readonly retries: number;
}

/**
 * How long to wait before the request is sent again, in milliseconds; undefined when it is not. A 429 was refused before
 * anything was done, so it is always safe to repeat. A 503 may stand for a change that was made and not confirmed, so
 * only requests that may be made twice are repeated: a repeated create could make a second tracking plan or access token.
 */
export function retryWaitMs(policy: RetryPolicy, attempt: RefusedAttempt, random: () => number): number | undefined {
  const { method, status, retryAfterMs, retries } = attempt;
  const repeatable = status === 429 || (status === 503 && method !== 'post');
  if (!repeatable || retries >= policy.maxRetries) return undefined;
  if (retryAfterMs !== undefined && retryAfterMs > policy.longestWaitMs) return undefined;
  if (retryAfterMs !== undefined && retryAfterMs > 0) return retryAfterMs;
  const ceiling = Math.min(policy.longestWaitMs, policy.firstWaitMs * 2 ** retries);
  return (ceiling / 2) * (1 + random());
}

/** Milliseconds that a `Retry-After` asks for, as seconds or as an HTTP date; undefined when it says nothing sensible. */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Date.parse alone would take `-5` or `1.5` for years.
  const date = /^[A-Za-z]{3,9}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

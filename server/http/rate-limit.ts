import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';

/** What is left to somebody after a request was counted. */
export interface Allowance {
  /** False: this request is one too many. */
  readonly isWithin: boolean;
  /** Requests in a window. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until all of them are there again, rounded up: who waits so long does not come too early. */
  readonly resetS: number;
}

/**
 * Counts requests by whoever sent them, in windows of a minute that begin with the first request. Asynchronous, so that
 * several routers can share one count.
 */
export interface RateLimit {
  take(key: string): Promise<Allowance>;
}

const WINDOW_S = 60;

/** So many requests a minute for each key, counted in this process. */
export function createMemoryRateLimit(limit: number): RateLimit {
  return createRateLimit(new RateLimiterMemory({ points: limit, duration: WINDOW_S }));
}

/** Any limiter of the library will do: those on a shared store count for several routers at once. */
function createRateLimit(limiter: RateLimiterAbstract): RateLimit {
  return {
    async take(key) {
      try {
        return allowance(limiter, await limiter.consume(key), true);
      } catch (refused) {
        // The library rejects with the same kind of result when there are too many, and with an Error when it broke.
        if (refused instanceof RateLimiterRes) return allowance(limiter, refused, false);
        throw refused;
      }
    },
  };
}

function allowance(limiter: RateLimiterAbstract, result: RateLimiterRes, isWithin: boolean): Allowance {
  // The library counts the window by a timer, and only this figure by the wall, which may have been set back meanwhile.
  const resetS = Math.min(Math.max(1, Math.ceil(result.msBeforeNext / 1_000)), WINDOW_S);
  return { isWithin, limit: limiter.points, remaining: result.remainingPoints, resetS };
}

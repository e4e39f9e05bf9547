import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { createBounded } from '../losses/bounded.ts';
import type { Clock } from '../ports/clock.ts';
import type { SharedState, Taken } from '../storage/shared-state.ts';
import type { Allowance, RateLimit } from './allowance.ts';

const WINDOW_S = 60;

/**
 * So many requests a minute for each key, counted by all routers of a storage together. Those of the library compare the
 * clocks of their processes, and those of routers differ; the storage counts by its own.
 */
export function createSharedRateLimit(
  limit: number,
  { shared, clock }: { readonly shared: Pick<SharedState, 'take'>; readonly clock: Pick<Clock, 'steady'> },
): RateLimit {
  // Until when keys are refused: whoever goes on asking costs the storage nothing.
  const refused = createBounded<number>(REFUSED_BYTES);
  return {
    async take(key, times = 1) {
      const most = times * limit;
      const waitMs = (refused.get(key) ?? -Infinity) - clock.steady();
      if (waitMs > 0) return allowanceOf(most, { count: most + 1, endsInMs: waitMs });
      const taken = await shared.take({ key, windowMs: WINDOW_S * 1_000 });
      if (taken.count > most) refused.put(key, clock.steady() + taken.endsInMs, ENTRY_BYTES + 2 * key.length);
      return allowanceOf(most, taken);
    },
  };
}

const REFUSED_BYTES = 1_000_000;
const ENTRY_BYTES = 200;

/** So many requests a minute for each key, counted in this process. */
export function createMemoryRateLimit(limit: number): RateLimit {
  const limiter = new RateLimiterMemory({ points: limit, duration: WINDOW_S });
  const consume = (key: string): Promise<RateLimiterRes> =>
    limiter.consume(key).catch((refused: unknown) => {
      // The library rejects with the same kind of result when there are too many, and with an Error when it broke.
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    });
  return {
    async take(key, times = 1) {
      // What the library would refuse is counted on.
      const { consumedPoints: count, msBeforeNext: endsInMs } = await consume(key);
      return allowanceOf(times * limit, { count, endsInMs });
    },
  };
}

function allowanceOf(limit: number, { count, endsInMs }: Taken): Allowance {
  // The library counts the window by a timer, and only this figure by the wall, which may have been set back meanwhile.
  const resetS = Math.min(Math.max(1, Math.ceil(endsInMs / 1_000)), WINDOW_S);
  return { isWithin: count <= limit, limit, remaining: Math.max(0, limit - count), resetS };
}

import type { Context } from 'koa';
import { ApiError } from '../http/errors.ts';
import type { Allowance } from '../http/rate-limit.ts';

/** Tells a client what is left to it (D-9); `X-RateLimit-Reset` is in seconds from now, like `Retry-After`. */
export function showAllowance(ctx: Context, { limit, remaining, resetMs }: Allowance): void {
  ctx.set('X-RateLimit-Limit', String(limit));
  ctx.set('X-RateLimit-Remaining', String(remaining));
  ctx.set('X-RateLimit-Reset', String(wholeSeconds(resetMs)));
}

/** The refusal of a request that is one too many (CFG-17). */
export function tooMany(ctx: Context, { limit, resetMs }: Allowance, what: string): ApiError {
  ctx.set('Retry-After', String(wholeSeconds(resetMs)));
  return new ApiError(
    'ResourceExhausted',
    `${what}: ${limit} a minute are taken, try again in ${wholeSeconds(resetMs)} s`,
  );
}

/** Rounded up: who waits so long does not come too early. */
function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}

import type { Context } from 'koa';
import type { ClientAddresses } from '../http/client-addresses.ts';
import { ApiError } from '../http/errors.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { showAllowance, tooMany } from './rate-headers.ts';

export interface IdentifyOptions {
  readonly store: ConfigStore;
  /** Requests are not counted without one. */
  readonly rateLimit?: RateLimit | undefined;
  readonly addresses: ClientAddresses;
}

/**
 * Who sends a request: the first checks of D-5. Throws Unauthenticated (CFG-12) or ResourceExhausted (CFG-17). Failures
 * to authenticate are counted by address; a good token is never refused for what others at its address got wrong, since
 * they may share a proxy.
 */
export async function identify(ctx: Context, options: IdentifyOptions): Promise<Caller> {
  const caller = await authenticated(ctx, options);
  const allowance = await options.rateLimit?.take(caller.token.name);
  if (allowance === undefined) return caller;
  showAllowance(ctx, allowance);
  if (!allowance.isWithin) throw tooMany(ctx, allowance, 'this token has sent too many requests');
  return caller;
}

async function authenticated(ctx: Context, { store, rateLimit, addresses }: IdentifyOptions): Promise<Caller> {
  try {
    return await authenticate(ctx.get('authorization') || undefined, store);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const allowance = await rateLimit?.take(`address ${addresses.forLimits(ctx.req)}`);
    if (allowance?.isWithin === false)
      throw tooMany(ctx, allowance, 'this address has failed to authenticate too often');
    ctx.set('WWW-Authenticate', 'Bearer');
    throw error;
  }
}

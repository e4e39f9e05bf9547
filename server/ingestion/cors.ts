import type { Middleware } from 'koa';

/** A day; browsers that allow less cut it down. */
const MAX_AGE_S = '86400';

/** What a page may read of an answer beside its body: without it a library cannot see how long to wait. */
const EXPOSED = 'Retry-After, X-RateLimit-Reset';

const USUAL_HEADERS = 'authorization, content-type, x-retry-count';

/**
 * Lets pages of every origin call, with credentials and whatever headers their settings add. Nothing is given away by
 * it: a call is known by its write key alone, never by a cookie, and the keys of pages are public.
 */
export const allowAllOrigins: Middleware = async (ctx, next) => {
  ctx.vary('Origin');
  const origin = ctx.get('origin');
  if (origin !== '') {
    // With credentials a browser takes no `*`, so the origin is said back.
    ctx.set('Access-Control-Allow-Origin', origin);
    ctx.set('Access-Control-Allow-Credentials', 'true');
    ctx.set('Access-Control-Expose-Headers', EXPOSED);
  }
  if (ctx.method !== 'OPTIONS') return next();
  ctx.vary('Access-Control-Request-Headers');
  ctx.set('Access-Control-Allow-Methods', 'GET, HEAD, POST, OPTIONS');
  ctx.set('Access-Control-Allow-Headers', ctx.get('access-control-request-headers') || USUAL_HEADERS);
  ctx.set('Access-Control-Max-Age', MAX_AGE_S);
  ctx.status = 200;
  ctx.body = '';
};

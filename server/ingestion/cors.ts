import { type Answer, EMPTY, type Headers } from '../http/answer.ts';
import type { Asked } from '../http/asked.ts';

/** A day; browsers that allow less cut it down. */
const MAX_AGE_S = '86400';

/** What a page may read of an answer beside its body: without it a library cannot see how long to wait. */
const EXPOSED = 'Retry-After, X-RateLimit-Reset';

const USUAL_HEADERS = 'authorization, content-type, x-retry-count';

const OF_ALL: Headers = { Vary: 'Origin' };

/**
 * Lets pages of every origin call, with credentials and whatever headers their settings add. Nothing is given away by
 * it: a call is known by its write key alone, never by a cookie, and the keys of pages are public.
 */
export function originHeaders(asked: Asked): Headers {
  const origin = asked.get('origin');
  if (origin === '') return OF_ALL;
  return {
    ...OF_ALL,
    // With credentials a browser takes no `*`, so the origin is said back.
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': EXPOSED,
  };
}

/** What a browser asks before it lets a page call. */
export function preflight(asked: Asked): Answer {
  const headers = {
    Vary: 'Origin, Access-Control-Request-Headers',
    'Access-Control-Allow-Methods': 'GET, HEAD, POST, OPTIONS',
    'Access-Control-Allow-Headers': asked.get('access-control-request-headers') || USUAL_HEADERS,
    'Access-Control-Max-Age': MAX_AGE_S,
  };
  return { ...EMPTY, headers };
}

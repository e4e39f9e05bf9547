import type { Context, Middleware } from 'koa';
import { KeyTaken, StoreUnavailable } from '../storage/config-store.ts';
import { NotAMember, OutcomeUnknown, StaleRouting, StorageUnusable } from '../storage/errors.ts';
import type { Log } from '../ports/log.ts';
import { ApiError } from './errors.ts';

/**
 * Turns whatever was thrown below into an answer. What is unknown becomes Internal, and its cause stays here (CFG-18). A
 * method that nobody serves is a mistake of who asks, mostly of scanners, and no failure of this router.
 */
export function answerErrors(log: Log, bodyOf: (error: ApiError) => object): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = toApiError(thrown);
      if (error.status >= 500 && error.failure !== 'Unimplemented') logFailure(log, ctx, error);
      if (error.retryAfterS !== undefined) showRetryAfter(ctx, error.retryAfterS);
      if (error.endsConnection) ctx.set('Connection', 'close');
      ctx.status = error.status;
      ctx.body = bodyOf(error);
    }
  };
}

/** A store may write again with the next request; as short as whole seconds allow. */
const RETRY_AFTER_S = 1;

export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const unavailable = whyUnavailable(thrown);
  if (unavailable !== undefined) {
    return new ApiError('Unavailable', unavailable, { cause: thrown, retryAfterS: RETRY_AFTER_S });
  }
  if (thrown instanceof KeyTaken) {
    return new ApiError('AlreadyExists', 'a source with this write key already exists', { cause: thrown });
  }
  return new ApiError('Internal', 'error while processing the request', { cause: thrown });
}

function whyUnavailable(thrown: unknown): string | undefined {
  if (thrown instanceof StaleRouting) return 'the configuration changes too fast; nothing was stored, try again';
  if (thrown instanceof StoreUnavailable) return 'the store cannot write now; nothing was changed, try again';
  if (thrown instanceof StorageUnusable) return 'this router cannot use its store; its log says why';
  if (thrown instanceof NotAMember) return 'this router is no member of its store now; nothing was stored, try again';
  if (thrown instanceof OutcomeUnknown)
    return 'the store did not answer; it may have been changed: look, then try again';
  return undefined;
}

/** Old SDKs read the second of the two; where requests are counted, it already says when they are counted anew (D-9). */
function showRetryAfter(ctx: Context, seconds: number): void {
  ctx.set('Retry-After', String(seconds));
  if (!ctx.res.hasHeader('X-RateLimit-Reset')) ctx.set('X-RateLimit-Reset', String(seconds));
}

function logFailure(log: Log, ctx: Context, error: ApiError): void {
  const { cause } = error;
  const reason = cause instanceof Error ? (cause.stack ?? cause.message) : error.message;
  log.error({ method: ctx.method, path: ctx.path, status: error.status, reason }, 'request failed');
}

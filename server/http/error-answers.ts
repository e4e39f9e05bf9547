import type { Middleware } from 'koa';
import { HomeFull, KeyTaken, StoreUnavailable } from '../storage/config-store.ts';
import { NotAMember, OutcomeUnknown, StaleRouting, StorageUnusable } from '../storage/errors.ts';
import type { Log } from '../ports/log.ts';
import type { Headers } from './answer.ts';
import type { Asked } from './asked.ts';
import { ApiError, writeKeyTaken } from './errors.ts';

/**
 * Turns whatever was thrown below into an answer. What is unknown becomes Internal, and its cause stays here (CFG-18). A
 * method that nobody serves is a mistake of who asks, mostly of scanners, and no failure of this router.
 */
export function answerErrors(log: Log, bodyOf: (error: ApiError) => object): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = failureOf(thrown, log, ctx);
      for (const [name, value] of Object.entries(headersOf(error))) if (!ctx.res.hasHeader(name)) ctx.set(name, value);
      ctx.status = error.status;
      ctx.body = bodyOf(error);
    }
  };
}

/** The error that is answered, once those who run this router have been told of what is theirs to mend. */
export function failureOf(thrown: unknown, log: Log, asked: Pick<Asked, 'method' | 'path'>): ApiError {
  const error = toApiError(thrown);
  if (error.status >= 500 && error.failure !== 'Unimplemented') logFailure(log, asked, error);
  return error;
}

/** What a failure says in headers. Old SDKs read the second; where requests are counted, it already says when they are counted anew (D-9). */
export function headersOf({ retryAfterS, endsConnection }: ApiError): Headers {
  const seconds = String(retryAfterS);
  return {
    ...(retryAfterS === undefined ? {} : { 'Retry-After': seconds, 'X-RateLimit-Reset': seconds }),
    ...(endsConnection ? { Connection: 'close' } : {}),
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
  if (thrown instanceof KeyTaken) return writeKeyTaken({ cause: thrown });
  if (thrown instanceof HomeFull) return new ApiError('InvalidArgument', thrown.message, { cause: thrown });
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

function logFailure(log: Log, { method, path }: Pick<Asked, 'method' | 'path'>, error: ApiError): void {
  log.error({ method, path, status: error.status, reason: reasonOf(error) }, 'request failed');
}

/** Only what nobody foresaw shows where it is; of a store that cannot write, its words say more than the way to them. */
function reasonOf({ cause, message, failure }: ApiError): string {
  if (!(cause instanceof Error)) return message;
  return failure === 'Internal' ? (cause.stack ?? cause.message) : cause.message;
}

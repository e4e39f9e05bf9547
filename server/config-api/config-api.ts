import type { Context, Middleware } from 'koa';
import type { operations } from '../../generated/config-api.d.ts';
import { loadDocument, type Operation } from '../http/document.ts';
import { answerErrors } from '../http/error-answers.ts';
import { ApiError } from '../http/errors.ts';
import { createOperationsRouter } from '../http/operations-router.ts';
import type { Log } from '../ports/log.ts';
import { accessTokenHandlers } from './access-tokens/handlers.ts';
import { authenticate } from './authenticate.ts';
import { type Caller, canWrite } from './caller.ts';
import { destinationHandlers } from './destinations/handlers.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { sourceHandlers } from './sources/handlers.ts';
import { trackingPlanHandlers } from './tracking-plans/handlers.ts';
import { workspaceHandlers } from './workspaces/handlers.ts';

export interface ConfigApiOptions extends Env {
  readonly log: Log;
}

/** Tracking plans are the largest bodies; plans of a thousand events stay below this. */
const BODY_LIMIT = { bytes: 4 * 1024 * 1024, failure: 'InvalidArgument' } as const;

/**
 * Serves everything below `/v1beta`, and passes on the rest. Checks in the order of D-5: token, path and method, scope,
 * query and body, resource, conflict.
 */
export function createConfigApi({ store, clock, log }: ConfigApiOptions): Middleware {
  const callers = new WeakMap<object, Caller>();
  const router = createOperationsRouter<operations, Caller>({
    document: loadDocument('config-api'),
    handlers: handlersOf({ store, clock }),
    bodyLimit: BODY_LIMIT,
    guard: (ctx, operation) => permit(callers.get(ctx.req), operation),
  });
  const serve = router.routes();
  const answer = answerErrors(log, ({ message, code }) => ({ error: message, code }));
  return async (ctx, next) => {
    const path = tidy(ctx.path);
    if (path !== '/v1beta' && !path.startsWith('/v1beta/')) return next();
    await answer(ctx, async () => {
      ctx.path = path;
      callers.set(ctx.req, await identify(ctx, { store }));
      // The router asks for a context with these two, and fills them itself.
      await serve(Object.assign(ctx, { params: {}, router }), () => Promise.reject(noSuchMethod(ctx)));
      logChange(log, ctx, callers.get(ctx.req));
    });
  };
}

function handlersOf(env: Env): ConfigHandlers {
  return {
    ...accessTokenHandlers(env),
    ...workspaceHandlers(env),
    ...sourceHandlers(env),
    ...destinationHandlers(env),
    ...trackingPlanHandlers(env),
  };
}

/** Clients send doubled slashes and one at the end (D-6). */
function tidy(path: string): string {
  return path.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
}

async function identify(ctx: Context, { store }: Pick<Env, 'store'>): Promise<Caller> {
  try {
    return await authenticate(ctx.get('authorization') || undefined, store);
  } catch (error) {
    if (error instanceof ApiError) ctx.set('WWW-Authenticate', 'Bearer');
    throw error;
  }
}

function permit(caller: Caller | undefined, { scopes }: Operation): Caller {
  if (caller === undefined) throw new Error('a request reached the router without a caller');
  if (!scopes.includes('write') || canWrite(caller.token)) return caller;
  throw new ApiError('PermissionDenied', 'insufficient scope: this needs a token with the scope "workspace"');
}

function noSuchMethod(ctx: Context): ApiError {
  return new ApiError('NotFound', `${ctx.method} ${ctx.path} is not a method of this API`);
}

/** Who changed what: one line for each change that was made. */
function logChange(log: Log, ctx: Context, caller: Caller | undefined): void {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return;
  log.info({ method: ctx.method, path: ctx.path, by: caller?.token.name }, 'configuration changed');
}

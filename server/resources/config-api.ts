import type { Context, Middleware } from 'koa';
import type { operations } from '../../generated/config-api.d.ts';
import { type ClientAddresses, createClientAddresses } from '../http/client-addresses.ts';
import { METHODS } from '../http/document.ts';
import { answerErrors } from '../http/error-answers.ts';
import { ApiError } from '../http/errors.ts';
import { createOperationsRouter } from '../http/operations-router.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { Log } from '../ports/log.ts';
import { acceptedEventHandlers } from './accepted-events.ts';
import { accessTokenHandlers, createLastUse } from './access-tokens.ts';
import { type Caller, canWrite, identify } from './callers.ts';
import { audienceHandlers } from './audiences.ts';
import { audienceMemberHandlers } from './audience-members.ts';
import { catalogHandlers } from './catalog.ts';
import { computedTraitHandlers } from './computed-traits.ts';
import { syncHandlers } from './computed-syncs.ts';
import { deliveryHandlers } from './deliveries.ts';
import { destinationHandlers } from './destinations.ts';
import { entityTag } from './entity-tag.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { filterPreviewHandlers } from './filter-preview.ts';
import { filterHandlers } from './filters.ts';
import { createLenientBody } from './lenient-body.ts';
import { liveEventHandlers } from './live-events.ts';
import { lossHandlers } from './losses.ts';
import { metricHandlers } from './metrics.ts';
import { createRedaction } from './redaction.ts';
import { nodeHandlers } from './nodes.ts';
import { profileHandlers } from './profiles.ts';
import { regulationHandlers } from './regulations.ts';
import { replayHandlers } from './replays.ts';
import { secretRotationHandlers } from './secret-rotations.ts';
import { sourceConnectionHandlers } from './source-connections.ts';
import { sourceHandlers } from './sources.ts';
import { trackingPlanHandlers } from './tracking-plans.ts';
import { announce, type ApiVersion, v1beta } from './version.ts';
import { workspaceHandlers } from './workspaces.ts';

export interface ConfigApiOptions extends Env {
  readonly log: Log;
  /** Requests of each token, and failures of each address to authenticate; not counted without one (D-9). */
  readonly rateLimit?: RateLimit | undefined;
  /** Trusts no proxy when not given. */
  readonly addresses?: ClientAddresses;
  /** `/v1beta` when not given; a further version is another Config API beside this one (CFG-24). */
  readonly version?: ApiVersion;
}

/** Tracking plans are the largest bodies; plans of a thousand events stay below this. */
const BODY_LIMIT = { bytes: 4 * 1024 * 1024, failure: 'InvalidArgument' } as const;

/**
 * Serves everything below the prefix of its version, and passes on the rest. Checks in the order of D-5: token, rate, path and method,
 * scope, query and body, resource, conflict.
 */
export function createConfigApi(options: ConfigApiOptions): Middleware {
  const { log, rateLimit, addresses = createClientAddresses([]), version = v1beta(), ...env } = options;
  const callers = new WeakMap<object, Caller>();
  const { document, prefix, deprecation } = version;
  const redacted = createRedaction(document);
  const router = createOperationsRouter<operations, Caller>({
    document,
    readBody: createLenientBody(document),
    handlers: handlersOf(env),
    bodyLimit: BODY_LIMIT,
    guard: ({ req }, { scopes }) => {
      const caller = callers.get(req);
      if (caller === undefined) throw new Error('a request reached the router without a caller');
      if (!scopes.includes('write') || canWrite(caller.token)) return caller;
      throw new ApiError('PermissionDenied', 'insufficient scope: this needs a token with the scope "workspace"');
    },
    show: (ctx, operation, answer, caller) => {
      if (operation.scopes.includes('write')) logChange(log, ctx, caller);
      const shown = canWrite(caller.token) ? answer : redacted(answer, operation);
      // What is redacted does not show the state that a change would be decided on, and its tag would let secrets be guessed.
      const isWhole = shown === answer && typeof answer === 'object' && answer !== null;
      // A page has no tag: nobody updates a page.
      if (isWhole && 'name' in answer) ctx.set('ETag', entityTag(answer));
      return shown;
    },
  });
  const serve = router.routes();
  const noteUse = createLastUse(env, log);
  const answer = answerErrors(log, ({ message, code }) => ({ error: message, code }));
  return async (ctx, next) => {
    const path = tidy(ctx.path);
    if (path !== prefix && !path.startsWith(`${prefix}/`)) return next();
    if (deprecation !== undefined) announce(ctx, deprecation);
    await answer(ctx, async () => {
      ctx.path = path;
      const caller = await identify(ctx, { store: env.store, rateLimit, addresses });
      noteUse(caller.token);
      callers.set(ctx.req, caller);
      // The router asks for a context with these two, and fills them itself.
      await serve(Object.assign(ctx, { params: {}, router }), () => Promise.reject(noSuchMethod(ctx)));
    });
  };
}

/** Total: an operation of the document without a handler does not compile. */
function handlersOf(env: Env): ConfigHandlers {
  return {
    ...accessTokenHandlers(env),
    ...workspaceHandlers(env),
    ...sourceHandlers(env),
    ...destinationHandlers(env),
    ...secretRotationHandlers(env),
    ...deliveryHandlers(env),
    ...replayHandlers(env),
    ...metricHandlers(env),
    ...trackingPlanHandlers(env),
    ...sourceConnectionHandlers(env),
    ...filterHandlers(env),
    ...filterPreviewHandlers(env),
    ...audienceHandlers(env),
    ...audienceMemberHandlers(env),
    ...computedTraitHandlers(env),
    ...syncHandlers(env),
    ...profileHandlers(env),
    ...regulationHandlers(env),
    ...catalogHandlers(),
    ...acceptedEventHandlers(env),
    ...liveEventHandlers(env),
    ...lossHandlers(env),
    ...nodeHandlers(env),
  };
}

/** Clients send doubled slashes and one at the end (D-6). */
function tidy(path: string): string {
  return path.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
}

/** HTTP knows more methods than this API has anywhere (CFG-19); one that it has elsewhere is a 404 here (CFG-15). */
function noSuchMethod({ method, path }: Context): ApiError {
  const isKnown = ['HEAD', ...METHODS.map((name) => name.toUpperCase())].includes(method);
  return isKnown
    ? new ApiError('NotFound', `${method} ${path} is not a method of this API`)
    : new ApiError('Unimplemented', `${method} is not implemented by this API`);
}

/** Who changed what: one line for each change that was made. */
function logChange(log: Log, ctx: Context, caller: Caller): void {
  log.info({ method: ctx.method, path: ctx.path, by: caller.token.name }, 'configuration changed');
}

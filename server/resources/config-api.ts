import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import type { operations } from '../../generated/config-api.d.ts';
import { RestingQueues } from '../fairness/resting-queues.ts';
import { type ClientAddresses, createClientAddresses } from '../http/client-addresses.ts';
import type { Admission } from '../http/admission.ts';
import type { Operation } from '../http/document.ts';
import { answerErrors } from '../http/error-answers.ts';
import { ApiError } from '../http/errors.ts';
import { createOperationsRouter } from '../http/operations-router.ts';
import type { UnreadAnswers } from '../http/unread-answers.ts';
import type { RateLimit } from '../http/allowance.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { createLastUse } from './access-tokens.ts';
import { type Caller, holderOf, identify, requireScope, requireWithin } from './callers.ts';
import { auditedHandlers } from './audited.ts';
import type { Env } from './env.ts';
import { createLenientBody, tidy } from './lenient-input.ts';
import { type Answers, createAnswers, noSuchMethod, type ShownAnswer } from './answers.ts';
import { announce, type ApiVersion, v1beta } from './version.ts';

export interface ConfigApiOptions extends Env {
  readonly log: Log;
  /** Requests of each token, and failures of each address to authenticate; not counted without one (D-9). */
  readonly rateLimit?: RateLimit | undefined;
  /** What may be under way at once; anything when not given. */
  readonly admission?: Admission;
  /** What may be answered and not read yet; anything when not given. */
  readonly unread?: UnreadAnswers;
  /** Trusts no proxy when not given. */
  readonly addresses?: ClientAddresses;
  /** `/v1beta` when not given; a further version is another Config API beside this one (CFG-24). */
  readonly version?: ApiVersion;
}

/** Tracking plans are the largest bodies; plans of a thousand events stay below this. */
const BODY_LIMIT = { bytes: 4 * 1024 * 1024, values: 250_000, failure: 'InvalidArgument' } as const;
/** With less memory for bodies, the largest would never be read: compressed, it is counted as it comes and inflated. */
export const LEAST_BODY_MEMORY = 3 * BODY_LIMIT.bytes;

/**
 * Serves everything below the prefix of its version, and passes on the rest. Checks in the order of D-5: token, rate, path and method,
 * scope, query and body, resource, conflict.
 */
export function createConfigApi(options: ConfigApiOptions): Middleware {
  const { addresses = createClientAddresses([]), version = v1beta(), ...given } = options;
  const { log, rateLimit, admission, unread, ...env } = given;
  const callers = new WeakMap<object, Caller>();
  /** Each of one request. */
  const idle = new WeakSet<Caller>();
  const { document, validation, prefix, deprecation } = version;
  const serve = createOperationsRouter<operations, Caller>({
    document,
    validation,
    readBody: createLenientBody(document),
    handlers: auditedHandlers(env, (caller) => void idle.add(caller)),
    ...boundsOf(env, admission),
    guard: ({ req, params }, operation) => {
      const caller = callers.get(req);
      if (caller === undefined) throw new Error('a request reached the router without a caller');
      requireWithin(caller, operation, params);
      requireScope(operation, caller);
      return caller;
    },
    show: showing({ log, unread, answers: createAnswers(document), making: new RestingQueues(env.clock), idle }),
  });
  const noteUse = createLastUse(env, log);
  const answer = answerErrors(log, ({ message, code }) => ({ error: message, code }));
  return async (ctx, next) => {
    const path = tidy(ctx.path);
    if (path !== prefix && !path.startsWith(`${prefix}/`)) return next();
    // Answers hold secrets: no cache of a browser or proxy keeps one on its disk.
    ctx.set('Cache-Control', 'no-store');
    if (deprecation !== undefined) announce(ctx, deprecation);
    await answer(ctx, async () => {
      if (path !== ctx.path) ctx.path = path;
      const caller = await identify(ctx, { store: env.store, rateLimit, addresses });
      noteUse(caller.token);
      callers.set(ctx.req, caller);
      await serve(ctx, () => Promise.reject(noSuchMethod(ctx)));
    });
  };
}

interface Showing extends Pick<ConfigApiOptions, 'log'> {
  readonly unread: UnreadAnswers | undefined;
  readonly answers: Answers;
  /** Large answers of each holder are made one after the other, with rests between. */
  readonly making: RestingQueues;
  /** Callers that changed nothing. */
  readonly idle: WeakSet<Caller>;
}

/** Answers what the caller may see, where there is room for it, and logs what was changed. */
function showing({ log, unread, answers, making, idle }: Showing) {
  return (ctx: Context, operation: Operation, answer: unknown, caller: Caller): Shown | Promise<Shown> => {
    const hasChanged = operation.scopes.includes('write') && !idle.has(caller);
    if (hasChanged) logChange(log, ctx, caller);
    if (answer instanceof Readable) return answer;
    const holder = holderOf(caller);
    const keep = ({ text, tag }: ShownAnswer): string | Buffer => {
      const body = unread?.keep(text, { holder, request: ctx, hasChanged }) ?? text;
      if (tag !== undefined) ctx.set('ETag', tag);
      return body;
    };
    if (!answers.isLarge(answer)) return keep(answers.show(operation, answer, caller));
    const make = async () => (ctx.res.destroyed ? '' : keep(await answers.showInParts(operation, answer, caller)));
    return making.run(make, holder.id);
  };
}

type Shown = string | Buffer | Readable;

/** What bodies may take, together and of each holder. */
function boundsOf({ clock }: Pick<Env, 'clock'>, admission: Admission | undefined) {
  const read = pacedReading(clock);
  return {
    bodyLimit: BODY_LIMIT,
    ...(admission && { enter: (caller: Caller) => admission.enter(holderOf(caller)) }),
    pace: <Body>(caller: Caller, bytes: number, body: () => Body) => read(holderOf(caller).id, bytes, body),
  };
}

/** A body from this size on may take a good part of a second to be read. */
const LARGE_BODY = 65_536;
/** Large bodies of one holder that are read or wait: as many as Terraform sends at once. */
export const MOST_LARGE = 10;

/** Large bodies of each holder are read one after the other, with rests between; one that is too many throws ResourceExhausted. */
export function pacedReading(clock: Pick<Clock, 'steady' | 'sleep'>) {
  const queues = new RestingQueues(clock);
  return <Body>(holder: string, bytes: number, read: () => Body): Body | Promise<Body> => {
    if (bytes < LARGE_BODY) return read();
    if (queues.works(holder) < MOST_LARGE) return queues.run(read, holder);
    const what = `more than ${MOST_LARGE} requests with large bodies at once`;
    throw new ApiError('ResourceExhausted', `${what}: send them one after the other`, { retryAfterS: 1 });
  };
}

/** Who changed what: one line for each change that was made. */
function logChange(log: Log, ctx: Context, caller: Caller): void {
  log.info({ method: ctx.method, path: ctx.path, by: caller.token.name }, 'configuration changed');
}

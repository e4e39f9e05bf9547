import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { operations } from '../../generated/config-api.d.ts';
import { createAddresses } from '../http/addresses.ts';
import { type Answer, type Headers, JSON_TYPE, jsonAnswer, send } from '../http/answer.ts';
import { type Front, refuseWhen } from '../http/application.ts';
import { PlainRequest } from '../http/asked.ts';
import { type ClientAddresses, createClientAddresses } from '../http/client-addresses.ts';
import type { Operation } from '../http/document.ts';
import { failureOf, headersOf } from '../http/error-answers.ts';
import type { RateLimit } from '../http/allowance.ts';
import type { Log } from '../ports/log.ts';
import { createLastUse } from './access-tokens.ts';
import { type Caller, identify } from './callers.ts';
import { auditedHandlers } from './audited.ts';
import type { Env } from './env.ts';
import { requireWithin } from './limited-tokens.ts';
import { createLenientBody } from './lenient-body.ts';
import { createShow, noSuchMethod, requireScope, tidy } from './rules-of-all.ts';
import { announced, type ApiVersion, v1beta } from './version.ts';

export interface ConfigApiOptions extends Env {
  readonly log: Log;
  /** Requests of each token, and failures of each address to authenticate; not counted without one (D-9). */
  readonly rateLimit?: RateLimit | undefined;
  /** Trusts no proxy when not given. */
  readonly addresses?: ClientAddresses;
  /** `/v1beta` when not given; a further version is another Config API beside this one (CFG-24). */
  readonly version?: ApiVersion;
  /** Aborted from the moment the router begins to stop; it never does where not given. */
  readonly stopping?: Pick<AbortSignal, 'aborted'>;
}

/** Tracking plans are the largest bodies; plans of a thousand events stay below this. */
const BODY_LIMIT = { bytes: 4 * 1024 * 1024, failure: 'InvalidArgument' } as const;

/** A request on its way. */
class ConfigRequest extends PlainRequest {
  /** Of the answer, whatever it will be. */
  readonly answerHeaders: Record<string, string>;
  /** Once it is known. */
  caller: Caller | undefined;

  constructor(request: IncomingMessage, headers: Headers) {
    super(request);
    this.path = tidy(this.path);
    this.answerHeaders = { ...headers };
  }
}

/**
 * Answers everything below the prefix of its version by itself, without the web application that serves the pages; false for the
 * address of somebody else. Checks in the order of D-5: token, rate, path and method, scope, query and body, resource, conflict.
 */
export function createConfigApi(options: ConfigApiOptions): Front {
  const { version = v1beta(), log } = options;
  const { prefix, deprecation } = version;
  const ofAll = deprecation === undefined ? {} : announced(deprecation);
  const perform = createPerform(options, version);
  const answer = async (request: ConfigRequest): Promise<Answer> => {
    try {
      refuseWhen(options.stopping);
      return await perform(request);
    } catch (thrown) {
      const error = failureOf(thrown, log, request);
      // Where requests are counted, it is said already when they are counted anew.
      const headers = { ...headersOf(error), ...request.answerHeaders };
      return jsonAnswer(error.status, { error: error.message, code: error.code }, headers);
    }
  };
  return (message, response) => {
    const request = new ConfigRequest(message, ofAll);
    const { path } = request;
    if (path !== prefix && !path.startsWith(`${prefix}/`)) return false;
    void answer(request).then((answered) => send(response, answered, request.answerHeaders));
    return true;
  };
}

function createPerform(
  { log, rateLimit, addresses = createClientAddresses([]), ...env }: ConfigApiOptions,
  { document }: ApiVersion,
): (request: ConfigRequest) => Promise<Answer> {
  /** Each of one request. */
  const idle = new WeakSet<Caller>();
  const show = createShow(document);
  const find = createAddresses<operations, Caller, ConfigRequest, Answer>({
    document,
    readBody: createLenientBody(document),
    handlers: auditedHandlers(env, (caller) => void idle.add(caller)),
    bodyLimit: BODY_LIMIT,
    guard: (request, operation, params) => {
      const caller = callerOf(request);
      requireWithin(caller, operation, params);
      requireScope(operation, caller);
      return caller;
    },
    show: (request, operation, answer, caller) => {
      if (operation.scopes.includes('write') && !idle.has(caller)) logChange(log, request, caller);
      if (answer instanceof Readable) return { status: 200, type: typeOf(operation), body: answer };
      const { text, tag } = show(operation, answer, caller);
      return { status: 200, type: JSON_TYPE, body: text, ...(tag !== undefined && { headers: { ETag: tag } }) };
    },
  });
  const noteUse = createLastUse(env, log);
  return async (request) => {
    const caller = await identify(request, { store: env.store, rateLimit, addresses });
    noteUse(caller.token);
    request.caller = caller;
    const { method, path } = request;
    const found = find(method === 'HEAD' ? 'GET' : method, path);
    if (found === undefined) throw noSuchMethod(request);
    return found.steps(request, found.params);
  };
}

function callerOf({ caller }: ConfigRequest): Caller {
  if (caller === undefined) throw new Error('a request reached its operation without a caller');
  return caller;
}

function typeOf({ answerType }: Operation): string {
  return answerType.startsWith('text/') ? `${answerType}; charset=utf-8` : answerType;
}

/** Who changed what: one line for each change that was made. */
function logChange(log: Log, { method, path }: ConfigRequest, { token }: Caller): void {
  log.info({ method, path, by: token.name }, 'configuration changed');
}

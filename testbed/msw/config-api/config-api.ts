import { getResponse, http, type HttpHandler, HttpResponse } from 'msw';
import * as v from 'valibot';
import { createMswHandlers, type MswHandlerFactories } from '../../../generated/runtime/msw.gen.ts';
import type { Clock } from '../../../server/ports/clock.ts';
import type { Fields } from '../../contract/config-kinds.ts';
import { systemClock } from '../../receiver/system-clock.ts';
import { authenticate, readCall, tidy } from './call.ts';
import { entityTag } from './entity-tag.ts';
import { modeled, OPERATION_IDS, type OperationId } from './operations.ts';
import { Refusal } from './refusal.ts';
import { add, list, read } from './inspection.ts';
import type { Shown } from './shown.ts';
import { State } from './state.ts';

export interface ConfigApiOptions {
  /** Where the router would listen; default `http://127.0.0.1:8080`. */
  readonly baseUrl?: string;
  /** The first access token, which may do anything; default `testbed-token`. */
  readonly token?: string;
  /** The slug of the workspace that is there from the start; default `main`. */
  readonly workspace?: string;
  /** What ids, keys and tokens are drawn from; default 1. */
  readonly seed?: number;
  readonly clock?: Pick<Clock, 'now'>;
  /**
   * Answers of one's own, by operation, typed from the contract: a body, or a resolver of MSW. They come before the
   * model, and are the way to operations that it leaves out.
   */
  readonly answers?: { readonly [Id in OperationId]?: Parameters<MswHandlerFactories[Id]>[0] };
}

/** A request that was answered by the model, or refused. */
export interface ConfigApiCall {
  /** Undefined for what is no operation of the contract. */
  readonly operation: OperationId | undefined;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly status: number;
}

export interface ConfigApi {
  readonly baseUrl: string;
  readonly token: string;
  /** For `setupServer(...handlers)`. */
  readonly handlers: readonly HttpHandler[];
  /** Every request so far, in order of arrival. */
  readonly calls: readonly ConfigApiCall[];
  /**
   * Makes a resource as the first token would, `add('workspaces/main/sources', { name: … })`, and answers it; throws with
   * the API's own words when it is refused.
   */
  readonly add: (collection: string, resource: Fields) => Shown;
  /** A resource as the API shows it; undefined when there is none. */
  readonly get: (name: string) => Shown | undefined;
  /** All of a collection, `list('workspaces/main/sources')`, in order of creation. */
  readonly list: (collection: string) => readonly Shown[];
}

type Resolver = (info: { readonly request: Request }) => Promise<Response>;

/**
 * The Config API as MSW handlers, backed by a small model in memory: for tests of code that manages Waybill, without a
 * server. The five resources behave as the router's, whose tests are held to the very same model; what it leaves out
 * answers 501.
 */
export function configApiHandlers(options: ConfigApiOptions = {}): ConfigApi {
  const { baseUrl = 'http://127.0.0.1:8080', token = 'testbed-token', workspace = 'main', seed = 1 } = options;
  const { clock = systemClock, answers = {} } = options;
  const base = baseUrl.replace(/\/+$/, '');
  const state = new State({ token, workspace, seed, now: () => clock.now() });
  const calls: ConfigApiCall[] = [];
  const recorded = (operation: OperationId | undefined, answer: Resolver): Resolver =>
    recording(calls, operation, answer);
  const resolvers = Object.fromEntries(OPERATION_IDS.map((id) => [id, recorded(id, resolverOf(id, state))]));
  const operations = createMswHandlers({ baseUrl: base }).all({ pick: { ...resolvers, ...answers } });
  const rest = http.all(`${base}/*`, unknownPath(operations, recorded(undefined, refusalOf(state))));
  return {
    baseUrl: base,
    token,
    handlers: [...operations, rest],
    calls,
    add: (collection, resource) => add(state, collection, resource),
    get: (name) => read(state, name),
    list: (collection) => list(state, collection),
  };
}

function resolverOf(id: OperationId, state: State): Resolver {
  const operation = modeled(id);
  return async ({ request }) => {
    if (operation === undefined) {
      authenticate(request.headers.get('authorization'), state.model);
      throw new Refusal(501, `this method is not implemented: give the testbed an answer for ${id}`);
    }
    state.endRotations();
    const call = await readCall(request, state.model, operation.demands);
    const body = operation.handle(state, call);
    // Of what is redacted there is no entity tag.
    const isTagged = 'name' in body && !(state.model.reads(call.caller) && JSON.stringify(body).includes('[redacted]'));
    // The model answers nothing that the contract does not allow.
    v.assert(operation.answers, body);
    return HttpResponse.json(body, { headers: isTagged ? { ETag: entityTag(body) } : {} });
  };
}

/** What no handler of an operation took: paths with slashes too many (D-6), and what is no operation at all. */
function unknownPath(operations: readonly HttpHandler[], refuse: Resolver) {
  return async ({ request }: { readonly request: Request }): Promise<Response | undefined> => {
    const url = new URL(request.url);
    const path = tidy(url.pathname);
    if (!path.includes('/v1beta/')) return undefined;
    if (path === url.pathname) return refuse({ request });
    url.pathname = path;
    return (await getResponse([...operations], new Request(url, request))) ?? refuse({ request });
  };
}

const METHODS = ['HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function refusalOf({ model }: State): Resolver {
  return async ({ request }) => {
    authenticate(request.headers.get('authorization'), model);
    const { method, url } = request;
    if (!METHODS.includes(method)) throw new Refusal(501, `${method} is not implemented by this API`);
    throw new Refusal(404, `${method} ${new URL(url).pathname} is not a method of this API`);
  };
}

function recording(calls: ConfigApiCall[], operation: OperationId | undefined, answer: Resolver): Resolver {
  return async ({ request }) => {
    const { pathname, search } = new URL(request.url);
    const response = await answer({ request }).catch(refused);
    calls.push({ operation, method: request.method, path: pathname + search, status: response.status });
    return response;
  };
}

function refused(error: unknown): Response {
  if (!(error instanceof Refusal)) throw error;
  const headers = error.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : undefined;
  return HttpResponse.json(error.body, { status: error.status, ...(headers === undefined ? {} : { headers }) });
}

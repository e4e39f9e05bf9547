import createClient, { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch';
import type { paths } from '../../generated/config-api.d.ts';
import type { Call } from './call.ts';
import type { FailedRequest } from './config-api-error.ts';
import { DeadlinePassed, withDeadline } from './deadline.ts';
import type { ConfigClientSettings } from './options.ts';

/** How one attempt ended. */
export type Outcome = Answered | Unanswered;

export interface Answered {
  readonly kind: 'answered';
  readonly request: FailedRequest;
  readonly status: number;
  readonly ok: boolean;
  readonly retryAfter: string | null;
  readonly tag: string | null;
  /** Parsed JSON; the text, when it was none; undefined or empty, when there was no body. */
  readonly body: unknown;
}

export interface Unanswered {
  readonly kind: 'timeout' | 'network';
  readonly request: FailedRequest;
  readonly cause: unknown;
}

/** Makes one attempt. Rejects with the reason of the call's signal, or when the call cannot even be written down. */
export type Requester = (call: Call<unknown>) => Promise<Outcome>;

interface AttemptInit {
  readonly params: { readonly path: Call<unknown>['ids']; readonly query: Call<unknown>['query'] };
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly signal: AbortSignal;
  readonly fetch: ConfigClientSettings['fetch'];
  readonly parseAs: 'text';
}

/** What openapi-fetch gives: the text of a success; of a failure, parsed JSON or text. */
interface RawAnswer {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

type AnyRequest = (method: Call<unknown>['method'], path: keyof paths, init: AttemptInit) => Promise<RawAnswer>;

export function createRequester(settings: ConfigClientSettings): Requester {
  const { baseUrl, token, clock, timeoutMs } = settings;
  const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` }, redirect: 'manual' });
  // openapi-fetch types a call by its path, which here is one of many; that path, parameters and body belong together
  // follows from RESOURCES, and the types of arguments and answers from the same paths (resource-types.ts).
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  const request = api.request as AnyRequest;
  return async (call) => {
    const described = describe(call, baseUrl);
    let left = false;
    const fetch = (outgoing: Request): Promise<Response> => {
      left = true;
      return settings.fetch(outgoing);
    };
    const params = { path: call.ids, query: call.query };
    const headers = call.ifMatch === undefined ? {} : { 'If-Match': call.ifMatch };
    const given = { params, headers, body: call.body, fetch, parseAs: 'text' } as const;
    const attempt = async (signal: AbortSignal): Promise<Answered> =>
      readAnswer(await request(call.method, call.path, { ...given, signal }), described);
    try {
      return await withDeadline(attempt, { clock, timeoutMs, signal: call.signal });
    } catch (cause) {
      if (call.signal?.aborted === true) throw call.signal.reason;
      // What never left was a mistake of the caller, such as a body that JSON cannot express.
      if (!left && !(cause instanceof DeadlinePassed)) throw cause;
      return unansweredBy(cause, described);
    }
  };
}

/** What was thrown instead of an answer. */
export function unansweredBy(cause: unknown, request: FailedRequest): Unanswered {
  return { kind: cause instanceof DeadlinePassed ? 'timeout' : 'network', request, cause };
}

export function describe({ method, path, ids, query }: Call<unknown>, baseUrl: string): FailedRequest {
  refuseFolders(ids);
  const params = { path: ids, query: query ?? {} };
  const serializers = { querySerializer: createQuerySerializer(), pathSerializer: defaultPathSerializer };
  return { method: method.toUpperCase(), url: createFinalURL(path, { baseUrl, params, ...serializers }) };
}

/**
 * URLs take these for folders, however they are encoded: a request about the user `..` would be one about the workspace. Ids of
 * users come from whoever sends events.
 */
function refuseFolders(ids: Call<unknown>['ids']): void {
  const found = Object.entries(ids).find(([, id]) => ['', '.', '..'].includes(id));
  if (found === undefined) return;
  const [parameter, id] = found;
  throw new TypeError(
    `the ${parameter} ${JSON.stringify(id)} cannot be part of an address, as URLs take it for a folder`,
  );
}

/**
 * Whether an answer is a success is told by its status alone: for an empty error without a Content-Length, openapi-fetch
 * gives an empty `error`, which looks like none.
 */
function readAnswer({ data, error, response }: RawAnswer, request: FailedRequest): Answered {
  const { status, ok, headers } = response;
  const body = ok && typeof data === 'string' ? parseOrKeep(data) : error;
  const [retryAfter, tag] = [headers.get('Retry-After'), headers.get('ETag')];
  return { kind: 'answered', request, status, ok, retryAfter, tag, body };
}

export function parseOrKeep(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

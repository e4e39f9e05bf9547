import contract from '../../generated/config-api.json' with { type: 'json' };
import type { ConfigHandlers } from '../../server/resources/env.ts';
import { authenticate, type Caller, requireScope } from '../../server/resources/callers.ts';
import { createLenientBody, tidy } from '../../server/resources/lenient-input.ts';
import { createAnswers, noSuchMethod } from '../../server/resources/answers.ts';
import { handlerOf } from '../../server/http/contract.ts';
import { type Document, type Operation, operationsOf } from '../../server/http/document.ts';
import { toApiError } from '../../server/http/error-answers.ts';
import { ApiError } from '../../server/http/errors.ts';
import {
  checksOf,
  createValidation,
  type OperationChecks,
  parseJson,
  type Validation,
} from '../../server/http/validation.ts';
import type { ConfigStore } from '../../server/storage/config-store.ts';
import { streamOf } from './stream.ts';

/** What was answered, and by which operation; undefined for what is none of the contract. */
export interface Answered {
  readonly operation: string | undefined;
  readonly response: Response;
}

export interface AnsweringParts {
  readonly handlers: ConfigHandlers;
  readonly store: Pick<ConfigStore, 'tokenByHash'>;
  /** Told of each request that had a valid token. */
  readonly noteUse: (token: Caller['token']) => void;
}

/** Answers requests with the operations of the Config API, in the order of the router's checks (D-5), without a socket. */
export class Answering {
  readonly #parts: AnsweringParts;

  constructor(parts: AnsweringParts) {
    this.#parts = parts;
  }

  async answer(request: Request, body?: Uint8Array): Promise<Answered> {
    const [method, path] = [request.method, tidy(new URL(request.url).pathname)];
    const route = ROUTES.find((one) => one.paramsOf(method, path) !== undefined);
    const operation = route?.operation.id;
    try {
      const caller = await this.#identify(request);
      if (route === undefined) throw noSuchMethod({ method, path });
      return { operation, response: await this.#perform(route, caller, request, { path, body }) };
    } catch (thrown) {
      const error = toApiError(thrown);
      // A fault of its own is nobody's answer.
      if (error.failure === 'Internal') throw thrown;
      return { operation, response: refusal(error) };
    }
  }

  async #identify({ headers }: Request): Promise<Caller> {
    const token = await authenticate(headers.get('authorization') ?? undefined, this.#parts.store);
    if (token instanceof ApiError) throw token;
    this.#parts.noteUse(token);
    return { token, address: HERE };
  }

  async #perform(route: Route, caller: Caller, request: Request, sent: Sent): Promise<Response> {
    const { operation, checks } = route;
    const path = checks.path(route.paramsOf(request.method, sent.path) ?? {});
    requireScope(operation, caller);
    const query = checks.query(new URL(request.url).search.slice(1));
    const header = checks.headers((name) => request.headers.get(name) ?? '');
    const bytes = Buffer.from(sent.body ?? new Uint8Array(await request.arrayBuffer()));
    const body = checks.body?.(readBody(operation.bodySchema ?? {}, parseJson(bytes)));
    const handle = handlerOf(this.#parts.handlers, operation.id);
    const answer = await handle({ path, query, header, body, bodyBytes: bytes.length, caller });
    const stream = streamOf(answer);
    if (stream !== undefined) return new Response(stream, { headers: { 'Content-Type': operation.answerType } });
    const shown = show(operation, answer, caller);
    const type = { 'Content-Type': 'application/json' };
    return new Response(shown.text, { headers: shown.tag === undefined ? type : { ...type, ETag: shown.tag } });
  }
}

interface Sent {
  /** In the form of the document. */
  readonly path: string;
  /** Where it is not the request's own. */
  readonly body: Uint8Array | undefined;
}

/** One operation, found by method and path. */
class Route {
  readonly operation: Operation;
  readonly #pattern: RegExp;
  readonly #validation: Validation;
  #checks: OperationChecks | undefined;

  constructor(operation: Operation, validation: Validation) {
    this.operation = operation;
    this.#validation = validation;
    const pattern = operation.template.replaceAll('.', String.raw`\.`).replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+?)');
    this.#pattern = new RegExp(`^${pattern}$`);
  }

  /** Compiled with the first request. */
  get checks(): OperationChecks {
    return (this.#checks ??= checksOf(this.operation, this.#validation));
  }

  /** The parameters of a path of this operation. */
  paramsOf(method: string, path: string): Readonly<Record<string, string>> | undefined {
    const { groups = {} } = this.#matches(method) ? (this.#pattern.exec(path) ?? MISSED) : MISSED;
    if (groups === NOTHING) return undefined;
    return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decoded(text)]));
  }

  #matches(method: string): boolean {
    const wanted = method === 'HEAD' ? 'GET' : method;
    return wanted === this.operation.method.toUpperCase();
  }
}

/** Requests come from nowhere else. */
const HERE = '127.0.0.1';

const DOCUMENT: Document = Object(contract);
const readBody = createLenientBody(DOCUMENT);
const { show } = createAnswers(DOCUMENT);
/** Compiled once for all stand-ins: it takes longer than most tests. */
const ROUTES = routesOf(createValidation(DOCUMENT));

function routesOf(validation: Validation): readonly Route[] {
  return operationsOf(DOCUMENT).map((operation) => new Route(operation, validation));
}

const NOTHING: Record<string, string> = {};
const MISSED = { groups: NOTHING };

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function refusal({ status, code, message, failure }: ApiError): Response {
  const headers = failure === 'Unauthenticated' ? { 'WWW-Authenticate': 'Bearer' } : {};
  return Response.json({ error: message, code }, { status, headers });
}

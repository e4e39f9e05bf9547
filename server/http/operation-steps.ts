import type { Stay } from './admission.ts';
import type { Asked } from './asked.ts';
import { type BodyLimit, readBody } from './body.ts';
import { handlerOf, type Handlers } from './contract.ts';
import { type Document, FORM, type Operation, type Schema } from './document.ts';
import {
  checksOf,
  MAX_BODY_DEPTH,
  parseForm,
  parseJson,
  type ParseText,
  refuseDeepNesting,
  refuseManyValues,
  type Validation,
} from './validation.ts';

export interface Api<Operations, Caller, Request extends Asked> {
  readonly document: Document;
  /** What is compiled of the document, where it is served more than once. */
  readonly validation?: Validation | undefined;
  readonly handlers: Handlers<Operations, Caller>;
  readonly bodyLimit: BodyLimit;
  /** Counts a request of the caller while it is under way, and may refuse it; anything may be under way when not given. */
  readonly enter?: (caller: Caller) => Stay;
  /** Looks at a body before it is parsed, and may refuse it. */
  readonly beforeParsing?: (caller: Caller, body: Buffer) => Promise<unknown> | undefined;
  /** Reads a body of so many bytes, now or once the caller may; at once when not given. */
  readonly pace?: <Body>(caller: Caller, bytes: number, read: () => Body) => Body | Promise<Body>;
  /** How the text of a body is read; strictly as JSON when not given. */
  readonly parse?: ParseText;
  /** Brings a body into the document's spelling before it is checked; as it came when not given. */
  readonly readBody?: (schema: Schema, body: unknown) => unknown;
  /** Who calls, and whether they may; throws an ApiError otherwise. Runs before body and query are looked at (D-5). */
  readonly guard: (request: Request, operation: Operation) => Caller | Promise<Caller>;
  /** What of an answer this caller may see, called once the work is done; all of it when not given. */
  readonly show?: (request: Request, operation: Operation, answer: unknown, caller: Caller) => unknown;
}

/** One operation of one request, to its answer; throws an ApiError for what is wrong with it. */
export type Steps<Request extends Asked> = (
  request: Request,
  params: Readonly<Record<string, string>>,
) => Promise<unknown>;

const NO_BODY = Buffer.alloc(0);

/** The one form that there is holds an assertion of 8 KB; of many small fields each takes long to parse. */
const FORM_BYTES = 10_240;

/** Checks a request against the schemas that the document itself holds, and lets its handler answer it. */
export function stepsOf<Operations, Caller, Request extends Asked>(
  api: Api<Operations, Caller, Request>,
  operation: Operation,
  validation: Validation,
): Steps<Request> {
  const checks = once(() => checksOf(operation, validation));
  const handle = handlerOf(api.handlers, operation.id);
  const limit = operation.bodyType === FORM ? { ...api.bodyLimit, bytes: FORM_BYTES } : api.bodyLimit;

  return async (request, params) => {
    const check = checks();
    const path = check.path(params);
    const caller = await api.guard(request, operation);
    const query = check.query(request.querystring);
    const stay = api.enter?.(caller);
    try {
      const header = check.headers((name) => request.get(name));
      const bytes = check.body === undefined ? NO_BODY : await readBody(request.req, limit, stay);
      stay?.begin();
      // Nothing is waited for that need not be: every event passes here.
      const refusal = check.body === undefined ? undefined : api.beforeParsing?.(caller, bytes);
      if (refusal !== undefined) await refusal;
      const read = (): unknown => check.body?.(bodyOf(api, operation, bytes));
      const paced = api.pace === undefined ? read() : api.pace(caller, bytes.length, read);
      const body = paced instanceof Promise ? await paced : paced;
      const answer = await handle({ path, query, header, body, bodyBytes: bytes.length, caller });
      if (api.show === undefined) return answer;
      const shown = api.show(request, operation, answer, caller);
      return shown instanceof Promise ? await shown : shown;
    } finally {
      stay?.end();
    }
  };
}

function bodyOf<Operations, Caller, Request extends Asked>(
  { parse, readBody: read, bodyLimit: { values } }: Api<Operations, Caller, Request>,
  { bodySchema = {}, bodyType }: Operation,
  bytes: Buffer,
): unknown {
  if (values !== undefined) refuseManyValues(bytes, values);
  const body = bodyType === FORM ? parseForm(bytes) : parseJson(bytes, parse);
  if (read === undefined) return body;
  refuseDeepNesting(body, 'the body', MAX_BODY_DEPTH);
  return read(bodySchema, body);
}

/** Compiling is left to an operation's first request: for all of them at once it is most of what a start takes. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

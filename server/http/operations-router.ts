import { Readable } from 'node:stream';
import { Router } from '@koa/router';
import type { Context } from 'koa';
import type { Stay } from './admission.ts';
import { type BodyLimit, readBody } from './body.ts';
import type { Call, Handlers } from './contract.ts';
import { type Document, FORM, type Operation, operationsOf, type Schema } from './document.ts';
import { checksOf } from './operation-checks.ts';
import { parseForm, parseJson, type ParseText } from './parse-body.ts';
import { createValidation, type Validation } from './validation.ts';

export interface Api<Operations, Caller> {
  readonly document: Document;
  readonly handlers: Handlers<Operations, Caller>;
  readonly bodyLimit: BodyLimit;
  /** Counts a request of the caller while it is under way, and may refuse it; anything may be under way when not given. */
  readonly enter?: (caller: Caller) => Stay;
  /** Looks at a body before it is parsed, and may refuse it. */
  readonly beforeParsing?: (caller: Caller, body: Buffer) => Promise<void> | void;
  /** Waited for before a body of so many bytes is parsed; parsed at once when not given. */
  readonly awaitTurn?: (bytes: number) => Promise<void> | undefined;
  /** How the text of a body is read; strictly as JSON when not given. */
  readonly parse?: ParseText;
  /** Brings a body into the document's spelling before it is checked; as it came when not given. */
  readonly readBody?: (schema: Schema, body: unknown) => unknown;
  /** Who calls, and whether they may; throws an ApiError otherwise. Runs before body and query are looked at (D-5). */
  readonly guard: (ctx: Context, operation: Operation) => Caller | Promise<Caller>;
  /** What of an answer this caller may see, called once the work is done; all of it when not given. */
  readonly show?: (ctx: Context, operation: Operation, answer: unknown, caller: Caller) => unknown;
}

const NO_BODY = Buffer.alloc(0);

/** The one form that there is holds an assertion of 8 KB; of many small fields each takes long to parse. */
const FORM_BYTES = 10_240;

type UntypedHandler = (call: Record<keyof Call<unknown, unknown>, unknown>) => unknown;

/** Mounts every operation of the document, checking requests against the schemas that the document itself holds. */
export function createOperationsRouter<Operations, Caller>(api: Api<Operations, Caller>): Router {
  const router = new Router({ sensitive: true });
  const validation = createValidation(api.document);
  for (const operation of operationsOf(api.document)) mount(router, api, operation, validation);
  return router;
}

function mount<Operations, Caller>(
  router: Router,
  api: Api<Operations, Caller>,
  operation: Operation,
  validation: Validation,
): void {
  const checks = once(() => checksOf(operation, validation));
  const handle = handlerOf(api.handlers, operation.id);
  const limit = operation.bodyType === FORM ? { ...api.bodyLimit, bytes: FORM_BYTES } : api.bodyLimit;

  router[operation.method](operation.id, pattern(operation.template), async (ctx) => {
    const check = checks();
    const path = check.path(ctx.params);
    const caller = await api.guard(ctx, operation);
    const query = check.query(ctx.querystring);
    const stay = api.enter?.(caller);
    try {
      const header = check.headers((name) => ctx.get(name));
      const bytes = check.body === undefined ? NO_BODY : await readBody(ctx.req, limit, stay);
      stay?.begin();
      if (check.body !== undefined) await api.beforeParsing?.(caller, bytes);
      await api.awaitTurn?.(bytes.length);
      const body = check.body?.(bodyOf(api, operation, bytes));
      const answer = await handle({ path, query, header, body, bodyBytes: bytes.length, caller });
      if (answer instanceof Readable) openStream(ctx, answer);
      else ctx.body = api.show === undefined ? answer : api.show(ctx, operation, answer, caller);
    } finally {
      stay?.end();
    }
    ctx.type = operation.answerType;
    ctx.status = 200;
  });
}

/**
 * Nothing on the way may keep a part of it: not a cache, nor a proxy that collects answers. Its connection ends with it: one
 * that was kept would keep a router that stops.
 */
function openStream(ctx: Context, stream: Readable): void {
  ctx.set({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no', Connection: 'close' });
  ctx.body = stream;
}

function bodyOf<Operations, Caller>(
  { parse, readBody: read }: Api<Operations, Caller>,
  { bodySchema = {}, bodyType }: Operation,
  bytes: Buffer,
): unknown {
  const body = bodyType === FORM ? parseForm(bytes) : parseJson(bytes, parse);
  return read === undefined ? body : read(bodySchema, body);
}

/** A template as the router writes it; a colon in it is a colon (`source-connections:batchCreateConnections`). */
function pattern(template: string): string {
  return template.replaceAll(':', String.raw`\:`).replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Compiling is left to an operation's first request: for all of them at once it is most of what a start takes. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Here alone the compiler cannot follow: the ids in the document and the keys of the map come from one file. */
function handlerOf(handlers: object, id: string): UntypedHandler {
  const handler: UntypedHandler | undefined = Reflect.get(handlers, id);
  if (handler === undefined) throw new Error(`no handler for ${id}: document and generated types disagree`);
  return handler;
}

import type { Readable } from 'node:stream';

type Content<T> = T extends { content: { 'application/json': infer B } }
  ? B
  : T extends { content: { 'application/x-www-form-urlencoded': infer F } }
    ? F
    : undefined;
type Parameters<O, In extends 'path' | 'query' | 'header'> = O extends { parameters: { [K in In]?: infer P } }
  ? NonNullable<P>
  : never;
/** A body that may be left out is read as an empty one. */
type Body<O> = O extends { requestBody?: infer B }
  ? [B] extends [never]
    ? undefined
    : Content<NonNullable<B>>
  : undefined;
/** JSON where the document answers JSON; a stream where it says so; the bytes themselves where it names another type. */
type Answer<O> = O extends { responses: { 200: infer R } }
  ? R extends { content: { 'application/json': infer B } }
    ? B
    : R extends { content: { 'text/event-stream': object } | { 'application/x-tar': unknown } }
      ? Readable
      : R extends { content: object }
        ? Uint8Array
        : undefined
  : never;

/** One validated request of one operation. `caller` is what the API's guard found out about who asks. */
export interface Call<Operation, Caller> {
  readonly path: Parameters<Operation, 'path'>;
  readonly query: Parameters<Operation, 'query'>;
  /** The headers that the document names. */
  readonly header: Parameters<Operation, 'header'>;
  readonly body: Body<Operation>;
  /** How long the body was, inflated. */
  readonly bodyBytes: number;
  readonly caller: Caller;
}

/** Answers with the body of a 200, of the type that the document gives it, or throws an ApiError: every success of these APIs is a 200 (D-1, D-40). */
export type Handler<Operation, Caller> = (
  call: Call<Operation, Caller>,
) => Answer<Operation> | Promise<Answer<Operation>>;

/**
 * A handler for each operation of a document. Total on purpose: an operation that is added to the document does not
 * compile until it has a handler, or is marked `notImplemented`.
 */
export type Handlers<Operations, Caller> = {
  readonly [Id in keyof Operations]: Handler<Operations[Id], Caller>;
};

type UntypedHandler = (call: Record<keyof Call<unknown, unknown>, unknown>) => unknown;

/** Here alone the compiler cannot follow: the ids in the document and the keys of the map come from one file. */
export function handlerOf(handlers: object, id: string): UntypedHandler {
  const handler: UntypedHandler | undefined = Reflect.get(handlers, id);
  if (handler === undefined) throw new Error(`no handler for ${id}: document and generated types disagree`);
  return handler;
}

type Json<T> = T extends { content: { 'application/json': infer B } } ? B : undefined;
type Parameters<O, In extends 'path' | 'query'> = O extends { parameters: { [K in In]?: infer P } }
  ? NonNullable<P>
  : never;
type Body<O> = O extends { requestBody: infer B } ? Json<NonNullable<B>> : undefined;
type Answer<O> = O extends { responses: { 200: infer R } } ? Json<R> : never;

/** One validated request of one operation. `caller` is what the API's guard found out about who asks. */
export interface Call<Operation, Caller> {
  readonly path: Parameters<Operation, 'path'>;
  readonly query: Parameters<Operation, 'query'>;
  readonly body: Body<Operation>;
  /** How long the body was, as it was read. */
  readonly bodyBytes: number;
  readonly caller: Caller;
}

/** Answers with the body of a 200, or throws an ApiError: every success of these APIs is a 200 (D-1, D-40). */
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

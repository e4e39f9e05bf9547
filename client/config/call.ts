import type { paths } from '../../generated/config-api.d.ts';

export type Method = 'get' | 'post' | 'patch' | 'delete';

/** Ids by the name of their path parameter, as in `{ workspace: 'main', source: 'js' }`. */
export type Ids = Readonly<Record<string, string>>;

/** What the body of a success was read as, or what is wrong with it. */
export type Reading<T> = { readonly value: T } | { readonly problem: string };

/** One request of the contract, and how its answer is read. */
export interface Call<T> {
  readonly method: Method;
  readonly path: keyof paths;
  readonly ids: Ids;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly signal: AbortSignal | undefined;
  /** The tag of the state that a change was decided on. */
  readonly ifMatch?: string | undefined;
  /** Gets the parsed JSON, the text when it was none, or undefined when the body was empty; and the tag of the answer. */
  readonly read: (body: unknown, tag: string | null) => Reading<T>;
}

/**
 * Sends a request, repeats it as the retry policy says, and gives what its answer holds.
 * Throws ConfigApiError, or the reason of the call's signal once that aborts.
 */
export type Send = <T>(call: Call<T>) => Promise<T>;

/** Asks for an answer of bytes, and gives them as they come. Throws as `Send` does; nothing is repeated. */
export type Download = (call: Omit<Call<unknown>, 'read'>) => AsyncIterable<Uint8Array>;

/**
 * Opens a stream, and gives what each message holds until the stream ends. Throws as `Send` does; nothing is repeated.
 * Leaving the loop ends the stream.
 */
export type Watch = <T>(call: Call<T>) => AsyncIterable<T>;

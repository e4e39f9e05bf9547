/** The named errors of the API: name → HTTP status and code (S 7.1, D-2). */
export const NAMED_ERRORS = {
  InvalidArgument: { status: 400, code: 3 },
  Unauthenticated: { status: 401, code: 16 },
  PermissionDenied: { status: 403, code: 7 },
  NotFound: { status: 404, code: 5 },
  AlreadyExists: { status: 409, code: 6 },
  ResourceExhausted: { status: 429, code: 8 },
  Internal: { status: 500, code: 13 },
  Unimplemented: { status: 501, code: 12 },
  Unavailable: { status: 503, code: 14 },
} as const satisfies Record<string, { readonly status: number; readonly code: number }>;

/** The names of the specification's error table (S 7.1). */
export type NamedErrorKind = keyof typeof NAMED_ERRORS;

/**
 * Every way in which a call fails:
 *
 * - a name of that table: the API said so. Without any body the status is taken for it, but never for `NotFound` and
 *   `AlreadyExists`, which say something of a resource and so are believed from the API alone;
 * - `Unroutable`: 503 with the text `upstream connect error…`, for an address that leads to no service (S 7.1);
 * - `UnexpectedAnswer`: an answer that is not this API's, such as a proxy's page, a redirect, or JSON of another shape;
 * - `Network`: no answer came, or it broke off; `cause` has the reason;
 * - `Timeout`: no complete answer within `timeoutMs`.
 *
 * A call whose signal aborts is no failure of the API: it rejects with the signal's own reason.
 */
export type ConfigApiErrorKind = NamedErrorKind | 'Unroutable' | 'UnexpectedAnswer' | 'Network' | 'Timeout';

/** The request that failed. Never its headers: they hold the access token. */
export interface FailedRequest {
  readonly method: string;
  readonly url: string;
}

/** What an error is made of. */
export interface ConfigApiErrorDetails<Kind extends ConfigApiErrorKind> {
  readonly kind: Kind;
  readonly message: string;
  readonly request: FailedRequest;
  readonly status?: number | undefined;
  readonly code?: number | undefined;
  readonly attempts: number;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/**
 * The one error that methods of the config client reject with (S 7.1, D-2). Tell them apart by `kind`, or with
 * {@link isConfigApiError}. Neither the message nor any field holds the access token; a `cause` is as it was thrown, so a
 * `fetch` of your own should not put headers into its errors.
 */
export class ConfigApiError<Kind extends ConfigApiErrorKind = ConfigApiErrorKind> extends Error {
  override readonly name = 'ConfigApiError';
  /** Which of the failures it is (S 7.1). */
  readonly kind: Kind;
  /** The request that failed, as it was sent last. */
  readonly request: FailedRequest;
  /** The HTTP status of the last answer; undefined when none came (`Network`, `Timeout`). */
  readonly status: number | undefined;
  /** The number in the error's body (S 7.1); undefined when there was no such body. */
  readonly code: number | undefined;
  /** How many times the request was sent. */
  readonly attempts: number;
  /** What the last answer asked for by `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(details: ConfigApiErrorDetails<Kind>) {
    const { kind, message, request, status, code, attempts, retryAfterMs, cause } = details;
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.request = request;
    this.status = status;
    this.code = code;
    this.attempts = attempts;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Whether something that was caught is an error of the config client, of one of these kinds when any are given (S 7.1):
 *
 * ```ts
 * if (isConfigApiError(error, 'AlreadyExists')) return client.sources.get(name);
 * ```
 */
export function isConfigApiError<Kind extends ConfigApiErrorKind = ConfigApiErrorKind>(
  error: unknown,
  ...kinds: readonly Kind[]
): error is ConfigApiError<Kind> {
  if (!(error instanceof ConfigApiError)) return false;
  return kinds.length === 0 || kinds.some((kind) => kind === error.kind);
}

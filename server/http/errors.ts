/** The closed set of failures that an API answers: name → [HTTP status, code] (S 7.1). 413 and 511 are for ingestion (D-41). */
export const FAILURES = {
  InvalidArgument: [400, 3],
  Unauthenticated: [401, 16],
  PermissionDenied: [403, 7],
  NotFound: [404, 5],
  AlreadyExists: [409, 6],
  PayloadTooLarge: [413, 3],
  ResourceExhausted: [429, 8],
  Internal: [500, 13],
  Unimplemented: [501, 12],
  Unavailable: [503, 14],
  TokenRefused: [511, 16],
} as const satisfies Record<string, readonly [status: number, code: number]>;

export type FailureName = keyof typeof FAILURES;

interface FailureOptions extends ErrorOptions {
  /** In how many whole seconds to try again: SDKs of the field read no dates. */
  readonly retryAfterS?: number;
  /** The connection is closed after the answer: what is left of the request is not read. */
  readonly endsConnection?: boolean;
}

/** The one error that reaches a caller. Its message does too; its cause only reaches the log. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly failure: FailureName;
  readonly retryAfterS: number | undefined;
  readonly endsConnection: boolean;

  constructor(failure: FailureName, message: string, options?: FailureOptions) {
    super(message, options);
    this.failure = failure;
    this.retryAfterS = options?.retryAfterS;
    this.endsConnection = options?.endsConnection ?? false;
  }

  get status(): number {
    return FAILURES[this.failure][0];
  }

  get code(): number {
    return FAILURES[this.failure][1];
  }
}

export function invalid(message: string): ApiError {
  return new ApiError('InvalidArgument', message);
}

export function notFound(name: string): ApiError {
  return new ApiError('NotFound', `${name} does not exist`);
}

/** Whoever has the key, or had it in another workspace, is not told (D-10). */
export function writeKeyTaken(options?: ErrorOptions): ApiError {
  return new ApiError(
    'AlreadyExists',
    'a source with this write key already exists, or did in another workspace: remove it there first, and use a token that sees both',
    options,
  );
}

/** Marks an operation that the document promises and the server does not have yet: it answers 501 (CFG-19). */
export function notImplemented(): Promise<never> {
  return Promise.reject(new ApiError('Unimplemented', 'this method is not implemented'));
}

/** How an attempt can fail before there is a status; the public vocabulary of the attempt log (D-21). */
export const FAILURES = [
  'dns_error',
  'blocked_address',
  'connect_refused',
  'connect_timeout',
  'tls_untrusted',
  'tls_expired',
  'tls_other',
  'write_timeout',
  'first_byte_timeout',
  'reset',
  'protocol_error',
  'cancelled',
  'router_exhausted',
] as const;

export type Failure = (typeof FAILURES)[number];

export interface PostRequest {
  /** Whose it is: workspaces have connections of their own, and take turns for what a connection costs (SAFE-2). */
  readonly workspace: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Exactly these bytes are sent. */
  readonly body: Uint8Array;
  /** The whole budget: DNS, connect, TLS, sending and the answer's status line (D-24). */
  readonly deadlineMs: number;
  /** Asked before the first byte leaves, which may be long after the call: false ends it as `cancelled`. Default: always true. */
  readonly mayLeave?: () => boolean;
}

/** How long each part of an exchange took, in milliseconds; parts that it did not get to are absent (D-31). */
export interface Phases {
  /** Until there was a connection: look-up, TCP and TLS, or waiting for one that is kept. */
  readonly connectMs?: number;
  /** Until the request was sent. */
  readonly sendMs?: number;
  /** Until the answer began. */
  readonly waitMs?: number;
  /** Until the answer was read as far as it is read. */
  readonly readMs?: number;
}

export type PostResult = { readonly phases?: Phases } & (
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The `Retry-After` header as it came. */
      readonly retryAfter?: string;
      /** The first 1 KB of the answer (D-31). */
      readonly excerpt: string;
    }
  | {
      readonly kind: 'failed';
      readonly failure: Failure;
      /** For the attempt log: what the network said, without secrets. */
      readonly detail: string;
    }
);

/** One POST with a deadline. Every way it can end is a value; a rejection means a bug. */
export interface Transport {
  post(request: PostRequest, signal: AbortSignal): Promise<PostResult>;
  close(): Promise<void>;
}

/** Why a call was not taken. Nothing of it was queued, and the program goes on. */
export type RefusalReason =
  /** A field is missing, or is of the wrong kind. */
  | 'invalid_message'
  /** Something in the message cannot be written as JSON: a BigInt, a circle, a `toJSON` or getter that throws. */
  | 'unserializable'
  /** Over 32 KB of JSON in UTF-8 (LIB-10). */
  | 'event_too_large'
  /** The client holds `maxQueueSize` messages, or `maxQueueBytes` of them (LIB-8). */
  | 'queue_full'
  /** `close` was called. */
  | 'closed'
  /** The store that was given could not keep it. */
  | 'not_stored';

/** Why a message that was taken could not be delivered. */
export type FailureReason =
  /** The server answered with a status that no retry can mend. */
  | 'rejected'
  /** The server answered with a redirect; following it would lose the batch, so it is an error. */
  | 'redirected'
  /** Tried again `maxRetries` times, in vain. */
  | 'retries_exhausted'
  /** Waited as long as `maxTotalBackoffMs` or `maxRateLimitMs` allow. */
  | 'time_exhausted'
  /** Not sent when `close`, or the end of the process, would wait no longer. It may have arrived. */
  | 'abandoned';

/** Whether a message was taken; in `syncMode` and for `onSettled`, whether it was delivered (D-51). */
export type CallResult =
  | { readonly ok: true; readonly messageId: string }
  | { readonly ok: false; readonly reason: RefusalReason | FailureReason; readonly message: string };

/** Thrown and caught inside the library only: the callers get a `CallResult`. */
export class Refusal extends Error {
  declare readonly reason: RefusalReason;

  constructor(message: string, reason: RefusalReason = 'invalid_message') {
    super(message);
    this.reason = reason;
  }
}

/** Names the kind and never the value: values are people's data, and refusals are logged. */
export function wrong(field: string, wanted: string, value: unknown): Refusal {
  const kind = value === '' ? 'empty text' : Array.isArray(value) ? 'an array' : typeof value;
  return new Refusal(`${field} must be ${wanted}, got: ${kind}`);
}

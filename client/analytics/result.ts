/** Why a call was not taken. Nothing of it was queued, and the program goes on. */
export const REFUSALS = [
  /** A field is missing, or is of the wrong kind. */
  'invalid_message',
  /** Something in the message cannot be written as JSON: a BigInt, a circle, a `toJSON` or getter that throws. */
  'unserializable',
  /** Over 32 KB of JSON in UTF-8 (LIB-10). */
  'event_too_large',
  /** The client holds `maxQueueSize` messages, or `maxQueueBytes` of them (LIB-8). */
  'queue_full',
  /** `close` was called. */
  'closed',
  /** The store that was given could not keep it. */
  'not_stored',
] as const;

/** Why a message that was taken could not be delivered. */
export const FAILURES = [
  /** The server answered with a status that no retry can mend. */
  'rejected',
  /** The server answered with a redirect; following it would lose the batch, so it is an error. */
  'redirected',
  /** Tried again `maxRetries` times, in vain. */
  'retries_exhausted',
  /** Waited as long as `maxTotalBackoffMs` or `maxRateLimitMs` allow. */
  'time_exhausted',
  /** Not sent when `close`, or the end of the process, would wait no longer. It may have arrived. */
  'abandoned',
] as const;

export type RefusalReason = (typeof REFUSALS)[number];
export type FailureReason = (typeof FAILURES)[number];

/** Whether a message was taken; in `syncMode` and for `onSettled`, whether it was delivered (D-51). */
export type CallResult =
  | { readonly ok: true; readonly messageId: string }
  | { readonly ok: false; readonly reason: RefusalReason | FailureReason; readonly message: string };

/** Thrown and caught inside the library only: the callers get a `CallResult`. */
export class Refusal extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

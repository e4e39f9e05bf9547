import type { FailureReason } from './result.ts';

/** Why messages were not delivered, as `onError` gets it. Holds no write key and no header. */
export class AnalyticsError extends Error {
  override readonly name = 'AnalyticsError';
  declare readonly reason: FailureReason;
  /** The last status that the server answered; undefined when it never did, and when the messages were abandoned. */
  declare readonly status: number | undefined;
  /** How many requests were made for these messages; 0 when they were abandoned, some of them perhaps in flight. */
  declare readonly attempts: number;

  constructor(reason: FailureReason, message: string, attempts: number, status?: number) {
    super(message);
    this.reason = reason;
    this.attempts = attempts;
    this.status = status;
  }
}

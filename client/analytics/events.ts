import type { AnalyticsError } from './error.ts';
import type { RefusalReason } from './result.ts';
import type { CallType } from './wire.ts';

/** What `on` can listen to. No event carries the write key. */
export interface AnalyticsEvents {
  /** A call was not taken. */
  readonly refused: { readonly type: CallType; readonly reason: RefusalReason; readonly message: string };
  readonly request: {
    readonly url: string;
    readonly attempt: number;
    readonly messages: number;
    /** Of the body as it is sent. */
    readonly bytes: number;
  };
  readonly response: { readonly status: number; readonly attempt: number; readonly durationMs: number };
  readonly retry: { readonly attempt: number; readonly waitMs: number; readonly cause: string };
  readonly delivered: { readonly messageIds: readonly string[]; readonly attempts: number };
  readonly failed: { readonly messageIds: readonly string[]; readonly error: AnalyticsError };
  /** Nothing is held any more. */
  readonly drained: Record<string, never>;
}

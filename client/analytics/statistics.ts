import type { FailureReason, RefusalReason } from './result.ts';

export type DropReason = RefusalReason | FailureReason;

/** Taken = delivered + failed + queued + inFlight, at any moment. */
export interface Statistics {
  /** Messages that wait for their request. */
  readonly queued: number;
  /** Messages whose request is being made, or will be made again. */
  readonly inFlight: number;
  /** Bytes of JSON that both hold. */
  readonly heldBytes: number;
  readonly delivered: number;
  /** Taken, and given up. */
  readonly failed: number;
  /** Calls that were not taken. */
  readonly refused: number;
  /** All that was lost, refused or failed, by reason. */
  readonly dropped: Readonly<Record<DropReason, number>>;
  readonly requests: number;
  readonly retries: number;
}

/** What a client holds now. */
export type Held = Pick<Statistics, 'queued' | 'inFlight' | 'heldBytes'>;

/** What is only ever added to. */
export interface Counters {
  delivered: number;
  failed: number;
  refused: number;
  requests: number;
  retries: number;
  readonly dropped: Record<DropReason, number>;
}

export function newCounters(): Counters {
  const dropped = {
    invalid_message: 0,
    unserializable: 0,
    event_too_large: 0,
    queue_full: 0,
    closed: 0,
    not_stored: 0,
    rejected: 0,
    redirected: 0,
    retries_exhausted: 0,
    time_exhausted: 0,
    abandoned: 0,
  };
  return { delivered: 0, failed: 0, refused: 0, requests: 0, retries: 0, dropped };
}

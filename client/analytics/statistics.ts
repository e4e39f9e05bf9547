import { FAILURES, type FailureReason, REFUSALS, type RefusalReason } from './result.ts';

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

/** What is only ever added to. */
export class Counters {
  delivered = 0;
  requests = 0;
  retries = 0;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- these are all reasons
  readonly dropped = Object.fromEntries([...REFUSALS, ...FAILURES].map((reason) => [reason, 0])) as Record<
    DropReason,
    number
  >;

  snapshot(held: Pick<Statistics, 'queued' | 'inFlight' | 'heldBytes'>): Statistics {
    const { delivered, requests, retries } = this;
    const dropped = { ...this.dropped };
    return { ...held, delivered, failed: sum(FAILURES), refused: sum(REFUSALS), dropped, requests, retries };

    function sum(reasons: readonly DropReason[]): number {
      return reasons.reduce((total, reason) => total + dropped[reason], 0);
    }
  }
}

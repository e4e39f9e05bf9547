import type { Acceptance, Claim, RoundRecord } from '../model/delivery.ts';

/**
 * Which of the pending deliveries of a destination are taken: those that are `due`, earliest first; those that were
 * `received` up to a moment, oldest first, due or not; or a `probe`: the least tried of the oldest, due or not, so that
 * one event that a receiver cannot take does not stand in the way of all others (D-25).
 */
export type Claiming =
  | { readonly which: 'due'; readonly now: number }
  | { readonly which: 'received'; readonly upTo: number }
  | { readonly which: 'probe' };

export type ClaimRequest = Claiming & {
  readonly destination: string;
  readonly limit: number;
  /** So many bytes of events together at most, but one event in any case. Absent: no bound. */
  readonly bytes?: number;
};

export interface Claimed {
  readonly claims: readonly Claim[];
  /** When the next delivery that still waits for this destination is due; undefined when none does. */
  readonly nextDueAt: number | undefined;
  /** When the oldest that still waits was accepted; undefined when none does. */
  readonly oldestReceivedAt: number | undefined;
}

/** What waits for one destination. */
export interface Backlog {
  readonly destination: string;
  readonly waiting: number;
  readonly nextDueAt: number;
  readonly oldestReceivedAt: number;
}

/** Deliveries of one state that have not ended. */
export interface Unfinished {
  readonly state: 'pending' | 'trying';
  readonly count: number;
  /** When the oldest was accepted, or last replayed; undefined when there is none. */
  readonly oldestReceivedAt: number | undefined;
}

/**
 * Messages and deliveries. Times are steady ones of the process that asks (HOOK-21), but for those that the log shows:
 * the acceptance, as the event itself says, attempts and ends. Everything resolved is on disk and survives the end of the process (ING-10); concurrent
 * calls share a commit. A rejection with StoreUnavailable left nothing behind.
 */
export interface DeliveryStorage {
  /**
   * All or nothing. The answer has an entry for each acceptance: the claims of its claimed routes, or 'duplicate' when
   * the source sent this messageId before (D-43), and then nothing of it was stored.
   */
  accept(acceptances: readonly Acceptance[]): Promise<readonly (readonly Claim[] | 'duplicate')[]>;
  /** Takes deliveries of one destination that are pending, and counts the round of each. */
  claim(request: ClaimRequest): Promise<Claimed>;
  /**
   * Stores what a round did, and what comes next. A verdict counts once, and only for the round that is being tried:
   * attempts that are reported after it are kept, and change nothing else.
   */
  record(rounds: readonly RoundRecord[]): Promise<void>;
  /** Puts claims back unsent, due at once, as if they had not been taken; but their rounds stay counted. */
  release(deliveries: readonly number[]): Promise<void>;
  /**
   * Frees what an earlier process had taken and did not end; answers how many. Where a due time was set at a moment that
   * `now` has not reached, the clock has gone back: it is due, and its window is as long as it was then, no longer
   * (HOOK-21). Called once, before any claim.
   */
  recover(now: number): Promise<number>;
  /** Every destination that something waits for. */
  backlog(): Promise<readonly Backlog[]>;
  /** What has not ended, over all destinations; an entry for each of the two states. */
  unfinished(): Promise<readonly Unfinished[]>;
}

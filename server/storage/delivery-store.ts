import type { Outcome } from '../model/outcome.ts';
import type { Message } from '../model/message.ts';
import type { Phases } from '../ports/transport.ts';

/** A message, with the destinations it goes to. */
export interface Acceptance {
  readonly message: Message;
  readonly routes: readonly Route[];
}

export interface Route {
  /** Full resource name of the destination. */
  readonly destination: string;
  /** True: the dispatcher will try it at once, so it is stored as being tried, with its first round counted. */
  readonly claimed: boolean;
}

/** A message on its way to one destination, taken by the dispatcher for one round. */
export interface Claim {
  readonly delivery: number;
  readonly destination: string;
  /** Of a replayed delivery, `receivedAt` is when it was replayed: its window begins anew; the event stays as it was. */
  readonly message: Message;
  /** Characters of the event's JSON, where the store knows it: what it takes in memory follows from that. */
  readonly bytes?: number;
  /**
   * Rounds begun, this one included, over all replays: counted before anything is sent, and never taken back, so that it
   * tells a report of an earlier round from one of this.
   */
  readonly round: number;
  /**
   * Of the rounds since the last replay, how many attempted something and count: the waits follow from them, and a window
   * that is over ends only what has been tried (HOOK-20). What a kill or a release ended is not among them.
   */
  readonly tries: number;
  /** How many of them were before the last replay, which began the schedule anew; absent when there was none. */
  readonly earlierRounds?: number;
  /** URLs that answered with a permanent failure in an earlier round, and are not tried again (D-22). */
  readonly closed: readonly string[];
}

/** One POST to one webhook, as the attempt log keeps it (D-31). */
export interface Attempt {
  readonly webhook: string;
  /** By the wall. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly phases?: Phases;
  readonly outcome: Outcome;
  readonly status?: number;
  readonly excerpt: string;
  /** The rule that decided what happens next. */
  readonly rule: string;
}

/** When a delivery is tried again, and what it has behind it. */
export interface Postponement {
  readonly state: 'pending';
  readonly dueAt: number;
  /** The moment at which `dueAt` was chosen: a clock that later reads an earlier one has gone back (HOOK-21). */
  readonly setAt: number;
  readonly closed: readonly string[];
  /** As in a claim, this round included if it counts. */
  readonly tries: number;
}

export type Verdict = Postponement | { readonly state: 'delivered' | 'failed' | 'expired' | 'cancelled' };

export interface RoundRecord {
  readonly delivery: number;
  readonly destination: string;
  readonly round: number;
  readonly attempts: readonly Attempt[];
  readonly verdict: Verdict;
  /** When the verdict was found, by the wall: the log shows it. */
  readonly endedAt: number;
  /** How long after the acceptance, or the last replay, that was. */
  readonly ageMs: number;
}

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
export interface DeliveryStore {
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
  /** Waits until all that was asked is on disk, then ends. */
  close(): Promise<void>;
}

import type { Acceptance, Claim, Fence, RoundRecord } from '../model/delivery.ts';

/** How many of the oldest are looked at to find the one that has been tried least. */
export const PROBE_AMONG = 100;

/**
 * How long what waits behind another of its line is not looked at. It is taken with the end of that one: this is for the case
 * that whoever recorded the end could not.
 */
export const BEHIND_MS = 60_000;

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

/** A destination for which something waits. */
export interface Backlog {
  readonly destination: string;
  readonly nextDueAt: number;
  readonly oldestReceivedAt: number;
}

export interface CountedBacklog extends Backlog {
  /** Where all of the queue is on this page; else how much of it. */
  readonly waiting: number;
}

/** Deliveries that have not ended. */
export interface Unfinished {
  readonly count: number;
  /** When the oldest was accepted, or last replayed; undefined when there is none. */
  readonly oldestReceivedAt: number | undefined;
}

/** What waits, a page of destinations at a time. */
export interface BacklogPage<Queue = Backlog> {
  readonly queues: readonly Queue[];
  /** Where to go on; undefined when there are no more. */
  readonly next: string | undefined;
}

/** So many deliveries are counted for a page: what is beyond, of the last of its destinations as well, is on the next ones. */
export interface CountRequest extends PageRequest {
  readonly destinations: readonly string[];
}

/** A delivery that a node holds. */
export interface Held extends Fence {
  readonly destination: string;
}

/** What a node holds, a page at a time. */
export interface HeldPage {
  readonly held: readonly Held[];
  /** Where to go on; undefined when there are no more. */
  readonly next: string | undefined;
}

export interface PageRequest {
  /** The `next` of the page before; absent begins with the first. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface AcceptRequest {
  /** Made by the caller for this batch, and for no other. */
  readonly key: string;
  /** Full name of the workspace that the messages belong to … */
  readonly workspace: string;
  /** … and its version by which they were routed; 0 where there is none. */
  readonly version: number;
  readonly acceptances: readonly Acceptance[];
}

/** For each acceptance the claims of its claimed routes, or 'duplicate' when the source sent this messageId before (D-43). */
export type Accepted = readonly (readonly Claim[] | 'duplicate')[];

/** Indices of the rows that changed nothing of their deliveries. */
export type Refused = readonly number[];

export interface Recorded {
  readonly refused: Refused;
  /** Taken in the place of those that have ended: the next of each line. */
  readonly next: readonly Claim[];
}

/**
 * Messages and deliveries. Nothing above may assume that it is alone: other nodes take and free deliveries of the same
 * storage. Times are steady ones of the process that asks (HOOK-21), but for those that the log shows: the acceptance, as
 * the event itself says, attempts and ends. Everything resolved is on disk and survives the end of the process (ING-10);
 * concurrent calls share a commit. A rejection left nothing behind, except OutcomeUnknown, of which nobody knows.
 *
 * Of the deliveries of one line to one destination that have not ended, only the first is ever taken (HOOK-25). They are in the
 * order of their acceptances, or last replays; those of one batch in its order.
 */
export interface DeliveryStorage {
  /**
   * All or nothing; what is a duplicate is not stored. Asked again with the same key, it stores nothing more and answers the
   * same, with the same claims. A route in a line may stay unclaimed, and does while others of its line have not ended. Rejects with StaleRouting when the workspace has another version by now, and with
   * NotAMember where a route is claimed and this node's life is over.
   */
  accept(request: AcceptRequest): Promise<Accepted>;
  /** Takes deliveries of one destination that are pending, and counts the round of each. Rejects with NotAMember. */
  claim(request: ClaimRequest): Promise<Claimed>;
  /**
   * Stores what rounds did, and what comes next. A verdict counts once, and only by the fence of the round that is being
   * tried; answers which did not count. Of these the attempts are kept as long as the life of their node goes on, once
   * each, however often they are reported; of a life that is over nothing is. Where one of a line has ended, the next is taken.
   */
  record(rounds: readonly RoundRecord[]): Promise<Recorded>;
  /**
   * Puts claims back unsent, due at once, as if they had not been taken; but their rounds stay counted. Answers which were
   * not held by their fences any more, and stay as they are.
   */
  release(claims: readonly Fence[]): Promise<Refused>;
  /**
   * What this life of the node holds. What the node does not know of was taken by a call whose answer it never got: it may
   * release that, so that nothing waits for an answer for ever.
   */
  held(page: PageRequest): Promise<HeldPage>;
  /** Every destination that something waits for, in a time that does not depend on how much. */
  backlog(page: PageRequest): Promise<BacklogPage>;
  /** Those of these destinations for which something waits, and how much does. */
  countBacklog(request: CountRequest): Promise<BacklogPage<CountedBacklog>>;
  /** What is being tried, over all destinations: no more than routers have in memory. */
  trying(): Promise<Unfinished>;
}

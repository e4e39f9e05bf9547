import type { Phases } from '../ports/transport.ts';
import type { Message } from './message.ts';
import type { Outcome } from './outcome.ts';

/** A message, with the destinations it goes to. */
export interface Acceptance {
  readonly message: Message;
  readonly routes: readonly Route[];
  /** What audiences are to see of it, as JSON; absent where they have no use for it. */
  readonly caught?: string;
}

export interface Route {
  /** Full resource name of the destination. */
  readonly destination: string;
  /** True: the dispatcher will try it at once, so it is stored as being tried, with its first round counted. */
  readonly claimed: boolean;
  /** Where the destination keeps the order of each user: see `lineOf`. Absent: it goes as it comes. */
  readonly line?: number | undefined;
}

declare const brand: unique symbol;

/** Names a delivery. What is in it is the storage's own: everybody else compares it, and hands it back. */
export type DeliveryId = string & { readonly [brand]: 'delivery' };

/** What somebody says is the id of a delivery; there need not be one. */
export function deliveryId(text: string): DeliveryId {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the storage finds out
  return text as DeliveryId;
}

/**
 * Who tries a delivery, and for the how manieth time. The storage refuses what is written with it once the life of the
 * node is over, or the delivery has gone on.
 */
export interface Fence {
  readonly delivery: DeliveryId;
  readonly node: string;
  /** Which life of the node; each is numbered higher than the one before. */
  readonly epoch: number;
  /**
   * Rounds begun, this one included, over all replays: counted before anything is sent, and never taken back, so that it
   * tells a report of an earlier round from one of this.
   */
  readonly round: number;
}

/** A message on its way to one destination, taken by the dispatcher for one round. */
export interface Claim extends Fence {
  readonly destination: string;
  /** Of a replayed delivery, `receivedAt` is when it was replayed: its window begins anew; the event stays as it was. */
  readonly message: Message;
  /** Characters of the event's JSON, where the store knows it: what it takes in memory follows from that. */
  readonly bytes?: number;
  /**
   * Of the rounds since the last replay, how many attempted something and count: the waits follow from them, and a window
   * that is over ends only what has been tried (HOOK-20). What a kill or a release ended is not among them.
   */
  readonly tries: number;
  /** How many of them were before the last replay, which began the schedule anew; absent when there was none. */
  readonly earlierRounds?: number;
  /** URLs that answered with a permanent failure in an earlier round, and are not tried again (D-22). */
  readonly closed: readonly string[];
  /** As its route had it. */
  readonly line?: number;
}

/** One POST to one webhook, as the attempt log keeps it (D-31). */
export interface Attempt {
  readonly webhook: string;
  /** Which of its round it is: the same for whoever reports it again. */
  readonly number: number;
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

export interface RoundRecord extends Fence {
  readonly destination: string;
  readonly attempts: readonly Attempt[];
  readonly verdict: Verdict;
  /** When the verdict was found, by the wall: the log shows it. */
  readonly endedAt: number;
  /** How long after the acceptance, or the last replay, that was. */
  readonly ageMs: number;
  /** As its claim has it. */
  readonly line?: number;
}

export type DeliveryState = Verdict['state'] | 'trying';

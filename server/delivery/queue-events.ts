import type { Claim } from '../model/delivery.ts';
import type { Claiming } from '../storage/delivery-storage.ts';
import type { CircuitNews } from '../storage/members.ts';
import type { EndedRound } from './circuit.ts';
import type { Room, Stored } from './refill.ts';

export interface Amount {
  readonly count: number;
  readonly bytes: number;
}

/** What happens to a queue. */
export type QueueEvent =
  /** Storage holds a delivery that nobody has claimed. */
  | { readonly type: 'stored'; readonly dueAt: number; readonly receivedAt: number }
  /** A place is kept for an event that is being stored; where `accepts` allows it. */
  | { readonly type: 'reserved' }
  /**
   * So many places are given back: storage has answered, or will not. What it stored as claimed, and what it gives with the end of others,
   * is the last of the list.
   */
  | ({ readonly type: 'claimed'; readonly places: number } & Amount)
  /** Storage has answered; the claims are the last of the list, and `first` is the first of them. */
  | ({ readonly type: 'refilled'; readonly first: Claim['delivery'] | undefined } & Amount & Stored)
  | { readonly type: 'refill failed' }
  /** The first claim of the list has begun its round; where `canStart` allows it. `isOver`: its window is, so nothing is sent. */
  | { readonly type: 'started'; readonly bytes: number; readonly isOver?: boolean }
  | ({ readonly type: 'ended' } & EndedRound)
  /** Claims that were put back are in storage again. */
  | { readonly type: 'returned'; readonly count: number; readonly oldestAt: number | undefined }
  /** Storage could not take them back; they are in the list again. */
  | ({ readonly type: 'return failed' } & Amount)
  /** Another member has found how the destination is. */
  | { readonly type: 'heard'; readonly circuit: CircuitNews['circuit'] }
  /** The members have changed, and with them, maybe, what this router may do for the destination. */
  | { readonly type: 'moved' }
  /** The timer rang, or memory was freed. */
  | { readonly type: 'tick' };

/** What a queue asks storage for. */
export type RefillRequest = Claiming & Room;

/** What is to be done for it. */
export type QueueEffect =
  /** Ask storage for claims. */
  | { readonly type: 'refill'; readonly request: RefillRequest }
  /** Take the last claims of the list, and put them back. */
  | { readonly type: 'put back'; readonly count: number }
  /** Send a `tick` then. */
  | { readonly type: 'wake'; readonly at: number }
  | { readonly type: 'report'; readonly circuit: 'open' | 'closed' }
  /** Tell the owner of the queue that something waits in it. */
  | { readonly type: 'tell'; readonly dueAt: number; readonly receivedAt: number }
  /** Nothing is to be remembered of this destination any more. */
  | { readonly type: 'forget' };

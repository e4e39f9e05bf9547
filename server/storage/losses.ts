import type { ErasedUsers } from '../losses/erase-items.ts';

/** What was lost in one way, of one owner. The storage need not know what it is. */
export interface LossCount {
  /** A source, a definition; empty where it belongs to nobody. */
  readonly owner: string;
  readonly list: string;
  readonly what: string;
  /** What senders chose, and so knows no bound; empty where there is none, or there are too many to count each. */
  readonly detail: string;
  readonly count: number;
  /** By the wall of whoever counted, in milliseconds since the epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
}

export interface LossItem {
  readonly owner: string;
  readonly list: string;
  readonly item: string;
}

export interface LossBatch {
  readonly counts: readonly LossCount[];
  /** The oldest first. */
  readonly items: readonly LossItem[];
}

export interface LossQuery {
  readonly owners: readonly string[];
  readonly lists: readonly string[];
}

export interface StoredLosses extends LossBatch {
  /** When counting began; what is older than a week is not counted any more. */
  readonly since: number;
  /** The newest first: the last of each owner and list. */
  readonly items: readonly LossItem[];
}

/** So many items of each owner and list can be read. */
export const KEPT_ITEMS = 100;
/** So many details of each owner and list are counted apart in a day, or a few more; the others without one. */
export const KEPT_DETAILS = 1_000;
export const KEPT_DAYS = 7;

/** What all routers of a storage lost, added up. */
export interface LossStorage {
  /** All of the batch or nothing. */
  addLosses(batch: LossBatch): Promise<void>;
  losses(query: LossQuery): Promise<StoredLosses>;
  /** Removes items of a workspace or a source that name a user, and details that do: their counts stay, without one. */
  eraseItems(users: ErasedUsers): Promise<void>;
}

import type { DeliveryId } from '../model/delivery.ts';
import type { DeliveryStory, HourlyCount, HourlySums, LogFilter, LoggedDelivery } from '../model/logged-delivery.ts';

export interface LogQuery {
  readonly destination: string;
  readonly filter: LogFilter;
  /** The `next` of the page before; absent begins with the newest. */
  readonly before?: string;
  readonly limit: number;
}

export interface LogPage {
  /** Newest first; at most as many as the limit, and possibly fewer although there are more. */
  readonly deliveries: readonly LoggedDelivery[];
  /** Where to go on: a place that only the storage can read. Absent when there is nothing older. */
  readonly next?: string;
}

/** However often a delivery was replayed: what is read of it, and looked at to be shown, takes some milliseconds. */
export const MAX_TOLD = 500;

/** One delivery, of the destination that the request is about. */
export interface DeliveryOf {
  readonly destination: string;
  readonly delivery: DeliveryId;
}

export interface CountsQuery {
  readonly destination: string;
  readonly from: number;
  readonly to: number;
}

export interface SumsQuery {
  readonly destinations: readonly string[];
  readonly from: number;
  readonly to: number;
}

/**
 * The attempt log, to be read (D-31). A call looks at a bounded number of rows, whatever the filter and the size of the
 * log, so that it never holds up what is being delivered.
 */
export interface DeliveryLog {
  /**
   * In the order of acceptance. Whoever follows the pages to their end has seen each delivery once that was stored when
   * they began, and those stored meanwhile whose place was still ahead, however late they were committed.
   */
  list(query: LogQuery): Promise<LogPage>;
  /**
   * Undefined when this destination has no such delivery, or has it no more. Of its attempts, and of its replays, the last
   * `MAX_TOLD`.
   */
  read(delivery: DeliveryOf): Promise<DeliveryStory | undefined>;
  /** The counts of the hours from the one that `from` lies in to the one that ends with, or after, `to`. */
  counts(query: CountsQuery): Promise<readonly HourlyCount[]>;
  /** The counts of these hours, added up. How much of the storage's time it takes is by destinations times hours. */
  sums(query: SumsQuery): Promise<HourlySums>;
}

/** So many more of something, in an hour. */
export interface HourlyAddition {
  /** Full name of what it is counted of. */
  readonly of: string;
  /** When the hour begins, by the wall. */
  readonly hour: number;
  readonly what: string;
  readonly count: number;
}

/** Counts that others keep than the storage itself does; they are read, and end with retention, as its own. */
export interface CountStorage {
  /** Answers for each what there is then, of all routers together. All of it or nothing. */
  addCounts(additions: readonly HourlyAddition[]): Promise<readonly number[]>;
}

import type { DeliveryStory, HourlyCount, LogFilter, LoggedDelivery, LogPosition } from '../model/logged-delivery.ts';

export interface LogQuery {
  readonly destination: string;
  readonly filter: LogFilter;
  /** Only what is older than this; absent begins with the newest. */
  readonly before?: LogPosition;
  readonly limit: number;
}

export interface LogPage {
  /** Newest first; at most as many as the limit, and possibly fewer although there are more. */
  readonly deliveries: readonly LoggedDelivery[];
  /** Where to go on; absent when there is nothing older. */
  readonly next?: LogPosition;
}

/** One delivery, of the destination that the request is about. */
export interface DeliveryOf {
  readonly destination: string;
  readonly delivery: number;
}

export interface CountsQuery {
  readonly destination: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The attempt log, to be read (D-31). A call looks at a bounded number of rows, whatever the filter and the size of the
 * log, so that it never holds up what is being delivered.
 */
export interface DeliveryLog {
  list(query: LogQuery): Promise<LogPage>;
  /** Undefined when this destination has no such delivery, or has it no more. */
  read(delivery: DeliveryOf): Promise<DeliveryStory | undefined>;
  /** The counts of the hours from the one that `from` lies in to the one that ends with, or after, `to`. */
  counts(query: CountsQuery): Promise<readonly HourlyCount[]>;
}

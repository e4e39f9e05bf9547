// Apart from what counts: the packed testbed has these types without the library that counts.
/** What is left to somebody after a request was counted. */
export interface Allowance {
  /** False: this request is one too many. */
  readonly isWithin: boolean;
  /** Requests in a window. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until all of them are there again, rounded up: who waits so long does not come too early. */
  readonly resetS: number;
}

/**
 * Counts requests by whoever sent them, in windows of a minute that begin with the first request. Asynchronous, so that
 * several routers can share one count.
 */
export interface RateLimit {
  /** The key of several senders together has so many `times` the limit of one. */
  take(key: string, times?: number): Promise<Allowance>;
}

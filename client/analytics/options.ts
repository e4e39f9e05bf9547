import type { Clock } from './clock.ts';
import type { AnalyticsError } from './error.ts';
import type { Fetch } from './fetch.ts';
import type { Logger } from './logger.ts';
import type { RetryPolicy } from './retry-decision.ts';
import type { Store } from './store.ts';
import type { Message } from './wire.ts';

/** What may be set (LIB-5, D-50). The first nine are the seed's, with its units; ours carry their unit in the name. */
export interface AnalyticsOptions<Sync extends boolean = boolean> {
  /** Logs what is sent, retried and settled. Default false. */
  readonly debug?: boolean | undefined;
  /** False checks and answers each call, and sends nothing: for tests. Default true. */
  readonly send?: boolean | undefined;
  /** Called with messages that were given up, as they were sent; what it throws is logged, and changes nothing. */
  readonly onError?: ((error: AnalyticsError, items: readonly Message[]) => unknown) | undefined;
  /** Messages that the client holds at most, those in flight included. Default 10 000. */
  readonly maxQueueSize?: number | undefined;
  /** Seconds that a message waits for its batch to fill, at most. Default 0.5. */
  readonly uploadInterval?: number | undefined;
  /** Messages of a request, 1 to 2 500. Default 100. */
  readonly uploadSize?: number | undefined;
  /** Compresses requests. Default false. */
  readonly gzip?: boolean | undefined;
  /** Each call makes its own request, and gives a promise of how it ended. Default false. */
  readonly syncMode?: Sync | undefined;
  /** Where to send to. Default `HOSTS.default`. */
  readonly host?: string | undefined;

  /** Bytes of JSON that the client holds at most. Default 32 MiB. */
  readonly maxQueueBytes?: number | undefined;
  /** Requests at a time. With more than 1, batches may arrive in another order. Default 1. */
  readonly maxInFlight?: number | undefined;
  /**
   * Retries of a request, besides waits that the server asks for. Default 10; no limit with a `store`, but for a message
   * that fails while others are delivered.
   */
  readonly maxRetries?: number | undefined;
  /** The whole time of one request. Default 15 000. */
  readonly requestTimeoutMs?: number | undefined;
  /** All waits between the retries of a request. Default 12 hours; no limit with a `store`. */
  readonly maxTotalBackoffMs?: number | undefined;
  /** All waits that the server asks for, for a request. Default 12 hours; no limit with a `store`. */
  readonly maxRateLimitMs?: number | undefined;
  /**
   * How long the end of a Node process may wait for messages; 0 lets it end at once. A request that is under way when all
   * else is done holds it as well, up to `requestTimeoutMs`, and with `syncMode` every call does until it ends. Default 5 000.
   */
  readonly exitTimeoutMs?: number | undefined;
  readonly fetch?: Fetch | undefined;
  /** Default `console`. */
  readonly logger?: Logger | undefined;
  /** Keeps messages beyond the process, such as the disk store for Node. Default none. */
  readonly store?: Store | undefined;
  readonly clock?: Clock | undefined;
  /** A uniform number in [0, 1), for the jitter of waits. */
  readonly random?: (() => number) | undefined;
}

/** Options with every default filled in. */
export interface Settings extends RetryPolicy {
  readonly authorization: string;
  readonly url: string;
  readonly debug: boolean;
  readonly send: boolean;
  readonly onError: AnalyticsOptions['onError'];
  readonly maxQueueSize: number;
  readonly maxQueueBytes: number;
  readonly uploadIntervalMs: number;
  readonly uploadSize: number;
  readonly gzip: boolean;
  readonly syncMode: boolean;
  readonly maxInFlight: number;
  readonly requestTimeoutMs: number;
  readonly exitTimeoutMs: number;
  readonly fetch: Fetch;
  readonly logger: Logger;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The figures of delivery (S 8.2, D-23, D-24, D-26). All times in milliseconds. */
export interface DeliveryPolicy {
  /** How long after its acceptance an event may still be tried. */
  readonly windowMs: number;
  /** The budget of one attempt. */
  readonly deadlineMs: number;
  /** The wait after the first round; each later one is twice the one before … */
  readonly firstWaitMs: number;
  /** … up to this. */
  readonly maxWaitMs: number;
  /** Deliveries of one destination that may be in flight at once. */
  readonly perDestination: number;
  /** Deliveries of all destinations that may be in flight at once. */
  readonly inFlight: number;
  /** Deliveries of one destination that may be in flight at first; each success allows one more (D-25). */
  readonly rampStart: number;
  /** After this many rounds in a row that failed temporarily a destination is parked (D-25). */
  readonly parkAfter: number;
  /**
   * Rounds of destinations that fail, or of which nothing is known and whose events have waited, which may be begun in a second
   * and get no answer: a few hundredths of a core (D-25).
   */
  readonly trialsPerSecond: number;
  /** Deliveries of one destination that wait in memory; the others wait in storage. */
  readonly queueRoom: number;
  /** Deliveries of all destinations that wait in memory. */
  readonly totalRoom: number;
  /** Bytes of the events that wait in memory, as JSON: parsed, one of many small values takes twelve times as much. */
  readonly totalBytes: number;
}

export const DEFAULT_POLICY: DeliveryPolicy = {
  windowMs: 4 * HOUR,
  deadlineMs: 5 * SECOND,
  firstWaitMs: 10 * SECOND,
  maxWaitMs: 10 * MINUTE,
  perDestination: 32,
  inFlight: 1_024,
  rampStart: 4,
  parkAfter: 10,
  trialsPerSecond: 500,
  queueRoom: 1_000,
  totalRoom: 10_000,
  totalBytes: 64 * 2 ** 20,
};

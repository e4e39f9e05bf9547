export interface SweepRequest {
  /** What ended before this goes, with its attempts, and its message with the last of its deliveries. */
  readonly endedBefore: number;
  /** Message ids seen before this go. */
  readonly seenBefore: number;
  /** Where the sweep before this one stopped; 0 begins at the oldest. */
  readonly after: number;
  /** So many rows of each kind are looked at. */
  readonly limit: number;
}

export interface Swept {
  readonly deliveries: number;
  readonly ids: number;
  /** Where to go on; undefined when the rest is too young. */
  readonly next: number | undefined;
}

/** Forgets what is old. Each call is a small transaction; what they free is used again or given back to the disk. */
export interface RetentionStore {
  sweep(request: SweepRequest): Promise<Swept>;
}

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

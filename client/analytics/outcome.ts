/** How one request ended. */
export interface Outcome {
  /** Of the answer; 0 for a page in its place, undefined when none came. */
  readonly status?: number;
  /** The `Retry-After` header as it came. */
  readonly retryAfter?: string | null | undefined;
  /** In words: the status and the first characters of the answer's body, or why none came. */
  readonly cause: string;
}

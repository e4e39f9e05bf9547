/** Time, as a port: production binds the real one, tests and simulations bind one that they move by hand. */
export interface Clock {
  /**
   * The wall: milliseconds since the epoch, as people count them. It can be set, back and forth, so it is for what people
   * read, and for nothing that waits.
   */
  now(): number;
  /**
   * What waits and windows are measured by (HOOK-21): the wall's reading when this process began, and from there on only
   * the time that has really passed. Whole milliseconds.
   */
  steady(): number;
  /** Resolves after `ms`, or at once when the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** One moment by both clocks. */
export interface Moment {
  readonly wall: number;
  readonly steady: number;
}

export function momentOf(clock: Clock): Moment {
  return { wall: clock.now(), steady: clock.steady() };
}

/** What is spent at a rate. */
export interface Spending {
  readonly events: number;
  readonly perSecond: number;
}

/** So much of the rate may be spent ahead. */
export const AHEAD_MS = 1_000;

/**
 * A rate is kept by one number, however much passes: until when what was let in takes it up (GCRA). Events pass at once as
 * long as that is no more than a second ahead; more of them than a second has pass once nothing is ahead, and are paid for
 * afterwards, so that no batch waits for ever. Answers how long these have to wait.
 */
export function waitMs(busyUntil: number, spending: Spending, now: number): number {
  return Math.max(0, busyUntil - now - Math.max(0, AHEAD_MS - takesMs(spending)));
}

/** Until when the rate is taken up after these events, which came at `at`. */
export function busyAfter(busyUntil: number, spending: Spending, at: number): number {
  return Math.max(busyUntil, at) + takesMs(spending);
}

export function takesMs({ events, perSecond }: Spending): number {
  return (events * 1_000) / perSecond;
}

import type { Clock, Moment } from '../../ports/clock.ts';

/** A clock whose two readings are one, and on which every wait is over at once. */
export function stillClock(read: () => number): Clock {
  return { now: read, steady: read, sleep: () => Promise.resolve() };
}

/** A moment at which the wall has never been set. */
export function momentAt(at: number): Moment {
  return { wall: at, steady: at };
}

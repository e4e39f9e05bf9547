import type { Event } from '../model/message.ts';

export const HOUR_MS = 3_600_000;
const HOURS_OF_A_DAY = 24;

/** When an event happened, as far as audiences go: what says that it comes from the future counts from its receipt. */
export function timeOf({ timestamp, receivedAt }: Pick<Event, 'timestamp' | 'receivedAt'>): number {
  return Math.min(Date.parse(timestamp), Date.parse(receivedAt));
}

/** Hour `n` is the half-open `(n h, (n + 1) h]` since the epoch. */
export function hourOf(at: number): number {
  return Math.ceil(at / HOUR_MS) - 1;
}

/** Days of UTC, in whole hours. */
export function dayOf(hour: number): number {
  return Math.floor(hour / HOURS_OF_A_DAY);
}

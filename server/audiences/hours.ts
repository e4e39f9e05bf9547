import type { Event } from '../model/message.ts';

export const HOUR_MS = 3_600_000;
const HOURS_OF_A_DAY = 24;
const USUAL_LENGTH = '2026-01-01T00:00:00.000Z'.length;

/** When an event happened, as far as audiences go: what says that it comes from the future counts from its receipt. */
export function timeOf({ timestamp, receivedAt }: Pick<Event, 'timestamp' | 'receivedAt'>): number {
  // Of years of four digits, times are in the order of their texts: no need to read both.
  const areComparable = timestamp.length === USUAL_LENGTH && receivedAt.length === USUAL_LENGTH;
  if (areComparable) return Date.parse(timestamp < receivedAt ? timestamp : receivedAt);
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

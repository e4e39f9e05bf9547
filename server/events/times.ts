import type { AdjustReason } from '../losses/dropped-events-port.ts';
import type { JsonObject } from '../model/message.ts';
import type { Draft } from './normalize.ts';
import type { Envelope } from './envelope.ts';
import { instantOf } from './instant.ts';
import { wordOf } from './json-values.ts';

/**
 * When a call happened, by the server's clock: `receivedAt - (sentAt - originalTimestamp)` (D-44). Without a timestamp
 * that is a time, the server's time (ING-6); without a time of sending, the timestamp's own instant. A call's own
 * `sentAt` stands over its batch's. `note` is told of times that were sent and cannot be used.
 */
export function addTimes(draft: Draft, call: JsonObject, envelope: Envelope, note: Note): void {
  const { timestamp } = call;
  const ownSentAt = wordOf(call['sentAt']);
  const sent = ownSentAt === undefined ? envelope.sentInstant : instantOf(call['sentAt']);
  const instant = corrected(instantOf(timestamp), sent, envelope);
  draft.timestamp = instant ?? envelope.receivedText;
  if (instant === undefined && isGiven(timestamp)) note('timestamp_unreadable');
  const originalTimestamp = wordOf(timestamp);
  if (originalTimestamp !== undefined) draft.originalTimestamp = originalTimestamp;
  const sentAt = ownSentAt ?? envelope.sentAt;
  if (sentAt !== undefined) draft.sentAt = sentAt;
  if (sent === undefined && sentAt !== undefined) note('sent_at_unreadable');
}

export type Note = (reason: AdjustReason) => void;

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** Undefined without a usable time: clocks that are thousands of years off could give an instant without a date. */
function corrected(
  original: number | undefined,
  sent: number | undefined,
  { receivedAt, iso }: Envelope,
): string | undefined {
  if (original === undefined) return undefined;
  const instant = sent === undefined ? original : receivedAt - (sent - original);
  return isWritable(instant) ? iso(instant) : undefined;
}

const MINUTE_MS = 60_000;

/** 0000-01-01 and the end of 9999: what ISO 8601 writes with four digits of the year. */
const EARLIEST = -62_167_219_200_000;
const LATEST = 253_402_300_799_999;

export function isWritable(instant: number): boolean {
  return instant >= EARLIEST && instant <= LATEST;
}

/**
 * Writes instants as ISO 8601 in UTC with milliseconds (HOOK-13). The events of a batch lie close together, so the last
 * minute is remembered: Date.toISOString for each of them would cost more than the rest of normalising.
 */
export function createIsoWriter(): (instant: number) => string {
  let lastMinute = Number.NaN;
  let prefix = '';
  return (instant) => {
    const minute = Math.floor(instant / MINUTE_MS);
    if (minute !== lastMinute) {
      lastMinute = minute;
      prefix = new Date(minute * MINUTE_MS).toISOString().slice(0, 17);
    }
    const ms = String(instant - minute * MINUTE_MS + 100_000);
    // Joined, because a text that was added together stays in pieces, and makes the JSON of its event twice as dear.
    return [prefix, ms.slice(1, 3), '.', ms.slice(3), 'Z'].join('');
  };
}

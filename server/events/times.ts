import type { AdjustReason } from '../losses/dropped-events.ts';
import type { JsonObject } from '../model/message.ts';
import type { Draft } from './normalize.ts';
import type { Envelope } from './normalize-calls.ts';
import { wordOf } from '../model/json-values.ts';
import { isWritable } from '../model/moments.ts';

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

/**
 * Writes instants as ISO 8601 in UTC with milliseconds (HOOK-13). The events of a batch lie close together, so the last
 * minute is remembered: Date.toISOString for each of them would cost more than the rest of normalizing.
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

/**
 * ISO 8601 in every form that SDKs write it: any fraction or none, an offset with or without a colon or none, months
 * and days of one digit, a date alone, and the compact form. Each part has a bounded length, so it never backtracks far.
 */
const EXTENDED =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:[Tt ](\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d{1,12}))?)?(?:[Zz]|([+-]\d\d):?(\d\d)?)?)?$/;
const COMPACT = /^(\d{4})(\d\d)(\d\d)[Tt](\d\d)(\d\d)(?:(\d\d)(?:[.,](\d{1,12}))?)?(?:[Zz]|([+-]\d\d):?(\d\d)?)?$/;
const EPOCH = /^\d{9,13}$/;

/** Four hundred years of the Gregorian calendar: it repeats after them. */
const CYCLE_YEARS = 400;
const CYCLE_MS = 146_097 * 86_400_000;

/** Epochs of up to ten digits are seconds (until the year 2286), longer ones are milliseconds. */
const SECONDS_BELOW = 1e10;

/**
 * The instant that a sender wrote, in milliseconds since the epoch; undefined when it is none. A time without a zone is
 * UTC (D-44, ING-9). Fractions beyond the millisecond are cut off.
 */
export function instantOf(value: unknown): number | undefined {
  if (typeof value === 'number') return ofEpoch(value);
  if (typeof value !== 'string') return undefined;
  const usual = ofUsualForm(value);
  if (!Number.isNaN(usual)) return usual;
  const parts = EXTENDED.exec(value) ?? COMPACT.exec(value);
  if (parts === null) return EPOCH.test(value) ? ofEpoch(Number(value)) : undefined;
  const instant = ofParts(parts);
  return Number.isNaN(instant) ? undefined : instant;
}

function ofEpoch(epoch: number): number | undefined {
  if (!Number.isFinite(epoch) || epoch < 1e8 || epoch >= 1e13) return undefined;
  return Math.trunc(epoch < SECONDS_BELOW ? epoch * 1000 : epoch);
}

/** The form that JavaScript writes, and so most senders, is read place by place, at a fraction of the cost; else NaN. */
function ofUsualForm(text: string): number {
  if (text.length !== 24 || text[4] !== '-' || text[7] !== '-' || text[10] !== 'T') return Number.NaN;
  if (text[13] !== ':' || text[16] !== ':' || text[19] !== '.' || text[23] !== 'Z') return Number.NaN;
  const clock = timeOfDay(digits(text, 11, 13), digits(text, 14, 16), digits(text, 17, 19));
  const midnight = startOfDay(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10));
  return midnight + clock + digits(text, 20, 23);
}

/** NaN when there is anything but digits between. */
function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : Number.NaN;
  }
  return value;
}

/** Parts by index: taking them apart as a list would cost more than all the rest. NaN where one of them is none. */
function ofParts(parts: RegExpExecArray): number {
  const clock = timeOfDay(Number(parts[4] ?? 0), Number(parts[5] ?? 0), Number(parts[6] ?? 0));
  const midnight = startOfDay(Number(parts[1]), Number(parts[2]), Number(parts[3]));
  const offset = parts[8] === undefined ? 0 : offsetOf(parts[8], Number(parts[9] ?? 0));
  return midnight + clock + millisecondsOf(parts[7]) - offset;
}

function millisecondsOf(fraction = ''): number {
  return Number(fraction.slice(0, 3).padEnd(3, '0'));
}

/** A second of 60 is a leap second, and reads as the next minute's first. NaN for what no clock shows. */
function timeOfDay(hour: number, minute: number, second: number): number {
  if (hour > 24 || minute > 59 || second > 60) return Number.NaN;
  return hour === 24 && minute + second > 0 ? Number.NaN : ((hour * 60 + minute) * 60 + second) * 1000;
}

/** Date.UTC takes years below 100 for those of the last century, so it is asked for one a cycle later. NaN for no date. */
function startOfDay(year: number, month: number, day: number): number {
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return Number.NaN;
  return Date.UTC(year + CYCLE_YEARS, month - 1, day) - CYCLE_MS;
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** NaN for what no zone has. */
function offsetOf(hours: string, minutes: number): number {
  const size = Number(hours.slice(1)) * 60 + minutes;
  if (size > 24 * 60 || minutes > 59) return Number.NaN;
  return (hours.startsWith('-') ? -size : size) * 60_000;
}

import type { JsonObject } from '../ports/message.ts';
import type { Draft } from './draft.ts';
import type { Envelope } from './envelope.ts';
import { instantOf } from './instant.ts';
import { isWritable } from './iso-text.ts';
import { wordOf } from './json-values.ts';

/**
 * When a call happened, by the server's clock: `receivedAt - (sentAt - originalTimestamp)` (D-44). Without a timestamp
 * that is a time, the server's time (ING-6); without a time of sending, the timestamp's own instant. A call's own
 * `sentAt` stands over its batch's.
 */
export function addTimes(draft: Draft, call: JsonObject, envelope: Envelope): void {
  const { timestamp } = call;
  const ownSentAt = wordOf(call['sentAt']);
  const sent = ownSentAt === undefined ? envelope.sentInstant : instantOf(call['sentAt']);
  draft.timestamp = corrected(instantOf(timestamp), sent, envelope);
  const originalTimestamp = wordOf(timestamp);
  if (originalTimestamp !== undefined) draft.originalTimestamp = originalTimestamp;
  const sentAt = ownSentAt ?? envelope.sentAt;
  if (sentAt !== undefined) draft.sentAt = sentAt;
}

/** Clocks that are thousands of years off could give an instant without a date; then the server's time is used. */
function corrected(original: number | undefined, sent: number | undefined, envelope: Envelope): string {
  if (original === undefined) return envelope.receivedText;
  const instant = sent === undefined ? original : envelope.receivedAt - (sent - original);
  return isWritable(instant) ? envelope.iso(instant) : envelope.receivedText;
}

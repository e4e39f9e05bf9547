import { bytesOf, type Item } from './item.ts';
import { byteLength } from './utf8.ts';

/** A request body, before compression, stays within this (LIB-10): the smallest reading of 500 KB. */
export const BATCH_BYTES = 500_000;

/** The body of a request. `sentAt` is the time of the attempt, so that the server can correct the sender's clock. */
export function batchBody(items: readonly Item[], sentAt: Date): string {
  return `{"batch":[${items.map((item) => item.json).join(',')}],"sentAt":"${sentAt.toISOString()}"}`;
}

/** What a body takes beside its items and a comma for each, but for the first; a time of today has the length of any other. */
const ENVELOPE_BYTES = byteLength(batchBody([], new Date(0))) - 1;

/** Of the body of a request with these items. */
export function bodyBytes(items: readonly Item[]): number {
  return ENVELOPE_BYTES + items.length + bytesOf(items);
}

/** How many of the oldest items make the next batch: at least one, at most `most`, within the bytes of a request. */
export function batchLength(items: readonly Item[], most: number, mostBytes: number): number {
  let bytes = ENVELOPE_BYTES;
  let length = 0;
  for (const item of items) {
    bytes += item.bytes + 1;
    if (length > 0 && (length >= most || bytes > mostBytes || item.tries !== items[0]?.tries)) return length;
    length += 1;
  }
  return length;
}

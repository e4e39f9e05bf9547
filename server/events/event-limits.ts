import type { DropReason } from '../losses/dropped-events.ts';
import { isDeeperThan, takesMoreThan } from '../model/json-values.ts';

/**
 * 500 KB, as the SDKs of the field count them: the largest body that any of them sends. A body that is larger when it
 * is inflated is refused whole, with 413 (ING-2, D-41).
 */
export const BODY_BYTES = 512_000;

/** An event whose JSON takes more bytes in UTF-8 is dropped alone (ING-3); SDKs refuse it at the same size. */
export const EVENT_BYTES = 32_768;

/** Values within values, the event itself counted; what is nested deeper is dropped alone. Real events stay below ten. */
export const EVENT_DEPTH = 1_000;

/** A batch of more events is answered 200, and all its events are dropped and counted. */
export const BATCH_EVENTS = 2_500;

/**
 * The context and integrations of a batch are stored with each of its events. This bounds what they add up to, so that
 * a small request cannot become a huge one.
 */
export const MERGED_BYTES = 4 * BODY_BYTES;

/**
 * Tells which events of one body are nested too deeply, or over 32 KB (ING-3), asked for each in turn; undefined for a body that is too
 * short for one. An event is written as JSON and measured only while the rest of the body could still hold one that large, so most
 * batches cost a fraction of that.
 */
export function createLimits(bodyBytes: number): ((event: unknown) => DropReason | undefined) | undefined {
  // Each level takes two brackets.
  if (bodyBytes <= 2 * EVENT_DEPTH) return undefined;
  // What the body may hold beside the events measured so far.
  let rest = bodyBytes;
  return (event) => {
    if (isTooDeep(event)) return 'bad_request';
    if (rest <= EVENT_BYTES) return undefined;
    const json = JSON.stringify(event);
    rest -= bytesSurelySent(json);
    return takesMoreThan(EVENT_BYTES, json) ? 'event_too_large' : undefined;
  };
}

/** The UTF-8 bytes of a value's JSON, as SDKs measure an event. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/**
 * A lower bound for what an event took in the body. JSON is never shorter as sent than as written again, but for two
 * forms: an exponent (`1e20`, `1e-6`) saves digits, of which more than three zeros in a row would tell; and a byte that
 * is no UTF-8 is read as U+FFFD, which takes three. With at most three zeros, `[1e-4]` for `[0.0001]` saves the most.
 */
function bytesSurelySent(json: string): number {
  return json.includes('0000') || json.includes('\uFFFD') ? 0 : json.length * 0.7;
}

export function isTooDeep(value: unknown): boolean {
  return isDeeperThan(value, EVENT_DEPTH);
}

import { EVENT_BYTES } from './limits.ts';

/**
 * Tells which events of one body are over 32 KB (ING-3), asked for each in turn. An event is written as JSON and
 * measured only while the rest of the body could still hold one that large, so most batches cost a fraction of that.
 */
export function createSizeCheck(bodyBytes: number): (event: unknown) => boolean {
  // What the body may hold beside the events measured so far.
  let rest = bodyBytes;
  return (event) => {
    if (rest <= EVENT_BYTES) return false;
    const json = JSON.stringify(event);
    rest -= bytesSurelySent(json);
    return bytesOfJson(json) > EVENT_BYTES;
  };
}

/** The UTF-8 bytes of a value's JSON, as SDKs measure an event. */
export function jsonBytes(value: unknown): number {
  return bytesOfJson(JSON.stringify(value));
}

/** Counting is spared where even three bytes for each unit of the text stay within the limit. */
function bytesOfJson(json: string): number {
  return json.length * 3 <= EVENT_BYTES ? json.length : Buffer.byteLength(json);
}

/**
 * A lower bound for what an event took in the body. JSON is never shorter as sent than as written again, but for two
 * forms: an exponent (`1e20`, `1e-6`) saves digits, of which more than three zeros in a row would tell; and a byte that
 * is no UTF-8 is read as U+FFFD, which takes three. With at most three zeros, `[1e-4]` for `[0.0001]` saves the most.
 */
function bytesSurelySent(json: string): number {
  return json.includes('0000') || json.includes('\uFFFD') ? 0 : json.length * 0.7;
}

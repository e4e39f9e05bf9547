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

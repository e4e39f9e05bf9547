import type { CallResult } from './result.ts';
import type { Place, Tries } from './retry-decision.ts';

/** A message that was taken, and has not ended yet. */
export interface Item {
  readonly messageId: string;
  /** The message as it is sent, written once at the call. */
  readonly json: string;
  /** Of `json` in UTF-8. */
  readonly bytes: number;
  /** Counts the items that a client took, from 1. */
  readonly sequence: number;
  /** Of a batch that was put back: those of one such object, and no others, are a batch again. */
  readonly tries?: Tries;
  /** Where it was put back the last time. */
  readonly place?: Place;
  readonly onSettled?: ((result: CallResult) => void) | undefined;
}

export function bytesOf(items: readonly Item[]): number {
  return items.reduce((total, item) => total + item.bytes, 0);
}

export function idsOf(items: readonly Item[]): string[] {
  return items.map((item) => item.messageId);
}

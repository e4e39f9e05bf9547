import type { CallResult } from './result.ts';

/** A message that was taken, and has not ended yet. */
export interface Item {
  readonly messageId: string;
  /** The message as it is sent, written once at the call. */
  readonly json: string;
  /** Of `json` in UTF-8. */
  readonly bytes: number;
  /** Counts the items that a client took, from 1. */
  readonly sequence: number;
  readonly onSettled: ((result: CallResult) => void) | undefined;
}

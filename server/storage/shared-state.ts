import type { LossStorage } from './losses.ts';

export interface Taken {
  /** Requests of this key in its window, this one too. */
  readonly count: number;
  readonly endsInMs: number;
}

/**
 * What routers of one storage have in common besides what they deliver. Times are of the storage's own clock: those of
 * routers differ. A router that has its storage alone keeps all of it to itself.
 */
export interface SharedState extends LossStorage {
  /** Counts a request, in windows that begin with the first one of the key. Counted twice where the answer was lost. */
  take(request: { readonly key: string; readonly windowMs: number }): Promise<Taken>;
  /** What all routers sign the tokens of senders with: made by the first that asks, and the same for all. */
  signingKey(): Promise<Uint8Array>;
  /** Deletes what is over, so that it takes no room. */
  tidy(): Promise<void>;
}

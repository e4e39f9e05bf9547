import { ask, startChild, urlOf } from '../child.ts';

export type ReceiverQuestion =
  | { readonly ask: 'recover' | 'report' }
  /** Answered once so many events have been delivered. */
  | { readonly ask: 'wait'; readonly delivered: number };

/** What a receiver saw. */
export interface Reception {
  /** By the number of the event, when it was first answered 200 (`monotonicMs`); NaN for one that never was. */
  readonly deliveredAt: Float64Array;
  readonly delivered: number;
  /** Requests with an event that had been answered 200 before. */
  readonly repeated: number;
  /** Requests answered 503. */
  readonly refused: number;
  /** Requests that were never answered. */
  readonly hanging: number;
  /** The most requests at once that were not answered yet, since the recovery; hanging ones not counted. */
  readonly mostOpen: number;
}

/** `receiver.ts` in its process. Its moments are those of `monotonicMs`. */
export interface BenchReceiver extends Disposable {
  readonly url: string;
  /** Resolves with the moment at which so many events had been delivered. */
  waitFor(delivered: number): Promise<number>;
  /** Dead webhooks answer 200 from now on. */
  recover(): Promise<number>;
  report(): Promise<Reception>;
}

export async function startReceiver(events: number, answerAfterMs = 0): Promise<BenchReceiver> {
  const child = startChild('./processes/receiver.ts', String(events), String(answerAfterMs));
  const url = await urlOf(child);
  return {
    url,
    waitFor: async (delivered) => (await ask<{ at: number }>(child, { ask: 'wait', delivered })).at,
    recover: async () => (await ask<{ at: number }>(child, { ask: 'recover' })).at,
    report: () => ask<Reception>(child, { ask: 'report' }),
    [Symbol.dispose]: () => void (child.connected && child.disconnect()),
  };
}

import { answerOf, ask, startChild } from '../child.ts';

/** Numbered events that are to be sent. */
export interface Load {
  /** Batches go to these sources in turn. */
  readonly writeKeys: readonly string[];
  /** The number of the first event … */
  readonly first: number;
  /** … and how many there are: a multiple of the size of a batch. */
  readonly events: number;
  readonly batch: number;
  /** So many events a second, come what may; or as fast as so many connections are answered. */
  readonly pace: { readonly perSecond: number } | { readonly connections: number };
  /** Whether what is answered 503 is sent again, as an SDK does; otherwise it ends the load. */
  readonly triesAgain?: boolean;
}

/** When each event was sent, or was to be, and when its batch was answered 200 (`monotonicMs`); in the order of the load. */
export interface Sending {
  readonly sentAt: Float64Array;
  readonly acceptedAt: Float64Array;
}

/** `load.ts` in its process. */
export interface LoadProcess extends Disposable {
  /** One load at a time. Rejects when anything is answered otherwise than the load allows. */
  send(load: Load): Promise<Sending>;
}

export async function startLoad(url: string): Promise<LoadProcess> {
  const child = startChild('./processes/load.ts', url);
  await answerOf(child);
  return {
    send: (load) => ask<Sending>(child, load),
    [Symbol.dispose]: () => void (child.connected && child.disconnect()),
  };
}

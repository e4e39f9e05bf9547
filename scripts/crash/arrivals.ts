import { type Receiver, textOf } from '../../testbed/index.ts';

/** How often each message id arrived at a receiver. */
export interface Arrivals {
  readonly counts: ReadonlyMap<string, number>;
  /** Resolves once all of `ids` have arrived, or after `ms`. */
  settled(ids: ReadonlySet<string>, ms: number): Promise<void>;
}

export function countArrivals(receiver: Receiver): Arrivals {
  const counts = new Map<string, number>();
  receiver.onEvent((event) => {
    if (event.kind !== 'received') return;
    const id = textOf(event.request, 'messageId') ?? '';
    counts.set(id, (counts.get(id) ?? 0) + 1);
  });
  const complete = (ids: ReadonlySet<string>): boolean => [...ids].every((id) => counts.has(id));
  return {
    counts,
    settled: (ids, ms) =>
      new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          stop();
          resolve();
        };
        const timer = setTimeout(end, ms);
        const stop = receiver.onEvent(() => {
          if (complete(ids)) end();
        });
        if (complete(ids)) end();
      }),
  };
}

import { breachOf } from '../../testbed/contract/sent-bodies.ts';
import { type Receiver, textOf } from '../../testbed/index.ts';

/** What a receiver saw of one message. */
export interface Arrival {
  /** Requests that were answered with a success, or would have been, had the sender lived. */
  readonly taken: number;
  /** Requests that were answered with a failure: each is rightly followed by another. */
  readonly refused: number;
}

export interface Arrivals {
  readonly byId: ReadonlyMap<string, Arrival>;
  /** Requests whose body breaks the contract. */
  readonly broken: number;
  /** Ids of what was taken since this was last asked. */
  takeRecent(): ReadonlySet<string>;
}

/** Counts what comes, by message id. */
export function countArrivals(receiver: Receiver): Arrivals {
  const byId = new Map<string, Arrival>();
  let recent = new Set<string>();
  let broken = 0;
  receiver.onEvent((event) => {
    if (event.kind !== 'received') return;
    if (breachOf(event.request.body) !== undefined) broken += 1;
    const id = textOf(event.request, 'messageId') ?? '';
    const { taken, refused } = byId.get(id) ?? { taken: 0, refused: 0 };
    const { behavior } = event.request.turn;
    const isTaken = behavior.kind === 'answer' && behavior.status < 300;
    byId.set(id, isTaken ? { taken: taken + 1, refused } : { taken, refused: refused + 1 });
    if (isTaken) recent.add(id);
  });
  return {
    byId,
    get broken() {
      return broken;
    },
    takeRecent: () => {
      const taken = recent;
      recent = new Set();
      return taken;
    },
  };
}

import { setTimeout as wait } from 'node:timers/promises';
import { headerOf, type Receiver, textOf } from '../../testbed/index.ts';
import type { DatabasePair } from './database-pair.ts';
import { SENT_BY } from './sent-by.ts';

/** When requests that were answered with a success came, by message id. */
export type Arrivals = ReadonlyMap<string, readonly number[]>;

/** Grows while the receivers live. */
export function arrivalsAt(...receivers: readonly Receiver[]): Arrivals {
  const times = new Map<string, number[]>();
  for (const receiver of receivers) {
    receiver.onEvent((event) => {
      if (event.kind !== 'received') return;
      const { behavior } = event.request.turn;
      if (behavior.kind !== 'answer' || behavior.status >= 300) return;
      const id = textOf(event.request, 'messageId') ?? '';
      times.set(id, [...(times.get(id) ?? []), Date.now()]);
    });
  }
  return times;
}

/** A request as it came in, and the process that it names. */
export interface Sent {
  readonly id: string;
  readonly router: string;
  readonly at: number;
}

/** Everything that routers send that say who they are; grows while the receivers live. */
export function sendsTo(...receivers: readonly Receiver[]): readonly Sent[] {
  const sends: Sent[] = [];
  for (const receiver of receivers) {
    receiver.onEvent((event) => {
      if (event.kind !== 'received') return;
      const router = headerOf(event.request, SENT_BY);
      if (router !== undefined) sends.push({ id: textOf(event.request, 'messageId') ?? '', router, at: Date.now() });
    });
  }
  return sends;
}

/** A lease, and what is taken up after it, several times over: where nothing ends for so long, it is stuck, and not slow. */
export const DRAIN_MS = 90_000;
const LOOK_MS = 250;

/**
 * Waits until nothing waits or is tried any more, and all has arrived, or until there was not less of it for so long; answers how
 * many deliveries are left in the end.
 */
export async function drained(database: DatabasePair, stuckMs: number, hasArrived: () => boolean): Promise<number> {
  let [least, end] = [Infinity, 0];
  for (; ; await wait(LOOK_MS)) {
    const unended = await unendedIn(database);
    if (unended < least) [least, end] = [unended, Date.now() + stuckMs];
    if ((unended === 0 && hasArrived()) || Date.now() > end) return unended;
  }
}

async function unendedIn(database: DatabasePair): Promise<number> {
  const sql = 'SELECT (SELECT count(*) FROM waybill.queue) + (SELECT count(*) FROM waybill.tries) AS unended';
  const [row] = await database.rows<{ readonly unended: string }>(sql);
  return Number(row?.unended);
}

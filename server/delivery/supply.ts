import type { Claim } from '../model/delivery.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { boundedLog } from '../operations/log/bounded-log.ts';
import type { Backlog, BacklogPage, Claimed, ClaimRequest, DeliveryStorage } from '../storage/delivery-storage.ts';
import { OutcomeUnknown } from '../storage/errors.ts';
import { pagesOf } from '../storage/pages.ts';
import type { Tenure } from './lease.ts';

/** How long after an answer was lost storage is asked again. */
const PAUSE_MS = 200;
/** So many destinations of the backlog are asked for at a time: their queues are told in one turn, which is to take few milliseconds. */
const BACKLOG_PAGE = 200;

export interface SupplyPorts {
  readonly store: Pick<DeliveryStorage, 'claim' | 'release'>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly log: Pick<Log, 'error'>;
}

/** Its log is a line a second of each kind, however many queues ask a storage that is gone. */
export function supplyOf({ store, clock, log }: Pick<SupplyPorts, 'store'> & { clock: Clock; log: Log }): SupplyPorts {
  return { store, clock, log: boundedLog(log, clock) };
}

/** All destinations that something waits for, some at a time. */
export async function* backlogPages(store: Pick<DeliveryStorage, 'backlog'>): AsyncGenerator<readonly Backlog[], void> {
  const read = (before?: BacklogPage): Promise<BacklogPage> =>
    store.backlog({ after: before?.next, limit: BACKLOG_PAGE });
  for await (const { queues } of pagesOf(read, ({ next }) => next === undefined)) yield queues;
}

/** The same as one list. */
export async function wholeBacklog(store: Pick<DeliveryStorage, 'backlog'>): Promise<readonly Backlog[]> {
  return (await Array.fromAsync(backlogPages(store))).flat();
}

/** Takes what waits for a destination; undefined when storage could not answer. */
export async function claimed({ store, log }: SupplyPorts, request: ClaimRequest): Promise<Claimed | undefined> {
  try {
    return await store.claim(request);
  } catch (error) {
    const fields = { destination: request.destination, reason: String(error) };
    log.error(fields, 'deliveries could not be claimed; trying again');
    return undefined;
  }
}

/**
 * Puts claims back in storage as if they had never been taken; answers why storage could not. While nobody knows whether it
 * has, it is asked again: another router may have taken them meanwhile.
 */
export async function putBack(
  { store, clock }: SupplyPorts,
  claims: readonly Claim[],
  tenure: Tenure,
): Promise<string | undefined> {
  while (claims.length > 0) {
    try {
      await store.release(claims);
      return undefined;
    } catch (error) {
      if (!(error instanceof OutcomeUnknown) || !tenure.holds) return String(error);
      await clock.sleep(PAUSE_MS);
    }
  }
  return undefined;
}

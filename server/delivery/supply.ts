import type { Claim } from '../model/delivery.ts';
import type { Log } from '../ports/log.ts';
import type { Backlog, Claimed, ClaimRequest, DeliveryStorage } from '../storage/delivery-storage.ts';

/** So many destinations of the backlog are asked for at a time. */
const BACKLOG_PAGE = 1_000;

export interface SupplyPorts {
  readonly store: Pick<DeliveryStorage, 'claim' | 'release'>;
  readonly log: Log;
}

/** All that waits in storage. */
export async function wholeBacklog(store: Pick<DeliveryStorage, 'backlog'>): Promise<readonly Backlog[]> {
  const all: Backlog[] = [];
  let after: string | undefined;
  do {
    const { queues, next } = await store.backlog({ after, limit: BACKLOG_PAGE });
    all.push(...queues);
    after = next;
  } while (after !== undefined);
  return all;
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

/** Puts claims back in storage as if they had never been taken; answers why storage could not. */
export async function putBack({ store }: SupplyPorts, claims: readonly Claim[]): Promise<string | undefined> {
  if (claims.length === 0) return undefined;
  try {
    await store.release(claims);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

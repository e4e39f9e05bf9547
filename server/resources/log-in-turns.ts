import { Semaphore } from '../fairness/semaphore.ts';
import { workspaceOf } from '../model/resource-names.ts';
import type { DeliveryLog } from '../storage/delivery-log.ts';

/**
 * So many calls are under way at once: each takes milliseconds of a storage that accepts and records meanwhile, and one request
 * may make dozens of them.
 */
const MOST = 4;

/** The log as people read it. Workspaces take turns, so that however many requests one of them sends, all else goes on. */
export function logInTurns(log: DeliveryLog): DeliveryLog {
  const calls = new Semaphore(MOST);
  return {
    list: (query) => calls.run(() => log.list(query), workspaceOf(query.destination)),
    read: (delivery) => calls.run(() => log.read(delivery), workspaceOf(delivery.destination)),
    counts: (query) => calls.run(() => log.counts(query), workspaceOf(query.destination)),
    sums: (query) => calls.run(() => log.sums(query), workspaceOf(query.destinations[0] ?? '')),
  };
}

import { CallsInTurn } from '../calls-in-turn.ts';
import { workspaceOf } from '../model/resources.ts';
import type { DeliveryLog } from '../storage/delivery-log.ts';

/**
 * So many calls are under way at once: each takes milliseconds of a storage that accepts and records meanwhile, and one request
 * may make dozens of them.
 */
const MOST = 4;

/** The log as people read it. Workspaces take turns, so that however many requests one of them sends, all else goes on. */
export function logInTurns(log: DeliveryLog): DeliveryLog {
  const calls = new CallsInTurn(MOST);
  return {
    list: (query) => calls.inTurn(workspaceOf(query.destination), () => log.list(query)),
    read: (delivery) => calls.inTurn(workspaceOf(delivery.destination), () => log.read(delivery)),
    counts: (query) => calls.inTurn(workspaceOf(query.destination), () => log.counts(query)),
    sums: (query) => calls.inTurn(workspaceOf(query.destinations[0] ?? ''), () => log.sums(query)),
  };
}

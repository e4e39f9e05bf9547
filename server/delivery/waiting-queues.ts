import type { Clock } from '../ports/clock.ts';
import type { Backlog, DeliveryStorage } from '../storage/delivery-storage.ts';
import { sharedReadings } from '../shared-readings.ts';
import type { OpenCircuit } from '../storage/members.ts';
import { wholeBacklog } from './supply.ts';

/** What people see of destination queues is so old, or older where much waits: looking at all of it takes the storage time. */
const FRESH_MS = 2_000;

/** Destination queues in which something waits, or whose circuit is not closed, by the name of the destination. */
export interface WaitingQueues {
  readonly waiting: ReadonlyMap<string, Backlog>;
  readonly circuits: ReadonlyMap<string, OpenCircuit>;
}

export interface WaitingPorts {
  readonly store: Pick<DeliveryStorage, 'backlog'>;
  readonly openCircuits: () => Promise<readonly OpenCircuit[]>;
  readonly clock: Pick<Clock, 'now' | 'steady'>;
}

/** Reads them; who asks soon after another gets the same. Times are of the wall. */
export function createWaitingQueues({ store, openCircuits, clock }: WaitingPorts): () => Promise<WaitingQueues> {
  const shared = sharedReadings<WaitingQueues>(clock, FRESH_MS);
  const read = async (): Promise<WaitingQueues> => {
    const [backlog, circuits] = await Promise.all([wholeBacklog(store, true), openCircuits()]);
    const ahead = clock.now() - clock.steady();
    const byTheWall = (queue: Backlog): Backlog => ({
      ...queue,
      nextDueAt: queue.nextDueAt + ahead,
      oldestReceivedAt: queue.oldestReceivedAt + ahead,
    });
    return {
      waiting: new Map(backlog.map((queue) => [queue.destination, byTheWall(queue)])),
      circuits: new Map(circuits.map((circuit) => [circuit.destination, circuit])),
    };
  };
  return () => shared('all', read);
}

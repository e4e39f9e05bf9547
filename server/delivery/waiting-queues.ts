import { Semaphore } from '../fairness/semaphore.ts';
import { workspaceOf } from '../model/resources.ts';
import type { Clock } from '../ports/clock.ts';
import type { CountedBacklog, DeliveryStorage } from '../storage/delivery-storage.ts';
import { sharedReadings } from '../shared-readings.ts';
import type { OpenCircuit } from '../storage/members.ts';

/** What people see of destination queues is so old, or older where much waits: counting it takes the storage time. */
const FRESH_MS = 2_000;
/** So many deliveries are counted at a time, some milliseconds of a storage, … */
const MOST_COUNTED = 20_000;
/** … of so many destinations, … */
const MOST_DESTINATIONS = 1_000;
/** … and so many times at once. Workspaces take turns: nobody waits for all that another has waiting. */
const MOST_AT_ONCE = 2;

/** Destination queues in which something waits, or whose circuit is not closed, by the name of the destination. */
export interface WaitingQueues {
  readonly waiting: ReadonlyMap<string, CountedBacklog>;
  readonly circuits: ReadonlyMap<string, OpenCircuit>;
}

/** Of the destinations of what has this name: of a workspace, or of itself. */
export type ReadQueues = (name: string, destinations: readonly string[]) => Promise<WaitingQueues>;

export interface WaitingPorts {
  readonly store: Pick<DeliveryStorage, 'countBacklog'>;
  readonly openCircuits: () => Promise<readonly OpenCircuit[]>;
  readonly clock: Pick<Clock, 'now' | 'steady'>;
}

/** Reads them; who asks for the same soon after another gets what that one got. Times are of the wall. */
export function createWaitingQueues({ store, openCircuits, clock }: WaitingPorts): ReadQueues {
  const shared = sharedReadings<WaitingQueues>(clock, FRESH_MS);
  const turns = new Semaphore(MOST_AT_ONCE);
  const count = async (name: string, destinations: readonly string[]): Promise<Map<string, CountedBacklog>> => {
    const found = new Map<string, CountedBacklog>();
    let after: string | undefined;
    do {
      const request = { destinations, after, limit: MOST_COUNTED };
      const { queues, next } = await turns.run(() => store.countBacklog(request), workspaceOf(name));
      for (const queue of queues) found.set(queue.destination, sumOf(found.get(queue.destination), queue));
      after = next;
    } while (after !== undefined);
    return found;
  };
  const read = async (name: string, destinations: readonly string[]): Promise<WaitingQueues> => {
    const counted: CountedBacklog[] = [];
    for (let from = 0; from < destinations.length; from += MOST_DESTINATIONS)
      counted.push(...(await count(name, destinations.slice(from, from + MOST_DESTINATIONS))).values());
    const circuits = await openCircuits();
    const ahead = clock.now() - clock.steady();
    const byTheWall = (queue: CountedBacklog): CountedBacklog => ({
      ...queue,
      nextDueAt: queue.nextDueAt + ahead,
      oldestReceivedAt: queue.oldestReceivedAt + ahead,
    });
    return {
      waiting: new Map(counted.map((queue) => [queue.destination, byTheWall(queue)])),
      circuits: new Map(circuits.map((circuit) => [circuit.destination, circuit])),
    };
  };
  return (name, destinations) => shared(name, () => read(name, destinations));
}

/** A queue that is on two pages. */
function sumOf(before: CountedBacklog | undefined, queue: CountedBacklog): CountedBacklog {
  return { ...queue, waiting: (before?.waiting ?? 0) + queue.waiting };
}

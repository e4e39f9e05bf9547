import { Semaphore } from '../fairness/semaphore.ts';
import { workspaceOf } from '../model/resource-names.ts';
import type { Clock } from '../ports/clock.ts';
import type { CountedBacklog, DeliveryStorage, Unfinished } from '../storage/delivery-storage.ts';
import { sharedReadings } from '../shared-readings.ts';
import type { OpenCircuit } from '../storage/members.ts';
import type { ReadCircuits } from './open-circuits.ts';
import { wholeBacklog } from './supply.ts';

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
  /** Of circuits, with those that are not known one by one. */
  readonly circuitCount: number;
}

/** Of the destinations of what has this name: of a workspace, or of itself. */
export type ReadQueues = (name: string, destinations: readonly string[]) => Promise<WaitingQueues>;

export interface WaitingPorts {
  readonly store: Pick<DeliveryStorage, 'countBacklog'>;
  readonly openCircuits: ReadCircuits;
  readonly clock: Pick<Clock, 'now' | 'steady'>;
}

/** Of all destinations: it takes as long as much waits, a part at a time. */
export async function allWaiting(store: Pick<DeliveryStorage, 'backlog' | 'countBacklog'>): Promise<Unfinished> {
  const destinations = (await wholeBacklog(store)).map(({ destination }) => destination);
  const queues = await counted((request) => store.countBacklog(request), destinations);
  return {
    count: queues.reduce((sum, { waiting }) => sum + waiting, 0),
    oldestReceivedAt: queues.reduce<number | undefined>(
      (oldest, { oldestReceivedAt: at }) => Math.min(oldest ?? at, at),
      undefined,
    ),
  };
}

/** Reads them; who asks for the same soon after another gets what that one got. Times are of the wall. */
export function createWaitingQueues({ store, openCircuits, clock }: WaitingPorts): ReadQueues {
  const shared = sharedReadings<WaitingQueues>(clock, FRESH_MS);
  const turns = new Semaphore(MOST_AT_ONCE);
  const read = async (name: string, destinations: readonly string[]): Promise<WaitingQueues> => {
    const inTurn: DeliveryStorage['countBacklog'] = (request) =>
      turns.run(() => store.countBacklog(request), workspaceOf(name));
    const queues = await counted(inTurn, destinations);
    const { circuits, count } = await openCircuits(name, destinations);
    const ahead = clock.now() - clock.steady();
    const byTheWall = (queue: CountedBacklog): CountedBacklog => ({
      ...queue,
      nextDueAt: queue.nextDueAt + ahead,
      oldestReceivedAt: queue.oldestReceivedAt + ahead,
    });
    return {
      waiting: new Map(queues.map((queue) => [queue.destination, byTheWall(queue)])),
      circuits: new Map(circuits.map((circuit) => [circuit.destination, circuit])),
      circuitCount: count,
    };
  };
  return (name, destinations) => shared(name, () => read(name, destinations));
}

async function counted(
  count: DeliveryStorage['countBacklog'],
  destinations: readonly string[],
): Promise<readonly CountedBacklog[]> {
  const found = new Map<string, CountedBacklog>();
  for (let from = 0; from < destinations.length; from += MOST_DESTINATIONS) {
    const some = destinations.slice(from, from + MOST_DESTINATIONS);
    let after: string | undefined;
    do {
      const { queues, next } = await count({ destinations: some, after, limit: MOST_COUNTED });
      // One that is on two pages is the sum of both.
      for (const queue of queues) {
        const waiting = (found.get(queue.destination)?.waiting ?? 0) + queue.waiting;
        found.set(queue.destination, { ...queue, waiting });
      }
      after = next;
    } while (after !== undefined);
  }
  return [...found.values()];
}

import type { components } from '../../generated/config-api.d.ts';
import { ApiError } from '../http/errors.ts';
import type { ReadQueues, WaitingQueues } from '../delivery/waiting-queues.ts';
import type { OpenCircuit } from '../storage/members.ts';
import { requireDestination } from './deliveries.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { nameOf } from './names.ts';

type Schemas = components['schemas'];

/** What waits for a destination. */
export function queueHandlers(env: Env) {
  return {
    async getDestinationQueue({ path, caller }) {
      const { name } = await requireDestination(env, caller, nameOf('destinations', path));
      const queues = await queuesOf(env)(name, [name]);
      const due = queues.waiting.get(name)?.nextDueAt;
      const next = due === undefined ? {} : { next_due_time: new Date(due).toISOString() };
      return { name: `${name}/queue`, ...queueOf(queues, name), ...next };
    },
  } satisfies Partial<ConfigHandlers>;
}

/** Where nothing is delivered, nothing waits (CFG-19). */
export function queuesOf({ deliveries }: Pick<Env, 'deliveries'>): ReadQueues {
  if (deliveries === undefined) throw new ApiError('Unimplemented', 'this router has no delivery log');
  return deliveries.queues;
}

export function queueOf(
  { waiting, circuits }: WaitingQueues,
  destination: string,
): Pick<Schemas['DestinationQueue'], 'circuit' | 'waiting_count' | 'oldest_waiting_time'> {
  const queue = waiting.get(destination);
  const circuit = circuitOf(destination, circuits.get(destination));
  if (queue === undefined) return { circuit, waiting_count: 0 };
  const oldest = new Date(queue.oldestReceivedAt).toISOString();
  return { circuit, waiting_count: queue.waiting, oldest_waiting_time: oldest };
}

function circuitOf(destination: string, circuit: OpenCircuit | undefined): Schemas['Circuit'] {
  if (circuit === undefined) return { state: 'closed', failed_probe_count: 0 };
  const { state, probes, probe, probeAt } = circuit;
  return {
    state: state === 'open' ? 'open' : 'half_open',
    failed_probe_count: probes,
    ...(probeAt === undefined ? {} : { next_probe_time: new Date(probeAt).toISOString() }),
    ...(probe === undefined ? {} : { probe: `${destination}/deliveries/${probe}` }),
  };
}

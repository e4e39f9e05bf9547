import type { OpenCircuit } from '../storage/members.ts';
import type { Queue } from './scheduler.ts';

/** So many are told of. */
const MAX_TOLD = 1_000;

/** Circuits that are not closed, of queues that this router owns: where others own them, they tell. */
export function openCircuits(queues: Iterable<Queue>): OpenCircuit[] {
  const open: OpenCircuit[] = [];
  for (const { destination, role, state } of queues) {
    const { circuit } = state;
    if (!role.isOwner || circuit.state === 'closed') continue;
    if (open.length === MAX_TOLD) break;
    const { probes } = circuit;
    if (circuit.state === 'open') open.push({ destination, state: 'open', probes, probeAt: circuit.probeAt });
    else open.push({ destination, state: 'half-open', probes, ...(circuit.probe && { probe: circuit.probe }) });
  }
  return open;
}

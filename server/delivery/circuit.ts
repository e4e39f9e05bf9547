import type { DeliveryPolicy } from '../model/policy.ts';
import type { Claim } from '../model/delivery.ts';
import type { RoundResult } from './round.ts';
import { waitAfter } from './schedule.ts';

/** Whether a destination is being sent to, held back, or probed (D-25); `destination-queue.ts` has a table of the modes. */
export type Circuit =
  /** `failures`: rounds in a row that failed temporarily. */
  | { readonly state: 'closed'; readonly limit: number; readonly failures: number }
  /** `probes`: how many have failed, the round that opened the circuit included. */
  | { readonly state: 'open'; readonly probes: number; readonly probeAt: number }
  /** `probe`: unset until storage has answered. */
  | { readonly state: 'half-open'; readonly probes: number; readonly probe: Claim['delivery'] | undefined };

/** A round that has ended. */
export interface EndedRound {
  readonly delivery: Claim['delivery'];
  readonly result: RoundResult;
  /** A uniform number in [0, 1), from which a wait follows. */
  readonly draw: number;
}

export function closedCircuit(policy: DeliveryPolicy): Circuit {
  return { state: 'closed', limit: firstLimit(policy), failures: 0 };
}

/** The limit of a destination that has proven nothing yet. */
export function firstLimit({ rampStart, perDestination }: DeliveryPolicy): number {
  return Math.max(1, Math.min(rampStart, perDestination));
}

/** How many rounds may be under way at once. */
export function limitOf(policy: DeliveryPolicy, circuit: Circuit): number {
  return circuit.state === 'closed' ? Math.min(circuit.limit, policy.perDestination) : policy.perDestination;
}

export function afterRound(policy: DeliveryPolicy, circuit: Circuit, ended: EndedRound, at: number): Circuit {
  const { result, delivery, draw } = ended;
  if (circuit.state === 'closed') return closedAfter(policy, circuit, ended, at);
  if (result !== 'failed' && result !== 'unjudged') return closedCircuit(policy);
  if (circuit.state === 'open' || circuit.probe !== delivery) return circuit;
  if (result === 'failed') return openCircuit(policy, circuit.probes + 1, draw, at);
  // A probe that says nothing is followed by another, soon.
  return { state: 'open', probes: circuit.probes, probeAt: at + waitAfter(policy, 1, () => draw) };
}

/** A probe is asked of storage. */
export function probing(circuit: Circuit): Circuit {
  return circuit.state === 'open' ? { state: 'half-open', probes: circuit.probes, probe: undefined } : circuit;
}

/** Storage has answered with a probe, or with none: then the next is due as soon as there is something to probe with. */
export function probed(circuit: Circuit, probe: Claim['delivery'] | undefined, at: number): Circuit {
  if (circuit.state !== 'half-open') return circuit;
  return probe === undefined ? { state: 'open', probes: circuit.probes, probeAt: at } : { ...circuit, probe };
}

function closedAfter(
  policy: DeliveryPolicy,
  circuit: Extract<Circuit, { state: 'closed' }>,
  { result, draw }: EndedRound,
  at: number,
): Circuit {
  switch (result) {
    case 'delivered':
      return { state: 'closed', limit: Math.min(circuit.limit + 1, policy.perDestination), failures: 0 };
    case 'failed': {
      const failures = circuit.failures + 1;
      return failures >= policy.parkAfter ? openCircuit(policy, 1, draw, at) : { ...circuit, failures };
    }
    case 'refused':
    case 'unsent':
    case 'unjudged':
      return circuit;
  }
}

function openCircuit(policy: DeliveryPolicy, probes: number, draw: number, at: number): Circuit {
  return { state: 'open', probes, probeAt: at + waitAfter(policy, probes, () => draw) };
}

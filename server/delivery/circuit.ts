import type { DeliveryPolicy } from '../model/policy.ts';
import type { Claim } from '../model/delivery.ts';
import type { RoundResult } from './round.ts';
import { waitAfter } from './schedule.ts';

/**
 * Whether a destination is being sent to, held back, or probed (D-25). It is what the API, metrics and log call parked while it is not closed.
 *
 * | mode      | what goes out                                | leaves for                                              |
 * | closed    | what is due, up to `limit` at once           | open: `parkAfter` rounds in a row failed temporarily    |
 * | open      | last tries: events whose window is about to  | half-open: a probe is due, and asked of storage;        |
 * |           | end, up to `perDestination` at once          | closed: a round ended, and not with a temporary failure |
 * | half-open | last tries, and one probe, which is asked,   | open: the probe failed, or there was none;              |
 * |           | ready or in flight                           | closed: as open                                         |
 *
 * In closed the limit starts low and grows with each success, so that a destination that hangs never holds many places,
 * and one that has recovered is not hit by its whole backlog at once. Probes follow the schedule on which one event is
 * tried again. When the circuit opens, what is ready is put back, and so is what arrives after that and is neither a probe
 * nor a last try; but claims that storage could not take back are sent.
 */
export type Circuit =
  /** `failures`: rounds in a row that failed temporarily. */
  | ({ readonly state: 'closed'; readonly limit: number; readonly failures: number } & Asked)
  /** `probes`: how many have failed, the round that opened the circuit included. */
  | { readonly state: 'open'; readonly probes: number; readonly probeAt: number }
  /** `probe`: unset until storage has answered. */
  | ({ readonly state: 'half-open'; readonly probes: number; readonly probe: Claim['delivery'] | undefined } & Asked);

/** What receivers asked for since the last success. */
interface Asked {
  /** The latest moment that a `Retry-After` named: a probe is a try as any other. Absent where none did. */
  readonly notBefore?: number;
}

/** A round that has ended. */
export interface EndedRound {
  readonly delivery: Claim['delivery'];
  readonly result: RoundResult;
  /** What receivers asked for in `Retry-After`, at the longest; nothing where absent. */
  readonly retryAfterMs?: number;
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
  const asked = askedBy(circuit.state === 'open' ? {} : circuit, ended, at);
  if (circuit.state === 'open') {
    const { notBefore = -Infinity } = asked;
    return circuit.probeAt >= notBefore ? circuit : { ...circuit, probeAt: notBefore };
  }
  if (circuit.probe !== delivery) return asked.notBefore === circuit.notBefore ? circuit : { ...circuit, ...asked };
  // A probe that says nothing is followed by another, soon.
  return result === 'failed'
    ? openCircuit(policy, circuit.probes + 1, { draw, at, ...asked })
    : { ...openCircuit(policy, 1, { draw, at, ...asked }), probes: circuit.probes };
}

/** A probe is asked of storage. */
export function probing(circuit: Circuit): Circuit {
  return circuit.state === 'open' ? { state: 'half-open', probes: circuit.probes, probe: undefined } : circuit;
}

/** Storage has answered with a probe, or with none: then the next is due as soon as there is something to probe with. */
export function probed(circuit: Circuit, probe: Claim['delivery'] | undefined, at: number): Circuit {
  if (circuit.state !== 'half-open') return circuit;
  if (probe !== undefined) return { ...circuit, probe };
  return { state: 'open', probes: circuit.probes, probeAt: Math.max(at, circuit.notBefore ?? 0) };
}

function closedAfter(
  policy: DeliveryPolicy,
  circuit: Extract<Circuit, { state: 'closed' }>,
  ended: EndedRound,
  at: number,
): Circuit {
  switch (ended.result) {
    case 'delivered':
      return { state: 'closed', limit: Math.min(circuit.limit + 1, policy.perDestination), failures: 0 };
    case 'failed': {
      const failures = circuit.failures + 1;
      const asked = askedBy(circuit, ended, at);
      if (failures < policy.parkAfter) return { ...circuit, failures, ...asked };
      return openCircuit(policy, 1, { draw: ended.draw, at, ...asked });
    }
    case 'refused':
    case 'unsent':
    case 'unjudged':
      return circuit;
  }
}

function askedBy({ notBefore = 0 }: Asked, { retryAfterMs = 0 }: EndedRound, at: number): Asked {
  const latest = retryAfterMs > 0 ? Math.max(notBefore, at + retryAfterMs) : notBefore;
  return latest > 0 ? { notBefore: latest } : {};
}

type OpenCircuit = Extract<Circuit, { state: 'open' }>;

interface Opening extends Asked {
  readonly draw: number;
  readonly at: number;
}

function openCircuit(policy: DeliveryPolicy, probes: number, { draw, at, notBefore = 0 }: Opening): OpenCircuit {
  return { state: 'open', probes, probeAt: Math.max(at + waitAfter(policy, probes, () => draw), notBefore) };
}

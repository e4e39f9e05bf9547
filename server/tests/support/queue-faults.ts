import type { Circuit } from '../../delivery/circuit.ts';
import type { DestinationQueue } from '../../delivery/destination-queue.ts';
import { lastTryAt, longestWait } from '../../delivery/schedule.ts';
import type { DeliveryPolicy } from '../../model/policy.ts';
import type { Delivery, QueueStorage, RefillRequest } from './queue-storage.ts';

/** What a queue did wrong. */
export class Fault extends Error {}

/** A claim in memory, and why it is there. */
export interface Held {
  readonly delivery: Delivery;
  origin: 'accepted' | 'due' | 'received' | 'probe' | 'kept';
}

/** What is to be seen of a queue and its world at one moment. */
export interface QueueView {
  readonly policy: DeliveryPolicy;
  readonly at: number;
  readonly state: DestinationQueue;
  readonly storage: QueueStorage;
  /** What is ready or in flight. */
  readonly held: readonly Held[];
  readonly inFlight: number;
  readonly isAsked: boolean;
  /** When the first timer rings. */
  readonly timer: number;
  readonly freePlaces: number;
  /** Rounds that delivered since the circuit last opened or closed. */
  readonly successes: number;
}

interface Contents {
  readonly claims: readonly Held[];
  readonly reserved: number;
  readonly returning: readonly Held[];
}

/** The state counts what there is. */
export function checkCounts({ state, inFlight }: QueueView, { claims, reserved, returning }: Contents): void {
  const counted = [state.ready, state.bytes, state.inFlight, state.reserved, state.returning].join();
  const { count, bytes } = amountOf(claims);
  const real = [count, bytes, inFlight, reserved, returning.length].join();
  if (counted !== real) throw new Fault(`counts ${counted}, and there are ${real}`);
}

/** A refill keeps to the memory that is free and to the pace of its kind, and is the only one. */
export function checkRefill({ policy, state, held, isAsked, freePlaces }: QueueView, request: RefillRequest): void {
  const { which, limit } = request;
  if (isAsked) throw new Fault('two refills at once');
  if (limit < 1 || limit > freePlaces) throw new Fault('takes more memory than is free');
  if (state.ready + state.reserved > policy.queueRoom) throw new Fault('holds more than its room');
  if ((which === 'due') !== (state.circuit.state === 'closed')) throw new Fault('brings what it holds back');
  if (which === 'received' && limit > policy.perDestination) throw new Fault('last tries in a flood');
  if (which !== 'probe') return;
  if (limit !== 1 || held.some(({ origin }) => origin === 'probe')) throw new Fault('more than one probe at once');
}

/** A round keeps to the limit, and to what the circuit lets out. */
export function checkStart({ policy, state: { circuit, inFlight } }: QueueView, { origin }: Held): void {
  const limit = circuit.state === 'closed' ? circuit.limit : policy.perDestination;
  if (inFlight >= limit) throw new Fault('more in flight than its limit');
  const isHeldBack = origin === 'accepted' || origin === 'due';
  if (circuit.state !== 'closed' && isHeldBack) throw new Fault('an open circuit lets through what it holds back');
}

/** Slots of rounds, which are to be so far apart, but for what is made up for; 0 for as fast as it goes. */
export class Pace {
  readonly gapMs: number;
  #nextStartAt = -Infinity;

  constructor(gapMs: number) {
    this.gapMs = gapMs;
  }

  start(at: number): void {
    if (this.gapMs > 0 && at + 100 < this.#nextStartAt) throw new Fault('starts before its slot');
    this.#nextStartAt = Math.max(this.#nextStartAt, at) + this.gapMs;
  }
}

/** Whatever waits in storage, something leads to it in time: an answer, memory, a round, or the timer. */
export function checkAttended({ policy, at, state, storage, isAsked, timer, freePlaces }: QueueView): void {
  const { circuit, refill, ready, standing, inFlight } = state;
  if (state.isHeld && timer > at + 1_000) throw new Fault('is held without a timer');
  const [dueAt, oldestAt] = [storage.earliest('dueAt'), storage.earliest('receivedAt')];
  if (dueAt === undefined || oldestAt === undefined || isAsked) return;
  if (refill.state === 'starved') {
    if (freePlaces >= policy.totalRoom) throw new Fault('starves beside free memory');
    return;
  }
  // Enough is ready: what is due is looked for again with the next round that starts. Or nothing is known, and one is to tell.
  const isOut = ready > 0 || (inFlight > 0 && (standing === 'new' || standing === 'on trial'));
  if (circuit.state === 'closed' && isOut && (state.dueAt ?? Infinity) <= at) return;
  const neededAt = refill.state === 'paused' ? refill.until : neededBy(policy, circuit, dueAt, oldestAt);
  if (neededAt <= at || timer > neededAt) throw new Fault('waits without a timer');
}

function neededBy(policy: DeliveryPolicy, circuit: Circuit, dueAt: number, oldestAt: number): number {
  const lastTry = lastTryAt(policy, oldestAt);
  switch (circuit.state) {
    case 'closed':
      return dueAt;
    case 'open':
      return Math.min(circuit.probeAt, lastTry);
    case 'half-open':
      return lastTry;
  }
}

/** The bounds of D-25 after a round: how the limit grows, and when a probe is due. */
export function checkCircuit({ policy, at, state: { circuit }, successes }: QueueView, before: Circuit): void {
  const { rampStart, perDestination, parkAfter } = policy;
  if (circuit.state === 'closed') {
    if (circuit.limit > Math.min(perDestination, rampStart + successes)) throw new Fault('ramps up too fast');
    if (circuit.failures >= parkAfter) throw new Fault('stays closed');
  }
  if (circuit.state !== 'open' || before.state === 'open') return;
  const longest = longestWait(policy, before.state === 'closed' ? 1 : before.probes + 1);
  if (circuit.probeAt > at + longest) throw new Fault('probes too late');
  if (circuit.probeAt < at + Math.floor(longestWait(policy, 1) / 2)) throw new Fault('probes too soon');
}

export function amountOf(claims: readonly Held[]): { count: number; bytes: number } {
  return { count: claims.length, bytes: claims.reduce((sum, { delivery }) => sum + delivery.bytes, 0) };
}

import type { DeliveryPolicy } from '../model/policy.ts';
import type { Claiming } from '../storage/delivery-storage.ts';
import type { CircuitNews } from '../storage/members.ts';
import { afterRound, type Circuit, closedCircuit, limitOf, probed, probing, firstLimit } from './circuit.ts';
import {
  earlier,
  type Given,
  grantFor,
  isBeyondPace,
  isShut,
  nextRefillAt,
  NO_REFILL,
  PAUSE_MS,
  type Refill,
  roomFor,
  STARVED,
  type Stored,
  wanted,
} from './refill.ts';
import type { Amount, QueueEffect, QueueEvent } from './queue-events.ts';
import { freeAt, MAX_HOLD_MS, slotOf } from './pace.ts';
import { type Standing, standingAfter, tried } from './trials.ts';

/**
 * The queue of one destination, as plain data. `reduce` takes an event, and answers the next state and its effects; the
 * claims themselves stay with the loop (`dispatcher.ts`), in a list whose length is `ready`.
 *
 *   storage ──refill──▶ ready ──start──▶ in flight ──record──▶ ended, or storage again
 *      ▲                  │
 *      └──── put back ────┘
 *
 * Where several routers share the storage, one of them owns what waits for a destination (D-62). The others are guests: they
 * send what they have accepted themselves, within their share, bring nothing from storage, and probe nothing. What waits,
 * they do not keep in mind but tell the owner; so a guest's `dueAt` is never set. Circuits are heard of from all.
 *
 * What goes out depends on the circuit (`circuit.ts`), what is brought on the refill (`refill.ts`). What is known of the destination is
 * its standing (`trials.ts`): while that is not good, few are brought from storage at a time, and rounds wait for the pace of trials. Each
 * has a table of its modes.
 *
 * Where a destination has a limit of so many per second (HOOK-24), rounds have slots, and what is ready before the next slot
 * is held; it says nothing of the destination, and leaves modes as they are. Of several routers the owner alone has slots.
 *
 * A queue in which nothing is ready, reserved, returning or in flight, without a refill and with nothing in storage, is
 * idle, and is forgotten once it was for `maxWaitMs`: by then a probe would be due, whatever is known of its destination.
 * In all that is not idle, something is to come: an answer, the end of a round, free memory, or the timer.
 */
export interface DestinationQueue extends Stored {
  readonly circuit: Circuit;
  /** Whether the last round that says something of the destination was delivered. */
  readonly isProven: boolean;
  readonly standing: Standing;
  readonly refill: Refill;
  /** Claims in memory that wait for their turn, and the bytes of their events. */
  readonly ready: number;
  readonly bytes: number;
  /** Places in memory that are kept: for events that are being stored, and for the refill. */
  readonly reserved: number;
  /** Claims on their way back to storage. */
  readonly returning: number;
  /** Rounds under way. */
  readonly inFlight: number;
  /** The slot of the round that was started last; undefined where there are no slots. */
  readonly slot: number | undefined;
  /** Whether what is ready waits for its slot. */
  readonly isHeld: boolean;
  /** Set while the queue is idle. */
  readonly idleSince: number | undefined;
  /** When the timer rings next. */
  readonly wakeAt: number | undefined;
}

export interface Step {
  readonly state: DestinationQueue;
  readonly effects: readonly QueueEffect[];
}

/** The queue of a destination of which nothing is known. */
export function newQueue(policy: DeliveryPolicy): DestinationQueue {
  const empty = { ready: 0, bytes: 0, reserved: 0, returning: 0, inFlight: 0 };
  const unknown = { dueAt: undefined, oldestAt: undefined, idleSince: undefined, wakeAt: undefined, slot: undefined };
  const circuit = closedCircuit(policy);
  return { circuit, isProven: false, standing: 'new', refill: NO_REFILL, isHeld: false, ...empty, ...unknown };
}

/** Whether a new delivery can be tried at once, and so be stored as claimed: never ahead of what it knows to be due in storage. */
export function accepts(given: Given, queue: DestinationQueue): boolean {
  if (isShut(given) || queue.circuit.state !== 'closed' || queue.refill.state !== 'none') return false;
  if (queue.dueAt !== undefined && queue.dueAt <= given.at) return false;
  return roomFor(given, queue) > 0;
}

/** Whether a round may start once it is the turn of this queue. */
export function canStart(policy: DeliveryPolicy, { ready, isHeld, inFlight, circuit }: DestinationQueue): boolean {
  return ready > 0 && !isHeld && inFlight < limitOf(policy, circuit);
}

export function reduce(given: Given, queue: DestinationQueue, event: QueueEvent): Step {
  const next = { ...queue };
  const effects: QueueEffect[] = [];
  happen(given, next, event, effects);
  lookAhead(given, next, effects);
  return { state: next, effects };
}

/** The copy that one step changes. */
type Draft = { -readonly [Field in keyof DestinationQueue]: DestinationQueue[Field] };
type Happened<Type extends QueueEvent['type']> = Extract<QueueEvent, { readonly type: Type }>;

function happen(given: Given, next: Draft, event: QueueEvent, effects: QueueEffect[]): void {
  switch (event.type) {
    case 'stored':
      return learn(given, next, { dueAt: event.dueAt, oldestAt: event.receivedAt }, effects);
    case 'reserved':
      next.reserved += 1;
      return;
    case 'claimed':
      next.reserved -= event.places;
      add(next, event);
      if (next.circuit.state !== 'closed' || isShut(given) || (event.places > 0 && isBeyondPace(given, next)))
        putBack(next, event, effects);
      return;
    case 'refilled':
      return refilled(given, next, event, effects);
    case 'refill failed':
      return refillFailed(given, next, effects);
    case 'started':
      return started(given, next, event);
    case 'ended':
      return ended(given, next, event, effects);
    case 'returned':
      next.returning -= event.count;
      return learn(given, next, { dueAt: given.at, oldestAt: event.oldestAt }, effects);
    case 'return failed':
      next.returning -= event.count;
      return add(next, event);
    case 'heard':
      return heard(given, next, event.circuit, effects);
    case 'moved':
      return moved(given, next, effects);
    case 'tick':
      // Storage could not take it back before.
      if (isShut(given)) putBack(next, readyIn(next), effects);
      return;
  }
}

function started({ gapMs = 0, at }: Given, next: Draft, { bytes, isOver }: Happened<'started'>): void {
  next.ready -= 1;
  next.bytes -= bytes;
  next.inFlight += 1;
  // What expires is no request, and takes no slot from those behind it.
  if (gapMs > 0 && isOver !== true) next.slot = slotOf(gapMs, next.slot, at);
}

function learn(given: Given, next: Draft, { dueAt, oldestAt }: Stored, effects: QueueEffect[]): void {
  if (!given.isOwner) {
    if (dueAt !== undefined) effects.push({ type: 'tell', dueAt, receivedAt: oldestAt ?? given.at });
    return;
  }
  next.dueAt = earlier(next.dueAt, dueAt);
  next.oldestAt = earlier(next.oldestAt, oldestAt);
}

/** What another member has found counts as its own, but for when an owner probes next. */
function heard(given: Given, next: Draft, circuit: CircuitNews['circuit'], effects: QueueEffect[]): void {
  const before = next.circuit.state;
  if (circuit.state === 'closed') {
    if (before !== 'closed') next.circuit = closedCircuit(given.policy);
    return;
  }
  if (before === 'closed') putBack(next, readyIn(next), effects);
  if (before === 'closed' || !given.isOwner) next.circuit = circuit;
}

/** Who owns the queue no more hands over all that waits: what is in flight ends here. A guest's limit says little to an owner. */
function moved(given: Given, next: Draft, effects: QueueEffect[]): void {
  const { dueAt, oldestAt, refill, circuit } = next;
  if (given.isOwner) {
    const limit = firstLimit(given.policy);
    if (circuit.state === 'closed' && circuit.limit < limit) next.circuit = { ...circuit, limit };
    if (isBeyondPace(given, next)) putBack(next, readyIn(next), effects);
    return;
  }
  next.dueAt = undefined;
  next.oldestAt = undefined;
  learn(given, next, { dueAt, oldestAt }, effects);
  if (refill.state !== 'asked') next.refill = NO_REFILL;
  if (circuit.state === 'half-open') next.circuit = { state: 'open', probes: circuit.probes, probeAt: given.at };
  putBack(next, readyIn(next), effects);
}

function add(next: Draft, { count, bytes }: Amount): void {
  next.ready += count;
  next.bytes += bytes;
}

function readyIn({ ready: count, bytes }: Draft): Amount {
  return { count, bytes };
}

function putBack(next: Draft, { count, bytes }: Amount, effects: QueueEffect[]): void {
  if (count === 0) return;
  next.ready -= count;
  next.bytes -= bytes;
  next.returning += count;
  effects.push({ type: 'put back', count });
}

function refilled(given: Given, next: Draft, event: Happened<'refilled'>, effects: QueueEffect[]): void {
  const { refill, circuit } = next;
  if (refill.state !== 'asked') return;
  next.reserved -= refill.limit;
  // What waits is behind others of its line, whose end brings it.
  const isBehind = event.count === 0 && event.dueAt !== undefined && refill.which !== 'due';
  next.refill = isBehind ? { state: 'paused', until: given.at + PAUSE_MS } : NO_REFILL;
  learn(given, next, event, effects);
  add(next, event);
  if (event.count > 0) next.standing = tried(next.standing);
  const isWanted = given.isOwner && (circuit.state === 'closed' || refill.which === 'received');
  if (refill.which === 'probe' && circuit.state === 'half-open') next.circuit = probed(circuit, event.first, given.at);
  else if (!isWanted || isBeyondPace(given, next)) putBack(next, event, effects);
}

function refillFailed(given: Given, next: Draft, effects: QueueEffect[]): void {
  const { at } = given;
  const { refill } = next;
  if (refill.state !== 'asked') return;
  next.reserved -= refill.limit;
  next.refill = { state: 'paused', until: at + PAUSE_MS };
  learn(given, next, refill.known, effects);
  if (refill.which === 'probe') next.circuit = probed(next.circuit, undefined, at);
}

function ended({ policy, at }: Given, next: Draft, event: Happened<'ended'>, effects: QueueEffect[]): void {
  const before = next.circuit.state;
  next.inFlight -= 1;
  next.circuit = afterRound(policy, next.circuit, event, at);
  if (event.result === 'delivered' || event.result === 'failed') next.isProven = event.result === 'delivered';
  next.standing = standingAfter(next.standing, event.result);
  const after = next.circuit.state;
  if (before === 'closed' && after === 'open') {
    effects.push({ type: 'report', circuit: after });
    putBack(next, readyIn(next), effects);
  } else if (before !== 'closed' && after === 'closed') effects.push({ type: 'report', circuit: after });
}

/** Asks storage for what is wanted now, or sees to it that the queue is looked at in time. */
function lookAhead(given: Given, next: Draft, effects: QueueEffect[]): void {
  const { at, gapMs = 0 } = given;
  const { refill } = next;
  if (refill.state !== 'asked' && (refill.state !== 'paused' || refill.until <= at)) {
    const claiming = wanted(given, next);
    if (claiming === undefined) next.refill = NO_REFILL;
    else ask(given, next, claiming, effects);
  }
  next.isHeld = gapMs > 0 && next.ready > 0 && freeAt(gapMs, next.slot) > at;
  next.idleSince = isIdle(next) ? (next.idleSince ?? at) : undefined;
  if (next.wakeAt !== undefined && next.wakeAt <= at) next.wakeAt = undefined;
  const lookAt = nextLookAt(given, next);
  if (lookAt === undefined) return;
  if (next.idleSince !== undefined && lookAt <= at) effects.push({ type: 'forget' });
  // A timer that is set stays: what is set for later is set when it rings.
  else if (next.wakeAt === undefined || next.wakeAt > lookAt) {
    next.wakeAt = lookAt;
    effects.push({ type: 'wake', at: lookAt });
  }
}

/** When the queue is to be looked at even if nothing happens to it; undefined while something is to come. */
function nextLookAt(given: Given, next: Draft): number | undefined {
  const { at, gapMs = 0 } = given;
  if (next.idleSince !== undefined) return next.idleSince + given.policy.maxWaitMs;
  if (isShut(given) && next.ready > 0) return at + PAUSE_MS;
  const free = next.isHeld ? Math.min(freeAt(gapMs, next.slot), at + MAX_HOLD_MS) : undefined;
  return earlier(free, nextRefillAt(given, next));
}

function ask(given: Given, next: Draft, claiming: Claiming, effects: QueueEffect[]): void {
  const room = grantFor(given, next, claiming);
  if (room === undefined) {
    next.refill = STARVED;
    return;
  }
  const { dueAt, oldestAt, circuit } = next;
  next.refill = { state: 'asked', which: claiming.which, known: { dueAt, oldestAt }, ...room };
  next.reserved += room.limit;
  next.dueAt = undefined;
  next.oldestAt = undefined;
  if (claiming.which === 'probe') next.circuit = probing(circuit);
  effects.push({ type: 'refill', request: { ...claiming, ...room } });
}

function isIdle({ ready, reserved, returning, inFlight, refill, dueAt }: Draft): boolean {
  return ready + reserved + returning + inFlight === 0 && refill.state === 'none' && dueAt === undefined;
}

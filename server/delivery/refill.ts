import type { DeliveryPolicy } from '../model/policy.ts';
import type { Claiming } from '../storage/delivery-storage.ts';
import { type Circuit, limitOf, firstLimit } from './circuit.ts';
import { lastTryAt } from './schedule.ts';
import type { Standing } from './trials.ts';

/**
 * What a queue brings from storage. It has one mode at a time, and so storage is never asked twice at once.
 *
 * | mode    | means                                   | leaves for                                        |
 * | none    | nothing is to be brought now            | asked, or starved: the queue wants something      |
 * | starved | wanted, and there is no room in memory, | any: with the next event, at the latest a `tick`  |
 * |         | or too many others are asking           | once there is, and it is this queue's turn        |
 * | asked   | storage is asked; its room is reserved  | none: it answered; paused: it could not, or had   |
 * |         |                                         | nothing to give of what waits                     |
 * | paused  | storage could not answer, or give       | none: at `until`                                  |
 */
export type Refill =
  | { readonly state: 'none' | 'starved' }
  /** `known` comes back when storage cannot answer. */
  | ({ readonly state: 'asked'; readonly which: Claiming['which']; readonly known: Stored } & Room)
  | { readonly state: 'paused'; readonly until: number };

export const NO_REFILL: Refill = { state: 'none' };
export const STARVED: Refill = { state: 'starved' };

/** What is known of the deliveries that wait in storage. While a refill is asked: of those that came since. */
export interface Stored {
  /** When the earliest is due; undefined when none waits. */
  readonly dueAt: number | undefined;
  /** When the oldest was accepted, or a moment before. */
  readonly oldestAt: number | undefined;
}

/** Room in memory. */
export interface Room {
  readonly limit: number;
  readonly bytes: number;
}

/** What a queue decides by, besides its own state. */
export interface Given {
  /** With this router's share of the destination's limits. */
  readonly policy: DeliveryPolicy;
  /** How far apart rounds of the destination are; 0 where their pace is not limited. */
  readonly gapMs?: number;
  /** Whether what waits in storage is for this router to bring. */
  readonly isOwner: boolean;
  /** Now, by the steady clock. */
  readonly at: number;
  readonly memory: Memory;
}

/** What is free of what all queues share. Places in memory, for a queue … */
export interface Memory {
  /** … that has few, and is proven, … */
  readonly free: number;
  /** … that has few, … */
  readonly unproven: number;
  /** … for any, … */
  readonly shared: number;
  /** … and for claims whose rounds are trials: what has no turn for long waits in storage. */
  readonly trials: number;
  /** So many more may ask storage now. */
  readonly refills: number;
}

interface Holdings extends Stored {
  readonly circuit: Circuit;
  readonly isProven: boolean;
  readonly standing: Standing;
  readonly ready: number;
  readonly reserved: number;
  readonly inFlight: number;
}

/** Bytes of events that one refill brings at most: they are parsed in one go, while nobody else has a turn. */
const MAX_BYTES = 2 * 2 ** 20;
/** The maximum of one event, but for what its batch has merged into it (ING-3). */
const EVENT_BYTES = 32 * 1024;
/** How long after a failure storage is asked again. */
export const PAUSE_MS = 1_000;
/** For fewer claims than this storage is not asked, unless fewer are wanted. */
const MIN_CLAIMS = 8;

/** What is to be brought from storage now, if anything. */
export function wanted(given: Given, queue: Holdings): Claiming | undefined {
  const { policy, at } = given;
  const { circuit, dueAt, oldestAt } = queue;
  if (dueAt === undefined || isShut(given)) return undefined;
  if (circuit.state === 'closed') {
    return dueAt <= at && isShort(policy, circuit.limit, queue) ? { which: 'due', now: at } : undefined;
  }
  const upTo = at - lastTryAt(policy, 0);
  if (oldestAt !== undefined && oldestAt <= upTo) return { which: 'received', upTo };
  return circuit.state === 'open' && circuit.probeAt <= at ? { which: 'probe' } : undefined;
}

/** Whether less is ready than may be started before storage has answered. */
function isShort(policy: DeliveryPolicy, limit: number, { standing, ready, inFlight }: Holdings): boolean {
  switch (standing) {
    case 'new':
    case 'on trial':
      return ready + inFlight === 0;
    case 'fails':
      return ready === 0;
    case 'answers':
      return ready < roomAt(policy, limit) / 2;
  }
}

/** When something is to be brought even if nothing happens meanwhile. */
export function nextRefillAt(given: Given, queue: Holdings & { readonly refill: Refill }): number | undefined {
  const { policy, at } = given;
  const { refill, circuit, dueAt, oldestAt } = queue;
  if (refill.state === 'paused') return refill.until;
  if (refill.state !== 'none' || dueAt === undefined) return undefined;
  // Without a share nothing is brought; with the next one the queue is told.
  if (isShut(given)) return undefined;
  // What is due while enough is ready is looked for whenever a round starts.
  if (circuit.state === 'closed') return dueAt > at ? dueAt : undefined;
  const lastTry = oldestAt === undefined ? undefined : lastTryAt(policy, oldestAt);
  return circuit.state === 'open' ? earlier(circuit.probeAt, lastTry) : lastTry;
}

/** Who has no share of the destination's limit sends nothing, and so holds nothing. */
export function isShut({ policy }: Pick<Given, 'policy'>): boolean {
  return policy.perDestination === 0;
}

export function earlier(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}

/** How much to ask for; undefined when memory has no room for it, or too many others are asking. */
export function grantFor(given: Given, queue: Holdings, { which }: Claiming): Room | undefined {
  const { policy, memory } = given;
  const trials = queue.standing === 'answers' || which === 'received' ? Infinity : memory.trials;
  if (memory.refills <= 0 || trials <= 0) return undefined;
  const maximum = MAXIMUM[which](policy, queue.standing);
  const room = roomFor(given, queue);
  const least = Math.min(MIN_CLAIMS, maximum, roomAt(policy, limitOf(policy, queue.circuit)) / 2);
  if (room < least) return undefined;
  const limit = Math.min(room, maximum, trials);
  return { limit, bytes: Math.min(limit * EVENT_BYTES, MAX_BYTES) };
}

/** One probe is enough; last tries must not flood an endpoint that fails. */
const MAXIMUM: Readonly<Record<Claiming['which'], (policy: DeliveryPolicy, standing: Standing) => number>> = {
  due: dueAtOnce,
  received: ({ perDestination }) => perDestination,
  probe: () => 1,
};

/** One event is enough to find out how a destination is; one that fails gets as many as a destination begins with. */
function dueAtOnce(policy: DeliveryPolicy, standing: Standing): number {
  switch (standing) {
    case 'new':
    case 'on trial':
      return 1;
    case 'fails':
      return firstLimit(policy);
    case 'answers':
      return policy.queueRoom;
  }
}

/**
 * Whether the pace is slower than when what is ready was admitted or asked: beyond twice its room it would be held for long. By less, the
 * next ones of lines pass it, which come with the end of others: of those alone nothing goes back, or other lines would wait for them.
 */
export function isBeyondPace({ policy }: Given, { ready }: Pick<Holdings, 'ready'>): boolean {
  return ready > 2 * policy.queueRoom;
}

/** How many more claims of a queue may be in memory; not even one at 0 and below. */
export function roomFor({ policy, memory }: Given, { circuit, isProven, ready, reserved }: Holdings): number {
  const held = ready + reserved;
  const own = Math.min(roomAt(policy, limitOf(policy, circuit)) - held, memory.shared);
  const few = Math.min(roomAt(policy, policy.rampStart) - held, isProven ? memory.free : memory.unproven);
  return Math.max(own, few);
}

/**
 * How many claims may be in memory at a limit: few for a destination that has proven nothing yet, so that those that hang
 * never hold the memory that others need. A success counts twice, in speed and in room.
 */
function roomAt({ queueRoom, perDestination }: DeliveryPolicy, limit: number): number {
  return Math.max(1, Math.round(queueRoom * Math.min(1, limit / perDestination) ** 2));
}

import type { DeliveryPolicy } from '../model/policy.ts';
import type { Claim } from '../model/delivery.ts';
import { canStart, type DestinationQueue, newQueue } from './destination-queue.ts';
import type { Role, Roles } from './roles.ts';
import type { Memory } from './refill.ts';

/** A destination queue with its claims. */
export interface Queue {
  readonly destination: string;
  /** What is ready, in the order of its turns: as many as `state.ready`. */
  readonly claims: Claim[];
  /** What this router may do for it among the present members. */
  role: Role;
  /** Replaced by `Scheduler.update`, and by nobody else. */
  state: DestinationQueue;
}

/**
 * The part of the memory, and of the places in flight, that any queue may use. The rest is for queues that have few of
 * either, as many as a destination begins with: however many hang at once, the others go on.
 */
const SHARED = 3 / 4;

/** All destination queues: whose turn it is, and how much of the budgets that they share is free (D-26). */
export class Scheduler {
  /** What is free now: it changes with each update. */
  readonly memory: Memory;
  readonly #free: { -readonly [Field in keyof Memory]: Memory[Field] };
  readonly #queues = new Map<string, Queue>();
  /** Queues that can start a round, in the order of their turns. */
  readonly #turns = new Set<Queue>();
  /** Of these, the ones that have few in flight. */
  readonly #modest = new Set<Queue>();
  /** Queues that wait for room in memory, in the order of their turns. */
  readonly #starved = new Set<Queue>();
  readonly #policy: DeliveryPolicy;
  readonly #roles: Pick<Roles, 'of'>;
  /** The state of a queue that is not in memory. */
  readonly #unknown: DestinationQueue;
  #inFlight = 0;
  /** Places and bytes in memory that are taken: by what is ready, and for what is on its way. */
  #places = 0;
  #bytes = 0;

  constructor(policy: DeliveryPolicy, roles: Pick<Roles, 'of'>) {
    this.#policy = policy;
    this.#roles = roles;
    this.#unknown = newQueue(policy);
    this.#free = { free: policy.totalRoom, shared: Math.floor(SHARED * policy.totalRoom) };
    this.memory = this.#free;
  }

  /** The queue of a destination, which is in memory from here on until it was idle for long. */
  of(destination: string): Queue {
    let queue = this.#queues.get(destination);
    if (queue === undefined) {
      queue = { destination, claims: [], role: this.#roles.of(destination), state: this.#unknown };
      this.#queues.set(destination, queue);
    }
    return queue;
  }

  /** As `of`, of a queue that needs not be kept. */
  look(destination: string): Pick<Queue, 'role' | 'state'> {
    return this.#queues.get(destination) ?? { role: this.#roles.of(destination), state: this.#unknown };
  }

  /** Drops an idle queue; the next who asks for it gets a new one, which learns again how its destination is. */
  forget(queue: Queue): void {
    if (this.#queues.get(queue.destination) === queue) this.#queues.delete(queue.destination);
  }

  all(): IteratorObject<Queue> {
    return this.#queues.values();
  }

  get count(): number {
    return this.#queues.size;
  }

  /** Those whose own limits hold back what is ready (HOOK-24). */
  get held(): number {
    return this.all().reduce((sum, queue) => sum + (isHeld(queue) ? 1 : 0), 0);
  }

  /** Those that are parked. */
  get parked(): number {
    return this.all().reduce((sum, { state }) => sum + (state.circuit.state === 'closed' ? 0 : 1), 0);
  }

  /** Of these, the destinations whose queues this router owns. */
  get ownParked(): string[] {
    const own = this.all().filter(({ role, state }) => role.isOwner && state.circuit.state !== 'closed');
    return Array.from(own, ({ destination }) => destination);
  }

  /** Rounds under way. */
  get inFlight(): number {
    return this.#inFlight;
  }

  update(queue: Queue, state: DestinationQueue): void {
    const before = queue.state;
    queue.state = state;
    this.#inFlight += state.inFlight - before.inFlight;
    this.#places += state.ready + state.reserved - before.ready - before.reserved;
    this.#bytes += bytesOf(state) - bytesOf(before);
    const { totalRoom, totalBytes, rampStart } = this.#policy;
    this.#free.free = this.#bytes >= totalBytes ? 0 : totalRoom - this.#places;
    this.#free.shared = this.#bytes >= SHARED * totalBytes ? 0 : Math.floor(SHARED * totalRoom) - this.#places;
    if (state.ready > 0 || before.ready > 0) {
      const starts = canStart(queue.role.policy, state);
      move(queue, this.#turns, starts);
      move(queue, this.#modest, starts && state.inFlight < rampStart);
    }
    if (state.refill !== before.refill) move(queue, this.#starved, state.refill.state === 'starved');
  }

  /** The queue whose turn it is to start a round; undefined when none can. */
  next(): Queue | undefined {
    const { inFlight } = this.#policy;
    if (this.#inFlight >= inFlight) return undefined;
    const [queue] = this.#inFlight < SHARED * inFlight ? this.#turns : this.#modest;
    if (queue === undefined) return undefined;
    // What it can start after this round comes behind the others.
    this.#turns.delete(queue);
    this.#modest.delete(queue);
    return queue;
  }

  /** The queue whose turn it is to find room in memory; its next turn comes behind the others. None waits: undefined. */
  nextStarved(): Queue | undefined {
    const [queue] = this.#starved;
    if (queue === undefined) return undefined;
    this.#starved.delete(queue);
    this.#starved.add(queue);
    return queue;
  }
}

function isHeld({ role: { limits, policy }, state: { ready, inFlight, isHeld: isPaced } }: Queue): boolean {
  if (limits === undefined || ready === 0) return false;
  return isPaced || (limits.inFlight !== undefined && inFlight >= policy.perDestination);
}

function move(queue: Queue, set: Set<Queue>, belongs: boolean): void {
  if (belongs) set.add(queue);
  else set.delete(queue);
}

function bytesOf({ bytes, refill }: DestinationQueue): number {
  return bytes + (refill.state === 'asked' ? refill.bytes : 0);
}

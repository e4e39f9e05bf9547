import type { DeliveryPolicy } from '../model/policy.ts';
import type { Claim } from '../model/delivery.ts';
import { workspaceOf } from '../model/resource-names.ts';
import { canStart, type DestinationQueue, newQueue } from './destination-queue.ts';
import type { Role, Roles } from './roles.ts';
import type { Memory } from './refill.ts';
import { isTried, TrialPace } from './trials.ts';
import type { Amount } from './queue-events.ts';
import { QueueTurns, type TurnClass } from './queue-turns.ts';

/** What is known of the queues of one workspace. */
export interface Workspace {
  /** In memory. */
  queues: number;
  /** Rounds under way. */
  inFlight: number;
}

/** A destination queue with its claims. */
export interface Queue {
  readonly destination: string;
  readonly workspace: Workspace;
  /** What is ready, in the order of its turns: as many as `state.ready`. */
  readonly claims: Claim[];
  /** What this router may do for it among the present members. */
  role: Role;
  /** Replaced by `Scheduler.update`, and by nobody else. */
  state: DestinationQueue;
  /** As `Scheduler.update` has counted them, by the role of then. */
  trials: number;
}

/** What claims count for in the state of their queue. */
export function amountOf(claims: readonly Claim[]): Amount {
  return { count: claims.length, bytes: claims.reduce((sum, { bytes = 0 }) => sum + bytes, 0) };
}

/**
 * Of the memory, and of the places in flight, this part is for any queue. Beyond it there is room for those that have few of
 * either, as many as a destination begins with …
 */
const SHARED = 3 / 4;
/** … and the last of it is for those of them that are proven: however many fail or hang at once, those that work go on. */
const UNPROVEN = 7 / 8;
/** So many times as many places in flight as are free may be of one workspace: however slow its destinations are, others go on. */
const TIMES_FREE = 15;
/** Storage is asked by so many at a time: who stores or records has not to wait for all the others. */
const MAX_REFILLS = 8;
/** So long takes what is in memory of trials at their pace: nobody waits there while others could be tried. */
const TRIALS_FOR_S = 1 / 2;

/** All destination queues: whose turn it is, and how much of the budgets that they share is free (D-26). */
export class Scheduler {
  /** What is free now: it changes with each update. */
  readonly memory: Memory;
  readonly #free: { -readonly [Field in keyof Memory]: Memory[Field] };
  readonly #queues = new Map<string, Queue>();
  /** Those of them whose circuits are not closed: they are asked for each second, and a look at all queues would take as long as they are many. */
  readonly #parked = new Set<Queue>();
  /** By name. */
  readonly #workspaces = new Map<string, Workspace>();
  /** Queues that can start a round. */
  readonly #turns = new QueueTurns(classOf);
  /** Of these, the ones that have few in flight. */
  readonly #modest = new QueueTurns(classOf);
  /** Queues that wait for room in memory. */
  readonly #starved = new QueueTurns(hungerOf);
  readonly #trials: TrialPace;
  readonly #policy: DeliveryPolicy;
  readonly #roles: Pick<Roles, 'of'>;
  /** The state of a queue that is not in memory. */
  readonly #unknown: DestinationQueue;
  #inFlight = 0;
  /** Places and bytes in memory that are taken: by what is ready, and for what is on its way. */
  #places = 0;
  #bytes = 0;
  /** Of these places, the ones of trials. */
  #trialPlaces = 0;

  constructor(policy: DeliveryPolicy, roles: Pick<Roles, 'of'>) {
    this.#policy = policy;
    this.#roles = roles;
    this.#unknown = newQueue(policy);
    this.#trials = new TrialPace(policy.trialsPerSecond);
    this.#free = { free: 0, unproven: 0, shared: 0, trials: 0, refills: MAX_REFILLS };
    this.memory = this.#free;
    this.#weigh();
  }

  /** The queue of a destination, which is in memory from here on until it was idle for long. */
  of(destination: string): Queue {
    let queue = this.#queues.get(destination);
    if (queue === undefined) {
      const [workspace, role] = [this.#workspaceOf(destination), this.#roles.of(destination)];
      queue = { destination, workspace, claims: [], role, state: this.#unknown, trials: 0 };
      this.#queues.set(destination, queue);
      workspace.queues += 1;
    }
    return queue;
  }

  #workspaceOf(destination: string): Workspace {
    const name = workspaceOf(destination);
    const known = this.#workspaces.get(name);
    if (known !== undefined) return known;
    const workspace = { queues: 0, inFlight: 0 };
    this.#workspaces.set(name, workspace);
    return workspace;
  }

  /** As `of`, of a queue that needs not be kept. */
  look(destination: string): Pick<Queue, 'role' | 'state'> {
    return this.#queues.get(destination) ?? { role: this.#roles.of(destination), state: this.#unknown };
  }

  /** Undefined where it is not in memory: nothing waits for it, and its circuit is closed. */
  known(destination: string): Queue | undefined {
    return this.#queues.get(destination);
  }

  /** Drops an idle queue; the next who asks for it gets a new one, which learns again how its destination is. */
  forget(queue: Queue): void {
    if (this.#queues.get(queue.destination) !== queue) return;
    this.#queues.delete(queue.destination);
    this.#parked.delete(queue);
    queue.workspace.queues -= 1;
    if (queue.workspace.queues === 0) this.#workspaces.delete(workspaceOf(queue.destination));
    for (const turns of [this.#turns, this.#modest, this.#starved]) turns.forget(queue);
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
  get parked(): ReadonlySet<Queue> {
    return this.#parked;
  }

  /** Of these, the destinations whose queues this router owns. */
  get ownParked(): string[] {
    return [...this.#parked].filter(({ role }) => role.isOwner).map(({ destination }) => destination);
  }

  /** Rounds under way. */
  get inFlight(): number {
    return this.#inFlight;
  }

  update(queue: Queue, state: DestinationQueue): void {
    const before = queue.state;
    queue.state = state;
    if (state.circuit.state === 'closed') this.#parked.delete(queue);
    else if (before.circuit.state === 'closed') this.#parked.add(queue);
    this.#inFlight += state.inFlight - before.inFlight;
    queue.workspace.inFlight += state.inFlight - before.inFlight;
    this.#places += state.ready + state.reserved - before.ready - before.reserved;
    this.#bytes += bytesOf(state) - bytesOf(before);
    this.#free.refills -= refillsOf(state) - refillsOf(before);
    this.#trialPlaces -= queue.trials;
    queue.trials = trialsOf(queue);
    this.#trialPlaces += queue.trials;
    if (isTried(before.standing) && state.standing === 'answers') this.#trials.giveBack();
    this.#weigh();
    if (state.ready > 0 || before.ready > 0) {
      const starts = canStart(queue.role.policy, state);
      this.#turns.place(queue, starts);
      this.#modest.place(queue, starts && state.inFlight < this.#policy.rampStart);
    }
    this.#starved.place(queue, state.refill.state === 'starved');
  }

  /** The queue whose turn it is to start a round; undefined when none can. */
  next(now: () => number): Queue | undefined {
    const { inFlight } = this.#policy;
    if (this.#inFlight >= inFlight) return undefined;
    const trialAt = this.nextTrialAt;
    const mayTry = trialAt !== undefined && trialAt <= now();
    const queue = this.#startable.take(this.#mayTakeMore ? (mayTry ? ANY : NO_TRIAL) : PROVEN, this.#mayStart);
    if (queue !== undefined && classOf(queue.state) === 'trial') this.#trials.take(now());
    // What it can start after this round comes behind the others.
    if (queue !== undefined) for (const one of [this.#turns, this.#modest]) one.remove(queue);
    return queue;
  }

  /** When a trial may start that waits for its time alone; undefined when none does. */
  get nextTrialAt(): number | undefined {
    return this.#mayTakeMore && this.#startable.has('trial', this.#mayStart) ? this.#trials.freeAt : undefined;
  }

  /** Whether one more round of this workspace leaves enough to others. */
  readonly #mayStart = ({ inFlight }: Workspace): boolean =>
    inFlight < TIMES_FREE * (this.#policy.inFlight - this.#inFlight);

  /** Queues that may start a round with what is in flight now. */
  get #startable(): QueueTurns {
    return this.#inFlight < SHARED * this.#policy.inFlight ? this.#turns : this.#modest;
  }

  /** Whether those that are not proven may start rounds. */
  get #mayTakeMore(): boolean {
    return this.#inFlight < UNPROVEN * this.#policy.inFlight;
  }

  /** The queue whose turn it is to find room in memory; its next turn comes behind the others. None waits: undefined. */
  nextStarved(): Queue | undefined {
    if (this.memory.refills <= 0) return undefined;
    const queue = this.#starved.take(this.memory.trials > 0 ? ANY : NO_TRIAL);
    if (queue !== undefined) this.#starved.place(queue, true);
    return queue;
  }

  #weigh(): void {
    this.#free.free = this.#freeOf(1);
    this.#free.unproven = this.#freeOf(UNPROVEN);
    this.#free.shared = this.#freeOf(SHARED);
    this.#free.trials = Math.ceil(this.#policy.trialsPerSecond * TRIALS_FOR_S) - this.#trialPlaces;
  }

  /** Of a part of the memory. */
  #freeOf(part: number): number {
    const { totalRoom, totalBytes } = this.#policy;
    return this.#bytes >= part * totalBytes ? 0 : Math.floor(part * totalRoom) - this.#places;
  }
}

function isHeld({ role: { limits, policy }, state: { ready, inFlight, isHeld: isPaced } }: Queue): boolean {
  if (limits === undefined || ready === 0) return false;
  return isPaced || (limits.inFlight !== undefined && inFlight >= policy.perDestination);
}

const PROVEN: readonly TurnClass[] = ['proven'];
const NO_TRIAL: readonly TurnClass[] = ['proven', 'other'];
const ANY: readonly TurnClass[] = ['proven', 'other', 'trial'];

/** What an open circuit lets through are last tries, which do not wait: the windows of their events are about to end. */
function classOf({ isProven, standing, circuit }: DestinationQueue): TurnClass {
  if (isProven) return 'proven';
  return isTried(standing) && circuit.state !== 'open' ? 'trial' : 'other';
}

/** Of a queue that waits to ask storage. */
function hungerOf({ isProven, standing, circuit }: DestinationQueue): TurnClass {
  if (isProven) return 'proven';
  return standing !== 'answers' && circuit.state === 'closed' ? 'trial' : 'other';
}

/** Places of what waits for the pace of trials alone, and of what is asked for and will. */
function trialsOf({ role: { policy }, state }: Queue): number {
  const { standing, refill, ready } = state;
  if (standing === 'answers') return 0;
  const waiting = classOf(state) === 'trial' && canStart(policy, state) ? ready : 0;
  return waiting + (refill.state === 'asked' && refill.which !== 'received' ? refill.limit : 0);
}

function bytesOf({ bytes, refill }: DestinationQueue): number {
  return bytes + (refill.state === 'asked' ? refill.bytes : 0);
}

function refillsOf({ refill }: DestinationQueue): number {
  return refill.state === 'asked' ? 1 : 0;
}

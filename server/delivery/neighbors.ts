import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { DeliveryStorage } from '../storage/delivery-storage.ts';
import type { CircuitNews, Life, Members, News } from '../storage/members.ts';
import type { QueueEvent } from './queue-events.ts';
import type { Roles } from './roles.ts';
import type { Queue, Scheduler } from './scheduler.ts';
import { wholeBacklog } from './supply.ts';

/** So many waits are told at a time. */
const WAITS_AT_ONCE = 5_000;
/** What the one that is gone held may just be freed by another member, which nobody waits for. */
const READS_AFTER_LOSS = 2;

export interface NeighborPorts {
  readonly store: Pick<DeliveryStorage, 'backlog'>;
  readonly members: Pick<Members, 'exchange' | 'reap'>;
  readonly clock: Pick<Clock, 'steady'>;
  readonly log: Log;
}

/** The queues of this router. */
export interface OwnQueues {
  readonly roles: Roles;
  readonly scheduler: Scheduler;
  readonly tell: (queue: Queue, event: QueueEvent) => void;
}

/** When the earliest is due, and when the oldest was accepted. */
interface Waiting {
  readonly dueAt: number;
  readonly receivedAt: number;
}

/**
 * What the members of a storage know of each other's queues. What waits in a queue is known to its owner: who puts something
 * there tells it, and on a change of members each hands over what it knows. Where word may have been lost (a member is gone,
 * an exchange failed), each reads from storage what waits in its own queues.
 */
export class Neighbors {
  readonly #ports: NeighborPorts;
  readonly #queues: OwnQueues;
  #self = '';
  #members: readonly Life[] = [];
  /** What is to be told of queues, by destination. */
  readonly #waits = new Map<string, Waiting>();
  readonly #circuits = new Map<string, CircuitNews>();
  /** So many times storage is to be read again, as word may have been lost. */
  #behind = 0;

  constructor(ports: NeighborPorts, queues: OwnQueues) {
    this.#ports = ports;
    this.#queues = queues;
  }

  /** The first members that a life hears of; nothing is known of any queue yet. */
  begin(self: string, members: readonly Life[]): void {
    this.#self = self;
    this.#members = members;
    this.#queues.roles.meet(self, nodesOf(members));
  }

  /** Hears who lives now. */
  meet(members: readonly Life[]): void {
    const before = this.#members;
    const isLost = before.some((life) => !includes(members, life));
    if (!isLost && members.length === before.length) return;
    if (isLost) this.#behind = READS_AFTER_LOSS;
    this.#members = members;
    const { roles, scheduler, tell } = this.#queues;
    roles.meet(this.#self, nodesOf(members));
    for (const queue of scheduler.all()) {
      const { isOwner } = queue.role;
      queue.role = roles.of(queue.destination);
      const isMoved = queue.role.isOwner !== isOwner || queue.role.policy.perDestination === 0;
      tell(queue, { type: isMoved ? 'moved' : 'tick' });
      // Who is new knows of no circuit.
      if (queue.state.circuit.state !== 'closed') this.tellCircuit(queue);
    }
  }

  /** Something waits in a queue that is not its own. */
  tellWait(destination: string, { dueAt, receivedAt }: Waiting): void {
    const known = this.#waits.get(destination) ?? { dueAt, receivedAt };
    const earliest = { dueAt: Math.min(known.dueAt, dueAt), receivedAt: Math.min(known.receivedAt, receivedAt) };
    this.#waits.set(destination, earliest);
  }

  /** The circuit of a destination is another one. */
  tellCircuit({ destination, state: { circuit } }: Queue): void {
    if (this.#queues.roles.isAlone) return;
    const { state } = circuit;
    const probes = state === 'closed' ? 0 : circuit.probes;
    const probeAt = state === 'open' ? circuit.probeAt : this.#ports.clock.steady();
    const told = state === 'closed' ? ({ state } as const) : ({ state: 'open', probes, probeAt } as const);
    this.#circuits.set(destination, { destination, circuit: told });
  }

  /** Tells the others, hears of them, and reads again what may have been missed. */
  async exchange(): Promise<void> {
    if (this.#queues.roles.isAlone && this.#waits.size === 0 && this.#behind === 0) return;
    const news = this.#takeNews();
    try {
      const { members, ...heard } = await this.#ports.members.exchange(news);
      this.meet(members);
      this.#hear(heard);
    } catch (error) {
      this.#miss(news);
      throw error;
    }
    if (this.#behind > 0) await this.catchUp();
  }

  /**
   * Reads what waits in its own queues; answers how many deliveries. Whoever is no member any more is reaped before: what it
   * held waits as well.
   */
  async catchUp(): Promise<number> {
    const { store, members, clock } = this.#ports;
    const { roles, scheduler, tell } = this.#queues;
    this.#behind = Math.max(0, this.#behind - 1);
    try {
      const freed = await members.reap({ now: clock.steady() });
      if (freed > 0) this.#ports.log.warn({ deliveries: freed }, 'what a silent router held waits again');
      const own = (await wholeBacklog(store)).filter(({ destination }) => roles.of(destination).isOwner);
      for (const { destination, nextDueAt: dueAt, oldestReceivedAt: receivedAt } of own) {
        tell(scheduler.of(destination), { type: 'stored', dueAt, receivedAt });
      }
      return own.reduce((sum, { waiting }) => sum + waiting, 0);
    } catch (error) {
      this.#behind += 1;
      throw error;
    }
  }

  #takeNews(): News {
    const waits = [...this.#waits].slice(0, WAITS_AT_ONCE).map(([destination, waiting]) => {
      this.#waits.delete(destination);
      return { to: this.#queues.roles.ownerOf(destination), destination, ...waiting };
    });
    const circuits = [...this.#circuits.values()];
    this.#circuits.clear();
    return { waits, circuits };
  }

  #hear({ waits, circuits }: News): void {
    const { scheduler, tell } = this.#queues;
    for (const { destination, dueAt, receivedAt } of waits) {
      tell(scheduler.of(destination), { type: 'stored', dueAt, receivedAt });
    }
    for (const { destination, circuit } of circuits) tell(scheduler.of(destination), { type: 'heard', circuit });
  }

  /** What was told may not have been heard, and what was heard is not known: what is known of others' circuits is too old. */
  #miss({ waits, circuits }: News): void {
    const { scheduler, tell } = this.#queues;
    for (const { destination, ...waiting } of waits) this.tellWait(destination, waiting);
    for (const one of circuits) if (!this.#circuits.has(one.destination)) this.#circuits.set(one.destination, one);
    this.#behind = Math.max(1, this.#behind);
    for (const queue of scheduler.all()) {
      if (!queue.role.isOwner) tell(queue, { type: 'heard', circuit: { state: 'closed' } });
    }
  }
}

function includes(members: readonly Life[], { node, epoch }: Life): boolean {
  return members.some((one) => one.node === node && one.epoch === epoch);
}

function nodesOf(members: readonly Life[]): string[] {
  return members.map(({ node }) => node);
}

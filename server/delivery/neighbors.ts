import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Backlog, DeliveryStorage } from '../storage/delivery-storage.ts';
import { type CircuitNews, LEASE_MS, type Life, type Members } from '../storage/members.ts';
import type { Division, News, Peer, Statement } from '../storage/members.ts';
import type { DeliveryPolicy } from '../model/policy.ts';
import type { QueueEvent } from './queue-events.ts';
import type { Roles } from './roles.ts';
import { toldCircuits } from './open-circuits.ts';
import { portionsOf } from './portions.ts';
import type { Queue, Scheduler } from './scheduler.ts';
import { backlogPages } from './supply.ts';
import { messageOf } from '../thrown.ts';

/** So many waits are told at a time. */
const WAITS_AT_ONCE = 5_000;
/** So many queues get their roles in one turn, … */
const ROLES_AT_ONCE = 500;
/** … and so many are told in one of what waits in them, which may be the first that is known of them: each takes few milliseconds. */
const TOLD_AT_ONCE = 40;
/** How long after a failure storage is asked again. */
const PAUSE_MS = 1_000;
/** What the one that is gone held may just be freed by another member, which nobody waits for. */
const READS_AFTER_LOSS = 2;

export interface NeighborPorts {
  readonly store: Pick<DeliveryStorage, 'backlog'>;
  readonly members: Pick<Members, 'exchange' | 'reap'>;
  readonly clock: Pick<Clock, 'steady' | 'sleep'>;
  readonly log: Log;
  readonly policy: Pick<DeliveryPolicy, 'deadlineMs'>;
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
 *
 * Each tells by which members it divides limits, and where it has more in flight than that: once all tell the same, shares
 * that have become larger are used (D-62). Whoever tells nothing of the kind, or is stuck, is waited for until it must have
 * heard, and what it sent before must have ended.
 */
export class Neighbors {
  readonly #ports: NeighborPorts;
  readonly #queues: OwnQueues;
  #members: readonly Peer[] = [];
  /** When the members were last others. */
  #changedAt = 0;
  /** Whether this router may still have more in flight than its shares. */
  #mayBeOver = false;
  /** Once all have made room for it. */
  #owns = false;
  /** Ends when each queue has the role that it has among the members of now, or another division has begun. */
  #dividing: Promise<void> = Promise.resolve();
  #divisions = 0;
  /** What is to be told of queues, by destination. */
  readonly #waits = new Map<string, Waiting>();
  readonly #circuits = new Map<string, CircuitNews>();
  /** So many times storage is to be read again, as word may have been lost. */
  #behind = 0;

  constructor(ports: NeighborPorts, queues: OwnQueues) {
    this.#ports = ports;
    this.#queues = queues;
  }

  /** The first members that a life hears of; nothing is known of any queue before `learn`. */
  begin(self: Life, members: readonly Peer[]): void {
    this.#members = members;
    this.#changedAt = this.#ports.clock.steady();
    this.#queues.roles.begin(self, members);
  }

  /** Hears who lives now. */
  meet(members: readonly Peer[]): void {
    if (this.#members.some((life) => !includes(members, life))) this.#behind = READS_AFTER_LOSS;
    this.#members = members;
    const { roles, scheduler } = this.#queues;
    if (!roles.meet(members)) return;
    this.#changedAt = this.#ports.clock.steady();
    this.#mayBeOver = true;
    this.#divide();
    // Who is new knows of no circuit.
    for (const queue of scheduler.parked) this.tellCircuit(queue);
  }

  /**
   * Gives each queue the role that it has now, with turns of others between. Meanwhile some go on with what has become too much:
   * others take of it only once they have heard that all is divided.
   */
  #divide(): void {
    this.#divisions += 1;
    this.#dividing = this.#giveRoles(this.#divisions);
  }

  async #giveRoles(division: number): Promise<void> {
    for await (const queues of portionsOf(this.#queues.scheduler.all(), ROLES_AT_ONCE, this.#ports.clock)) {
      if (this.#divisions !== division) return;
      for (const queue of queues) this.#giveRole(queue);
    }
  }

  #giveRole(queue: Queue): void {
    const { isOwner } = queue.role;
    queue.role = this.#queues.roles.of(queue.destination);
    const isMoved = queue.role.isOwner !== isOwner || queue.role.policy.perDestination === 0;
    this.#queues.tell(queue, { type: isMoved ? 'moved' : 'tick' });
  }

  /** Something waits, as others say, or storage: perhaps before its own queue has that role. */
  #learn(destination: string, { dueAt, receivedAt }: Waiting): void {
    const { roles, scheduler, tell } = this.#queues;
    const queue = scheduler.of(destination);
    if (!queue.role.isOwner && roles.ownerOf(destination) === roles.self) this.#giveRole(queue);
    tell(queue, { type: 'stored', dueAt, receivedAt });
  }

  /** Resolves when none is under way. */
  async #divided(): Promise<void> {
    for (let before = 0; before !== this.#divisions;) {
      before = this.#divisions;
      await this.#dividing;
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
    const { roles } = this.#queues;
    const told = await this.#talk();
    // Others wait for the word that it counts with the members that it has just heard of.
    if (told.among !== roles.among) await this.#talk();
    if (this.#behind > 0) await this.catchUp();
  }

  async #talk(): Promise<Division> {
    // What is told of shares holds for all queues.
    await this.#divided();
    const news = this.#takeNews();
    const division = this.#division();
    try {
      const { members, ...heard } = await this.#ports.members.exchange({ ...news, division });
      this.meet(members);
      this.#agree();
      this.#hear(heard);
      return division;
    } catch (error) {
      this.#miss(news);
      throw error;
    }
  }

  /** How this router divides limits, for others. */
  #division(): Statement {
    const { roles, scheduler } = this.#queues;
    const crowded = this.#mayBeOver ? scheduler.all().filter(isOver) : [];
    const over = [...crowded].map(({ destination }) => destination);
    this.#mayBeOver = over.length > 0;
    this.#owns ||= roles.isAgreed;
    return { among: roles.among, over, owns: this.#owns, ...toldCircuits(scheduler.parked) };
  }

  /** Uses shares that have become larger once all others have room for that. */
  #agree(): void {
    const { roles } = this.#queues;
    if (roles.isAgreed) return;
    const { deadlineMs } = this.#ports.policy;
    const mustBeSo = this.#ports.clock.steady() >= this.#changedAt + LEASE_MS + deadlineMs;
    const others = this.#members.filter(({ node }) => node !== roles.self);
    if (!mustBeSo && others.some(({ division }) => division?.among !== roles.among)) return;
    roles.agree(new Set(mustBeSo ? [] : others.flatMap(({ division }) => division?.over ?? [])));
    this.#divide();
  }

  /**
   * Reads what waits in its own queues until storage has answered, or the life is over: nobody else would ask again where
   * there is one router. Answers how many of them have something.
   */
  async learn(goesOn: () => boolean): Promise<number> {
    const { clock, log } = this.#ports;
    const wasOwn = this.#queues.roles.ownership();
    while (goesOn()) {
      try {
        return await this.#readBacklog(wasOwn);
      } catch (error) {
        if (!goesOn()) break;
        log.error({ reason: messageOf(error) }, 'what waits in storage could not be read; trying again');
        await clock.sleep(PAUSE_MS);
      }
    }
    return 0;
  }

  /** Reads it again, as word of it may have been lost; where that fails, with the next exchange. */
  async catchUp(): Promise<void> {
    this.#behind = Math.max(0, this.#behind - 1);
    try {
      await this.#readBacklog(this.#queues.roles.ownership());
    } catch (error) {
      this.#behind += 1;
      throw error;
    }
  }

  /** With turns of others between. Whoever is no member any more is reaped before: what it held waits as well. */
  async #readBacklog(wasOwn: (destination: string) => boolean): Promise<number> {
    const { store, members, clock } = this.#ports;
    const freed = await members.reap({ now: clock.steady() });
    if (freed > 0) this.#ports.log.warn({ deliveries: freed }, 'what a silent router held waits again');
    let count = 0;
    for await (const page of backlogPages(store)) {
      for await (const queues of portionsOf(page, TOLD_AT_ONCE, clock)) {
        for (const read of queues) if (this.#tellRead(read, wasOwn)) count += 1;
      }
    }
    return count;
  }

  /** Whether what was read is of a queue of its own. */
  #tellRead({ destination, nextDueAt, oldestReceivedAt }: Backlog, wasOwn: (destination: string) => boolean): boolean {
    const waiting = { dueAt: nextDueAt, receivedAt: oldestReceivedAt };
    const isOwn = this.#queues.roles.ownerOf(destination) === this.#queues.roles.self;
    if (isOwn) this.#learn(destination, waiting);
    // Whoever owns it since may have read past it before.
    else if (wasOwn(destination)) this.tellWait(destination, waiting);
    return isOwn;
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
    for (const { destination, ...waiting } of waits) this.#learn(destination, waiting);
    for (const { destination, circuit } of circuits) tell(scheduler.of(destination), { type: 'heard', circuit });
  }

  /** What was told may not have been heard, and what was heard is not known: what is known of others' circuits is too old. */
  #miss({ waits, circuits }: News): void {
    const { scheduler, tell } = this.#queues;
    for (const { destination, ...waiting } of waits) this.tellWait(destination, waiting);
    for (const one of circuits) if (!this.#circuits.has(one.destination)) this.#circuits.set(one.destination, one);
    this.#behind = Math.max(1, this.#behind);
    for (const queue of scheduler.parked) {
      if (!queue.role.isOwner) tell(queue, { type: 'heard', circuit: { state: 'closed' } });
    }
  }
}

function includes(members: readonly Life[], { node, epoch }: Life): boolean {
  return members.some((one) => one.node === node && one.epoch === epoch);
}

function isOver({ state, role }: Queue): boolean {
  return state.inFlight > role.policy.perDestination;
}

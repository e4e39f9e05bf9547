import type { Claim, DeliveryId } from '../model/delivery.ts';
import type { Admission } from '../events/accept.ts';
import type { DeliveryStorage } from '../storage/delivery-storage.ts';
import { NotAMember } from '../storage/errors.ts';
import type { NewLife, Peer } from '../storage/members.ts';
import { accepts, reduce } from './destination-queue.ts';
import type { QueueEffect, QueueEvent, RefillRequest } from './queue-events.ts';
import { type NeighborPorts, Neighbors } from './neighbors.ts';
import { ended, type RecordedRound, type RoundWatcher } from './recorder.ts';
import { FOR_EVER, type Tenure } from './lease.ts';
import { OpenCalls } from './open-calls.ts';
import type { Given } from './refill.ts';
import { type Role, Roles } from './roles.ts';
import { type RoundPorts, Rounds, startOfRound } from './rounds.ts';
import { amountOf, type Queue, Scheduler } from './scheduler.ts';
import { claimed, putBack, type SupplyPorts, supplyOf } from './supply.ts';
import { Later, Timers } from './timers.ts';

export interface DispatcherPorts extends RoundPorts {
  readonly store: DeliveryStorage;
  readonly members: NeighborPorts['members'];
  readonly watchers?: readonly RoundWatcher[];
}

/** So many rounds start in one go: an event for a thousand destinations is answered before most of them are sent to. */
const STARTS_AT_ONCE = 32;

/**
 * Takes deliveries and sends them. What a destination's queue does next is decided by its reducer, and whose turn it is by
 * the scheduler; this loop carries it out: asks storage, starts rounds, records them. It is made for one life of this
 * router: `start` once, then `stop` or `fence`.
 */
export class Dispatcher {
  /** What is known of the other members of the storage. */
  readonly neighbors: Neighbors;
  /** Those under way that may still bring claims, or take some away. */
  readonly calls: OpenCalls;
  readonly #ports: DispatcherPorts;
  readonly #supply: SupplyPorts;
  readonly #roles: Roles;
  readonly #scheduler: Scheduler;
  readonly #timers: Timers<Queue>;
  readonly #rounds: Rounds;
  readonly #tenure: Tenure;
  readonly #pumpSoon: Later;
  #running = false;
  /** Set by `fence`. */
  #isFenced = false;
  /** Set while `stop` waits for what is in flight. */
  #onIdle: (() => void) | undefined;

  constructor(ports: DispatcherPorts, tenure: Tenure = FOR_EVER) {
    this.#tenure = tenure;
    this.#ports = ports;
    this.#supply = supplyOf(ports);
    this.calls = new OpenCalls(ports.clock);
    this.#pumpSoon = new Later(ports.clock, () => this.#pump());
    const roles = (this.#roles = new Roles(ports.policy, (destination) => ports.targets(destination)?.limits));
    const scheduler = (this.#scheduler = new Scheduler(ports.policy, roles));
    const tell = (queue: Queue, event: QueueEvent): void => this.#tell(queue, event);
    this.neighbors = new Neighbors(ports, { roles, scheduler, tell });
    this.#timers = new Timers(ports.clock, (queue) => this.#tell(queue, { type: 'tick' }));
    const record: RoundPorts['store']['record'] = (rounds) => this.calls.during(ports.store.record(rounds));
    this.#rounds = new Rounds({ ...ports, store: { record } }, tenure, (...told) => this.#onRecorded(...told));
  }

  /** Begins the life as which the router has joined, among the members that there are; resolves once what waits in storage is known. */
  async start(life: NewLife, members: readonly Peer[] = [life]): Promise<void> {
    this.neighbors.begin(life, members);
    this.#running = !this.#isFenced;
    const destinations = await this.neighbors.learn(() => this.#running);
    const fields = { recovered: life.freed, destinations };
    if (destinations > 0) this.#ports.log.info(fields, 'deliveries are waiting in storage');
  }

  admit(): Admission {
    if (!this.#tenure.holds || this.#isFenced) throw new NotAMember('this router is no member of its storage now');
    const call = this.calls.begin();
    const places: string[] = [];
    return {
      reserve: (destination) => {
        const target = this.#ports.targets(destination);
        const { role, state } = this.#scheduler.look(destination);
        const isInOrder = target?.inOrder === true;
        // Of a shared storage, the owner of the queue alone takes what is in lines: it is told of all that waits.
        const mayTake = this.#mayBegin && (this.#tenure.isEndless || !isInOrder);
        const hasPlace = mayTake && accepts(this.#given(role), state);
        if (hasPlace) this.#apply(this.#scheduler.of(destination), { type: 'reserved' }, target);
        if (hasPlace) places.push(destination);
        return { hasPlace, isInOrder };
      },
      end: (claims, waiting) => {
        this.calls.end(call);
        this.#take(claims, places);
        for (const destination of waiting) this.wake(destination);
      },
    };
  }

  /** Rounds under way. */
  get inFlight(): number {
    return this.#scheduler.inFlight;
  }

  /** Of destinations in memory: those that something waits for, or that were sent to lately. */
  get queues(): Pick<Scheduler, 'all' | 'count' | 'held' | 'known' | 'parked' | 'ownParked'> {
    return this.#scheduler;
  }

  /** What storage gave, and the destinations for which a place was kept for each. */
  #take(claims: readonly Claim[], places: readonly string[] = []): void {
    const [ready, kept] = [Map.groupBy(claims, ({ destination }) => destination), Map.groupBy(places, String)];
    for (const destination of new Set([...kept.keys(), ...ready.keys()])) {
      const [queue, own] = [this.#scheduler.of(destination), ready.get(destination) ?? []];
      queue.claims.push(...own);
      this.#step(queue, { type: 'claimed', ...amountOf(own), places: kept.get(destination)?.length ?? 0 });
    }
    this.#pump();
  }

  /** Tells that a delivery was stored unclaimed, and is due. */
  wake(destination: string): void {
    const now = this.#ports.clock.steady();
    this.#tell(this.#scheduler.of(destination), { type: 'stored', dueAt: now, receivedAt: now });
  }

  /**
   * Begins nothing more, lets what is in flight end within `graceMs` (then ends it), puts back what was not begun, and
   * resolves when all of that is in storage.
   */
  async stop(graceMs: number): Promise<void> {
    const { clock, log } = this.#ports;
    this.#running = false;
    this.#timers.cancel();
    const grace = new AbortController();
    const over = clock.sleep(graceMs, grace.signal).then(() => this.#rounds.abort());
    if (this.inFlight > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    // What is recorded may bring what comes next.
    await this.#rounds.recorded(this.#rounds.aborted);
    await ended(() => this.calls.tracked, this.#rounds.aborted);
    // What a life that is over has held is not its own any more.
    const waiting = this.#isFenced ? [] : [...this.#scheduler.all()].flatMap(({ claims }) => claims.splice(0));
    const reason = await putBack(this.#supply, waiting, this.#tenure);
    const fields = { deliveries: waiting.length, reason };
    if (reason !== undefined) log.warn(fields, 'claims could not be put back; they are freed at the next start');
    grace.abort();
    await over;
  }

  /** The life is over, or about to be: nothing more is sent, and nothing is asked of storage for it. */
  fence(): void {
    this.#running = false;
    this.#isFenced = true;
    this.#timers.cancel();
    this.#rounds.fence();
  }

  /** Resolves when all rounds that have ended are recorded, or `signal` aborts. */
  recorded(signal: AbortSignal): Promise<void> {
    return this.#rounds.recorded(signal);
  }

  /** All deliveries that this life knows to be its own. */
  get known(): Set<DeliveryId> {
    const known = new Set(this.#rounds.known);
    for (const { claims } of this.#scheduler.all()) for (const { delivery } of claims) known.add(delivery);
    return known;
  }

  get #mayBegin(): boolean {
    return this.#running && this.#tenure.holds;
  }

  #given({ policy, isOwner, gapMs = 0 }: Role): Given {
    const at = this.#ports.clock.steady();
    return { policy, isOwner, gapMs, at, memory: this.#scheduler.memory };
  }

  /** Tells a queue what happened, and begins what follows from it. */
  #tell(queue: Queue, event: QueueEvent): void {
    this.#apply(queue, event);
    this.#pump();
  }

  /** Limits of the destination are asked for where they decide: before a place is kept, or a round starts (D-13). */
  #apply(queue: Queue, event: QueueEvent, target = this.#ports.targets(queue.destination)): void {
    if (queue.role.limits !== target?.limits) {
      queue.role = this.#roles.of(queue.destination);
      this.#step(queue, { type: 'moved' });
    }
    this.#step(queue, event);
  }

  #step(queue: Queue, event: QueueEvent): void {
    const { state, effects } = reduce(this.#given(queue.role), queue.state, event);
    this.#scheduler.update(queue, state);
    for (const effect of effects) this.#carryOut(queue, effect);
  }

  #carryOut(queue: Queue, effect: QueueEffect): void {
    if (this.#isFenced) return;
    switch (effect.type) {
      case 'report':
        return this.#report(queue, effect.circuit);
      case 'tell':
        return this.neighbors.tellWait(queue.destination, effect);
      case 'put back':
        return this.calls.track(this.#putBack(queue, queue.claims.splice(-effect.count)));
      case 'forget':
        return this.#scheduler.forget(queue);
      case 'refill':
        if (this.#mayBegin) this.calls.track(this.#refill(queue, effect.request));
        return;
      case 'wake':
        if (this.#running) this.#timers.set(queue, effect.at);
    }
  }

  /** Starts rounds while there are places for them, and lets one queue look for room that has become free. */
  #pump(): void {
    let at: number | undefined;
    // While the next trial is waited for, none is due.
    const now = (): number => (at ??= this.#pumpSoon.isDue ? -Infinity : this.#ports.clock.steady());
    for (let started = 0; this.#mayBegin && !this.#rounds.isBehind; started += 1) {
      if (started === STARTS_AT_ONCE) {
        this.#pumpSoon.in(0);
        break;
      }
      const queue = this.#scheduler.next(now);
      if (queue === undefined) {
        const { nextTrialAt } = this.#scheduler;
        if (nextTrialAt === undefined || this.#pumpSoon.isDue) break;
        // Never at once: others have their turn between two.
        this.#pumpSoon.in(Math.max(1, Math.ceil(nextTrialAt - now())));
        break;
      }
      if (queue.role.limits !== this.#ports.targets(queue.destination)?.limits) {
        this.#apply(queue, { type: 'tick' });
        continue;
      }
      const claim = queue.claims.shift();
      if (claim === undefined) break;
      this.#step(queue, startOfRound(claim, this.#ports));
      void this.#round(queue, claim);
    }
    while (this.#running) {
      const queue = this.#scheduler.nextStarved();
      if (queue === undefined) return;
      this.#apply(queue, { type: 'tick' });
      // Who wants nothing any more leaves its turn to the next.
      if (queue.state.refill.state !== 'none') return;
    }
  }

  async #round(queue: Queue, claim: Claim): Promise<void> {
    const end = await this.#rounds.run(claim);
    this.#step(queue, { type: 'ended', delivery: claim.delivery, ...end, draw: this.#ports.random() });
    this.#pump();
    if (!this.#running && this.inFlight === 0) this.#onIdle?.();
  }

  #onRecorded(rounds: readonly RecordedRound[], next: readonly Claim[]): void {
    for (const round of rounds) {
      const { destination, verdict, receivedAt } = round;
      for (const watcher of this.#ports.watchers ?? []) watcher.ended(round);
      if (verdict.state !== 'pending') continue;
      this.#apply(this.#scheduler.of(destination), { type: 'stored', dueAt: verdict.dueAt, receivedAt });
    }
    this.#take(next);
  }

  async #refill(queue: Queue, request: RefillRequest): Promise<void> {
    const answer = await claimed(this.#supply, { ...request, destination: queue.destination });
    this.calls.heard(answer !== undefined);
    if (answer === undefined) return this.#tell(queue, { type: 'refill failed' });
    const { claims, nextDueAt: dueAt, oldestReceivedAt: oldestAt } = answer;
    queue.claims.push(...claims);
    this.#tell(queue, { type: 'refilled', first: claims[0]?.delivery, ...amountOf(claims), dueAt, oldestAt });
  }

  async #putBack(queue: Queue, claims: readonly Claim[]): Promise<void> {
    const { destination } = queue;
    const reason = await putBack(this.#supply, claims, this.#tenure);
    if (reason !== undefined) {
      this.#supply.log.error({ destination, reason }, 'claims could not be put back; they are sent instead');
      queue.claims.push(...claims);
      return this.#tell(queue, { type: 'return failed', ...amountOf(claims) });
    }
    const oldestAt = Math.min(...claims.map(({ message }) => message.receivedAt));
    this.#tell(queue, { type: 'returned', count: claims.length, oldestAt });
  }

  #report(queue: Queue, circuit: 'open' | 'closed'): void {
    const { destination } = queue;
    this.neighbors.tellCircuit(queue);
    const { log, policy } = this.#ports;
    if (circuit === 'closed') log.info({ destination }, 'destination has recovered');
    else log.warn({ destination, after: policy.parkAfter }, 'destination parked after failed rounds');
  }
}

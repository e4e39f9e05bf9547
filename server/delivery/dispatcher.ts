import { momentOf } from '../ports/clock.ts';
import type { Claim } from '../model/delivery.ts';
import type { Backlog, Claimed, DeliveryStorage } from '../storage/delivery-storage.ts';
import type { Members } from '../storage/members.ts';
import { carry, type CourierPorts, recordOf } from './courier.ts';
import { accepts, type QueueEffect, type QueueEvent, reduce } from './destination-queue.ts';
import { memoized } from './memo.ts';
import { ended, type RecordedRound, Recorder } from './recorder.ts';
import type { Given } from './refill.ts';
import { type RoundResult, verdictOfBroken } from './round.ts';
import { type Queue, Scheduler } from './scheduler.ts';
import { originOf } from './secret-mask.ts';
import { Timers } from './timers.ts';

/** So many destinations of the backlog are asked for at a time. */
const BACKLOG_PAGE = 1_000;

export interface DispatcherPorts extends Omit<CourierPorts, 'shown'> {
  readonly store: DeliveryStorage & Pick<Members, 'join'>;
}

/** What a queue asks storage for. */
type Request = Extract<QueueEffect, { type: 'refill' }>['request'];

/**
 * Takes deliveries and sends them. What a destination's queue does next is decided by its reducer, and whose turn it is by
 * the scheduler; this loop carries it out: asks storage, starts rounds, records them. Life: `start` once, `stop` once.
 */
export class Dispatcher {
  readonly #ports: DispatcherPorts & CourierPorts;
  readonly #scheduler: Scheduler;
  readonly #timers: Timers<Queue>;
  readonly #recorder: Recorder;
  readonly #abort = new AbortController();
  /** Refills and returns under way: `stop` waits for their claims. */
  readonly #calls = new Set<Promise<void>>();
  #running = false;
  /** Set while `stop` waits for what is in flight. */
  #onIdle: (() => void) | undefined;

  constructor(ports: DispatcherPorts) {
    this.#ports = { ...ports, shown: memoized(originOf) };
    this.#scheduler = new Scheduler(ports.policy);
    this.#timers = new Timers(ports.clock, (queue) => this.#tell(queue, { type: 'tick' }));
    this.#recorder = new Recorder(ports, (rounds) => this.#onRecorded(rounds));
  }

  /** Frees what an earlier process left, learns what waits in storage, and begins. */
  async start(): Promise<void> {
    const { store, clock, log } = this.#ports;
    const { freed: recovered } = await store.join({ now: clock.steady() });
    const backlog = await allOf(store);
    const waiting = backlog.reduce((sum, { waiting: count }) => sum + count, 0);
    if (waiting > 0)
      log.info({ waiting, recovered, destinations: backlog.length }, 'deliveries are waiting in storage');
    this.#running = true;
    for (const { destination, nextDueAt: dueAt, oldestReceivedAt: receivedAt } of backlog) {
      this.#tell(this.#scheduler.of(destination), { type: 'stored', dueAt, receivedAt });
    }
  }

  /** Whether a new delivery can be tried at once, and so be stored as claimed: then a place in memory is kept for it. */
  reserve(destination: string): boolean {
    if (!this.#running || !accepts(this.#given(), this.#scheduler.stateOf(destination))) return false;
    this.#apply(this.#scheduler.of(destination), { type: 'reserved' });
    return true;
  }

  /** Gives kept places back: one for each time that a destination is named. */
  unreserve(destinations: readonly string[]): void {
    for (const destination of destinations) {
      this.#apply(this.#scheduler.of(destination), { type: 'unreserved', places: 1 });
    }
    this.#pump();
  }

  /** Rounds under way. */
  get inFlight(): number {
    return this.#scheduler.inFlight;
  }

  /** Destinations in memory: those that something waits for, or that were sent to lately. */
  get destinations(): number {
    return this.#scheduler.count;
  }

  /** Destinations that are parked. */
  get parked(): number {
    return this.#scheduler.all().reduce((sum, { state }) => sum + (state.circuit.state === 'closed' ? 0 : 1), 0);
  }

  /** Takes claims that have been stored. */
  deliver(claims: readonly Claim[]): void {
    for (const claim of claims) {
      const queue = this.#scheduler.of(claim.destination);
      queue.claims.push(claim);
      this.#apply(queue, { type: 'claimed', count: 1, bytes: claim.bytes ?? 0 });
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
    const { store, clock, log } = this.#ports;
    this.#running = false;
    this.#timers.cancel();
    const grace = new AbortController();
    const over = clock.sleep(graceMs, grace.signal).then(() => this.#abort.abort());
    if (this.inFlight > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    await ended(() => (this.#calls.size > 0 ? Promise.all(this.#calls) : undefined), this.#abort.signal);
    const waiting = [...this.#scheduler.all()].flatMap(({ claims }) => claims.splice(0));
    await putBack(store, waiting).catch((error: unknown) => {
      log.warn(
        { deliveries: waiting.length, reason: String(error) },
        'claims could not be put back; they are freed at the next start',
      );
    });
    await this.#recorder.drained(this.#abort.signal);
    grace.abort();
    await over;
  }

  #given(): Given {
    return { policy: this.#ports.policy, at: this.#ports.clock.steady(), memory: this.#scheduler.memory };
  }

  /** Tells a queue what happened, and begins what follows from it. */
  #tell(queue: Queue, event: QueueEvent): void {
    this.#apply(queue, event);
    this.#pump();
  }

  #apply(queue: Queue, event: QueueEvent): void {
    const { state, effects } = reduce(this.#given(), queue.state, event);
    this.#scheduler.update(queue, state);
    for (const effect of effects) this.#carryOut(queue, effect);
  }

  #carryOut(queue: Queue, effect: QueueEffect): void {
    switch (effect.type) {
      case 'report':
        return this.#report(queue, effect.circuit);
      case 'put back':
        return this.#call(this.#putBack(queue, queue.claims.splice(-effect.count)));
      case 'forget':
        return this.#scheduler.forget(queue);
      case 'refill':
        if (this.#running) this.#call(this.#refill(queue, effect.request));
        return;
      case 'wake':
        if (this.#running) this.#timers.set(queue, effect.at);
    }
  }

  /** Starts rounds while there are places for them, and lets one queue look for room that has become free. */
  #pump(): void {
    while (this.#running && !this.#recorder.isBehind) {
      const queue = this.#scheduler.next();
      const claim = queue?.claims.shift();
      if (queue === undefined || claim === undefined) break;
      this.#apply(queue, { type: 'started', bytes: claim.bytes ?? 0 });
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
    const result = await carry(this.#ports, claim, (record) => this.#recorder.add(record), this.#abort.signal).catch(
      (error: unknown) => this.#onBroken(claim, error),
    );
    this.#tell(queue, { type: 'ended', delivery: claim.delivery, result, draw: this.#ports.random() });
    if (!this.#running && this.inFlight === 0) this.#onIdle?.();
  }

  /** A round that could not be carried out, because of a bug or a failing port: it is tried again as any other. */
  #onBroken(claim: Claim, error: unknown): RoundResult {
    const { policy, clock, random, log } = this.#ports;
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log.error(
      { delivery: claim.delivery, destination: claim.destination, reason },
      'round failed with an internal error; it is tried again',
    );
    const now = momentOf(clock);
    this.#recorder.add(recordOf(claim, [], verdictOfBroken(policy, claim, now.steady, random), now));
    return 'unjudged';
  }

  #onRecorded(rounds: readonly RecordedRound[]): void {
    for (const { destination, verdict, receivedAt } of rounds) {
      if (verdict.state !== 'pending') continue;
      this.#apply(this.#scheduler.of(destination), { type: 'stored', dueAt: verdict.dueAt, receivedAt });
    }
    this.#pump();
  }

  #call(call: Promise<void>): void {
    const tracked = call.finally(() => this.#calls.delete(tracked));
    this.#calls.add(tracked);
  }

  async #refill(queue: Queue, request: Request): Promise<void> {
    const { destination } = queue;
    const { store, log } = this.#ports;
    let claimed: Claimed;
    try {
      claimed = await store.claim({ ...request, destination });
    } catch (error) {
      log.error({ destination, reason: String(error) }, 'deliveries could not be claimed; trying again');
      return this.#tell(queue, { type: 'refill failed' });
    }
    const { claims, nextDueAt: dueAt, oldestReceivedAt: oldestAt } = claimed;
    queue.claims.push(...claims);
    this.#tell(queue, { type: 'refilled', first: claims[0]?.delivery, ...amountOf(claims), dueAt, oldestAt });
  }

  async #putBack(queue: Queue, claims: readonly Claim[]): Promise<void> {
    const { destination } = queue;
    try {
      await putBack(this.#ports.store, claims);
    } catch (error) {
      const reason = String(error);
      this.#ports.log.error({ destination, reason }, 'claims could not be put back; they are sent instead');
      queue.claims.push(...claims);
      return this.#tell(queue, { type: 'return failed', ...amountOf(claims) });
    }
    const oldestAt = Math.min(...claims.map(({ message }) => message.receivedAt));
    this.#tell(queue, { type: 'returned', count: claims.length, oldestAt });
  }

  #report({ destination }: Queue, circuit: 'open' | 'closed'): void {
    const { log, policy } = this.#ports;
    if (circuit === 'closed') log.info({ destination }, 'destination has recovered');
    else log.warn({ destination, after: policy.parkAfter }, 'destination parked after failed rounds');
  }
}

async function allOf(store: Pick<DeliveryStorage, 'backlog'>): Promise<readonly Backlog[]> {
  const all: Backlog[] = [];
  let after: string | undefined;
  do {
    const { queues, next } = await store.backlog({ after, limit: BACKLOG_PAGE });
    all.push(...queues);
    after = next;
  } while (after !== undefined);
  return all;
}

/** Puts claims back in storage as if they had never been taken. Rejects when storage cannot. */
async function putBack(store: DeliveryStorage, claims: readonly Claim[]): Promise<void> {
  if (claims.length > 0) await store.release(claims);
}

function amountOf(claims: readonly Claim[]): { count: number; bytes: number } {
  return { count: claims.length, bytes: claims.reduce((sum, { bytes = 0 }) => sum + bytes, 0) };
}

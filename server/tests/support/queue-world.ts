import { accepts, canStart, type DestinationQueue, newQueue, reduce } from '../../delivery/destination-queue.ts';
import type { QueueEffect, QueueEvent } from '../../delivery/queue-events.ts';
import type { Given } from '../../delivery/refill.ts';
import type { RoundResult } from '../../delivery/round.ts';
import type { DeliveryPolicy } from '../../model/policy.ts';
import {
  amountOf,
  checkAttended,
  checkCircuit,
  checkCounts,
  checkRefill,
  checkStart,
  Pace,
  Fault,
  type Held,
  type QueueView,
} from './queue-faults.ts';
import { type Delivery, QueueStorage, type RefillRequest } from './queue-storage.ts';

/** What is under test: the reducer of a destination queue, with what its loop asks besides. */
export const REAL = { reduce, canStart, accepts };
export type Reducer = typeof REAL;

/** What the world does next; `pick` decides what the action leaves open. */
export interface Action {
  readonly does: (typeof ACTIONS)[number];
  readonly pick: number;
}

// oxfmt-ignore
export const ACTIONS = [
  'store', 'reserve', 'accept', 'refuse', 'look up', 'answer', 'fail', 'start', 'end', 'record', 'return', 'keep', 'crowd',
  'wait', 'ring', 'tick',
] as const;

const RESULTS: readonly RoundResult[] = ['failed', 'failed', 'failed', 'delivered', 'refused', 'unsent', 'unjudged'];
const WAITS = [1, 500, 5_000, 60_000, 600_000, 3_600_000];

interface Asked {
  readonly request: RefillRequest;
  /** Set once storage has looked up. */
  found?: ReturnType<QueueStorage['claim']>;
}

/**
 * A loop, a storage and a clock around one queue, each as simple as can be. Takes any sequence of actions, passes over
 * those that cannot be, and throws a `Fault` when something does not hold.
 */
export class QueueWorld {
  /** The modes that the queue was in. */
  readonly seen = new Set<string>();
  readonly #policy: DeliveryPolicy;
  readonly #pace: Pace;
  readonly #reducer: Reducer;
  #at = 1_000_000;
  #state: DestinationQueue;
  readonly #storage = new QueueStorage();
  #claims: Held[] = [];
  readonly #inFlight: Held[] = [];
  readonly #unrecorded: Delivery[] = [];
  readonly #returning: Held[][] = [];
  #asked: Asked | undefined;
  #reserved = 0;
  #timers: number[] = [];
  /** Places in memory that other queues take. */
  #others = 0;
  #successes = 0;
  #isForgotten = false;

  constructor(policy: DeliveryPolicy, reducer: Reducer, gapMs = 0) {
    this.#pace = new Pace(gapMs);
    this.#policy = policy;
    this.#reducer = reducer;
    this.#state = newQueue(policy);
  }

  act({ does, pick }: Action): void {
    const acts: Record<Action['does'], () => void> = {
      store: () => this.#store(this.#storage.add(this.#at, 1 + (pick % 40_000))),
      reserve: () => this.#reserve(),
      accept: () => this.#accept(pick),
      refuse: () => this.#refuse(),
      'look up': () => this.#lookUp(),
      answer: () => this.#answer(),
      fail: () => this.#fail(),
      start: () => this.#start(),
      end: () => this.#end(RESULTS[pick % RESULTS.length] ?? 'failed', pick),
      record: () => this.#record(),
      return: () => this.#return(),
      keep: () => this.#keep(),
      crowd: () => (this.#others = pick % (this.#policy.totalRoom + 1)),
      wait: () => this.#wait(WAITS[pick % WAITS.length] ?? 1),
      ring: () => this.#wait(Math.max(0, Math.min(...this.#timers, this.#at + 60_000) - this.#at)),
      tick: () => this.#tell({ type: 'tick' }),
    };
    acts[does]();
  }

  /** From here on all is well: whatever waits must be sent, and the queue be forgotten. */
  calm(): void {
    this.#others = 0;
    this.#tell({ type: 'tick' });
    while (this.#reserved > 0) this.#accept(0);
    for (let step = 0; !this.#isForgotten; step += 1) {
      if (step > 100 * (this.#storage.all.length + 10)) throw new Fault('never ends');
      this.#lookUp();
      this.#answer();
      this.#return();
      this.#start();
      this.#end('delivered', step);
      this.#record();
      if (this.#isForgotten || (this.#isBusy() && !this.#state.isHeld)) continue;
      if (this.#timers.length === 0) throw new Fault('stands still: nothing is under way, and no timer is set');
      this.#wait(Math.max(0, Math.min(...this.#timers) - this.#at));
    }
    if (this.#storage.all.some(({ state }) => state !== 'gone')) throw new Fault('forgets what waits');
  }

  #isBusy(): boolean {
    return this.#asked !== undefined || this.#inFlight.length + this.#claims.length + this.#returning.length > 0;
  }

  #store(delivery: Delivery): void {
    delivery.state = 'stored';
    this.#tell({ type: 'stored', dueAt: delivery.dueAt, receivedAt: delivery.receivedAt });
  }

  #reserve(): void {
    if (!this.#reducer.accepts(this.#given(), this.#state)) return;
    if (this.#state.circuit.state !== 'closed') throw new Fault('accepts what it would hold back');
    if (this.#freePlaces() < 1) throw new Fault('takes more memory than is free');
    this.#reserved += 1;
    this.#tell({ type: 'reserved' });
  }

  #accept(pick: number): void {
    if (this.#reserved === 0) return;
    this.#reserved -= 1;
    const delivery = this.#storage.add(this.#at, 1 + (pick % 40_000));
    this.#claims.push({ delivery, origin: 'accepted' });
    this.#tell({ type: 'claimed', count: 1, bytes: delivery.bytes, places: 1 });
  }

  #refuse(): void {
    if (this.#reserved === 0) return;
    this.#reserved -= 1;
    this.#tell({ type: 'claimed', count: 0, bytes: 0, places: 1 });
  }

  #lookUp(): void {
    if (this.#asked !== undefined) this.#asked.found ??= this.#storage.claim(this.#asked.request);
  }

  #answer(): void {
    if (this.#asked?.found === undefined) return;
    const { request, found } = this.#asked;
    const { claims, ...known } = found;
    this.#asked = undefined;
    const origin = this.#state.circuit.state === 'closed' ? 'due' : request.which;
    const held = claims.map((delivery): Held => ({ delivery, origin }));
    this.#claims.push(...held);
    this.#tell({ type: 'refilled', first: claims[0]?.id, ...amountOf(held), ...known });
  }

  #fail(): void {
    if (this.#asked === undefined || this.#asked.found !== undefined) return;
    this.#asked = undefined;
    this.#tell({ type: 'refill failed' });
  }

  #start(): void {
    if (!this.#reducer.canStart(this.#policy, this.#state)) return;
    const held = this.#claims.shift();
    if (held === undefined) throw new Fault('starts what is not there');
    checkStart(this.#view(), held);
    this.#pace.start(this.#at);
    this.#inFlight.push(held);
    this.#tell({ type: 'started', bytes: held.delivery.bytes });
  }

  #end(result: RoundResult, pick: number): void {
    const [held] = this.#inFlight.splice(pick % Math.max(1, this.#inFlight.length), 1);
    if (held === undefined) return;
    const { delivery } = held;
    delivery.tries += 1;
    if (result === 'failed' || result === 'unjudged') this.#unrecorded.push(delivery);
    else delivery.state = 'gone';
    const before = this.#state.circuit;
    if (result === 'delivered') this.#successes += 1;
    this.#tell({ type: 'ended', delivery: delivery.id, result, draw: (pick % 100) / 100 });
    checkCircuit(this.#view(), before);
  }

  #record(): void {
    const delivery = this.#unrecorded.shift();
    if (delivery === undefined) return;
    this.#storage.postpone(this.#policy, delivery, this.#at);
    this.#store(delivery);
  }

  #return(): void {
    const batch = this.#returning.shift();
    if (batch === undefined) return;
    for (const { delivery } of batch) Object.assign(delivery, { state: 'stored', dueAt: this.#at });
    const oldestAt = Math.min(...batch.map(({ delivery }) => delivery.receivedAt));
    this.#tell({ type: 'returned', count: batch.length, oldestAt });
  }

  #keep(): void {
    const batch = this.#returning.shift();
    if (batch === undefined) return;
    this.#claims.push(...batch.map(({ delivery }): Held => ({ delivery, origin: 'kept' })));
    this.#tell({ type: 'return failed', ...amountOf(batch) });
  }

  #wait(ms: number): void {
    const end = this.#at + ms;
    for (let next = Math.min(...this.#timers); next <= end; next = Math.min(...this.#timers)) {
      this.#timers.splice(this.#timers.indexOf(next), 1);
      this.#at = Math.max(this.#at, next);
      this.#tell({ type: 'tick' });
    }
    this.#at = end;
  }

  #tell(event: QueueEvent): void {
    this.#apply(event);
    // As the loop does: what waits for memory looks again after each event.
    if (this.#state.refill.state === 'starved') this.#apply({ type: 'tick' });
    checkAttended(this.#view());
  }

  #apply(event: QueueEvent): void {
    this.#isForgotten = false;
    Object.freeze(this.#state);
    const { state, effects } = this.#reducer.reduce(this.#given(), this.#state, event);
    this.#state = state;
    for (const effect of effects) this.#carryOut(effect);
    if (this.#isForgotten) this.#state = newQueue(this.#policy);
    this.seen.add(state.circuit.state).add(state.refill.state);
    const reserved = this.#reserved + (this.#asked?.request.limit ?? 0);
    checkCounts(this.#view(), { claims: this.#claims, reserved, returning: this.#returning.flat() });
  }

  #carryOut(effect: QueueEffect): void {
    switch (effect.type) {
      case 'refill':
        return this.#ask(effect.request);
      case 'put back':
        this.#returning.push(this.#claims.splice(-effect.count));
        return;
      case 'wake':
        this.#timers.push(effect.at);
        return;
      case 'report':
        this.#successes = 0;
        // A probe that is still under way is a round as any other.
        for (const held of [...this.#claims, ...this.#inFlight]) if (held.origin === 'probe') held.origin = 'due';
        return;
      case 'tell':
        throw new Fault('tells itself');
      case 'forget':
        this.#forget();
    }
  }

  #ask(request: RefillRequest): void {
    checkRefill(this.#view(), request);
    this.#asked = { request };
  }

  #forget(): void {
    const idleSince = this.#state.idleSince ?? this.#at;
    if (this.#isBusy() || this.#reserved > 0 || this.#storage.waiting.length > 0) throw new Fault('forgets what waits');
    if (this.#at - idleSince < this.#policy.maxWaitMs) throw new Fault('forgets too soon');
    this.#isForgotten = true;
  }

  #view(): QueueView {
    const [policy, at, state, storage] = [this.#policy, this.#at, this.#state, this.#storage];
    const held = [...this.#claims, ...this.#inFlight];
    const isAsked = this.#asked !== undefined;
    const timer = Math.min(...this.#timers);
    const [freePlaces, successes, inFlight] = [this.#freePlaces(), this.#successes, this.#inFlight.length];
    return { policy, at, state, storage, held, isAsked, timer, freePlaces, successes, inFlight };
  }

  #given(): Given {
    const [policy, { gapMs }, at, free] = [this.#policy, this.#pace, this.#at, this.#freePlaces()];
    const kept = (part: number): number => Math.floor(policy.totalRoom * part);
    const [unproven, shared] = [free - kept(1 / 8), free - kept(1 / 4)];
    return { policy, gapMs, isOwner: true, at, memory: { free, unproven, shared, trials: Infinity, refills: 1 } };
  }

  #freePlaces(): number {
    const asked = this.#asked?.request.limit ?? 0;
    return this.#policy.totalRoom - this.#others - this.#claims.length - this.#reserved - asked;
  }
}

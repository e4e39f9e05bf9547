import { momentOf } from '../ports/clock.ts';
import type { Claim, RoundRecord } from '../model/delivery.ts';
import type { DeliveryStorage } from '../storage/delivery-storage.ts';
import { carry, type CourierPorts, recordOf } from './courier.ts';
import { afterRound, type RoundResult } from './health.ts';
import type { Lane } from './lane.ts';
import { Lanes } from './lanes.ts';
import { memoised } from './memo.ts';
import { Recorder } from './recorder.ts';
import { verdictOfBroken } from './round.ts';
import { originOf } from './secret-mask.ts';
import { Supply } from './supply.ts';

export interface DispatcherPorts extends Omit<CourierPorts, 'shown'> {
  readonly store: DeliveryStorage;
}

/**
 * Takes deliveries and sends them. Destinations take turns (D-26); each has a lane that holds a bounded number of claims
 * in memory, and what is beyond waits on disk. A destination that keeps failing is parked (D-25). Life: `start` once,
 * `stop` once.
 */
export class Dispatcher {
  readonly #ports: DispatcherPorts & CourierPorts;
  readonly #lanes: Lanes;
  readonly #supply: Supply;
  readonly #recorder: Recorder;
  readonly #abort = new AbortController();
  #running = false;
  #inFlight = 0;
  /** Set while `stop` waits for what is in flight. */
  #onIdle: (() => void) | undefined;

  constructor(ports: DispatcherPorts) {
    this.#ports = { ...ports, shown: memoised(originOf) };
    this.#lanes = new Lanes(ports.policy);
    this.#supply = new Supply(ports, this.#lanes, (lane, claims) => this.#enqueue(lane, claims));
    this.#recorder = new Recorder(ports, (records) => this.#onStored(records));
  }

  /** Frees what an earlier process left, learns what waits on disk, and begins. */
  async start(): Promise<void> {
    const { store, clock, log } = this.#ports;
    const recovered = await store.recover(clock.steady());
    const backlog = await store.backlog();
    for (const { destination, nextDueAt, oldestReceivedAt } of backlog) {
      this.#lanes.of(destination).waits(nextDueAt, oldestReceivedAt);
    }
    const waiting = backlog.reduce((sum, { waiting: count }) => sum + count, 0);
    if (waiting > 0) log.info({ waiting, recovered, destinations: backlog.length }, 'deliveries wait on disk');
    this.#running = true;
    this.#supply.start();
  }

  /** Whether a new delivery can be tried at once, and so be stored as claimed: never ahead of what waits on disk. */
  hasRoom(destination: string): boolean {
    const lane = this.#lanes.of(destination);
    if (!this.#running || lane.health.state === 'parked' || lane.claiming) return false;
    if (lane.dueAt !== undefined && lane.dueAt <= this.#ports.clock.steady()) return false;
    return this.#lanes.roomFor(lane) > 0;
  }

  /** As `hasRoom`, and keeps the place: many requests are on their way to the store at one time. */
  takeRoom(destination: string): boolean {
    if (!this.hasRoom(destination)) return false;
    this.#lanes.promise(this.#lanes.of(destination), 1);
    return true;
  }

  /** Gives back what was kept, once for each place. */
  giveRoom(destinations: readonly string[]): void {
    for (const destination of destinations) {
      const lane = this.#lanes.of(destination);
      this.#lanes.promise(lane, -1);
      this.#supply.watch(lane);
    }
  }

  /** Deliveries being tried now. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Destinations in memory: those that something waits for, or that were sent to lately. */
  get destinations(): number {
    return this.#lanes.count;
  }

  /** Destinations that are parked. */
  get parked(): number {
    return [...this.#lanes.all()].filter((lane) => lane.health.state === 'parked').length;
  }

  /** Takes claims that have been stored. */
  deliver(claims: readonly Claim[]): void {
    for (const claim of claims) this.#lanes.add(this.#lanes.of(claim.destination), claim);
    this.#pump();
  }

  /** Tells that a delivery was stored unclaimed, and is due. */
  wake(destination: string): void {
    const lane = this.#lanes.of(destination);
    const now = this.#ports.clock.steady();
    lane.waits(now, now);
    this.#supply.tend(lane);
  }

  /**
   * Begins nothing more, lets what is in flight end within `graceMs` (then ends it), puts back what was not begun, and
   * resolves when all of that is on disk.
   */
  async stop(graceMs: number): Promise<void> {
    this.#running = false;
    this.#supply.stop();
    const grace = new AbortController();
    const over = this.#ports.clock.sleep(graceMs, grace.signal).then(() => this.#abort.abort());
    if (this.#inFlight > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    const waiting = [...this.#lanes.all()].flatMap((lane) => this.#lanes.withdraw(lane));
    await this.#supply.putBack(waiting).catch((error: unknown) => {
      this.#ports.log.warn({ deliveries: waiting.length, reason: String(error) }, 'claims are freed at the next start');
    });
    await this.#recorder.drained(this.#abort.signal);
    grace.abort();
    await over;
  }

  #enqueue(lane: Lane, claims: readonly Claim[]): void {
    for (const claim of claims) this.#lanes.add(lane, claim);
    this.#pump();
  }

  #pump(): void {
    while (this.#running && this.#inFlight < this.#ports.policy.inFlight && !this.#recorder.isBehind) {
      const turn = this.#lanes.next(this.#inFlight);
      if (turn === undefined) return;
      this.#inFlight += 1;
      void carry(this.#ports, turn.claim, (record) => this.#recorder.add(record), this.#abort.signal)
        .catch((error: unknown) => this.#onBroken(turn.claim, error))
        .then((result) => this.#onEnded(turn.lane, turn.claim, result));
    }
  }

  #onEnded(lane: Lane, claim: Claim, result: RoundResult): void {
    this.#inFlight -= 1;
    if (this.#inFlight === 0) this.#onIdle?.();
    this.#judge(lane, claim, result);
    this.#lanes.free(lane);
    this.#supply.tendStarved();
    this.#supply.tend(lane);
    this.#pump();
  }

  #judge(lane: Lane, claim: Claim, result: RoundResult): void {
    const { policy, clock, random, log } = this.#ports;
    const wasProbe = claim.delivery === lane.probe;
    if (wasProbe) lane.probe = undefined;
    const before = lane.health;
    lane.health = afterRound(policy, before, { result, wasProbe, at: clock.steady() }, random);
    if (lane.health.state === 'parked') {
      // It goes back to disk, where it may well be the oldest.
      lane.waits(clock.steady(), claim.message.receivedAt);
      if (before.state === 'sending') void this.#park(lane);
    } else if (before.state === 'parked') log.info({ destination: lane.destination }, 'destination has recovered');
  }

  /** What waits in memory for a parked destination goes back to disk. */
  async #park(lane: Lane): Promise<void> {
    const { destination } = lane;
    this.#ports.log.warn(
      { destination, after: this.#ports.policy.parkAfter },
      'destination parked after failed rounds',
    );
    const claims = this.#lanes.withdraw(lane);
    try {
      await this.#supply.putBack(claims);
    } catch (error) {
      this.#ports.log.error(
        { destination, reason: String(error) },
        'claims could not be put back, sending them instead',
      );
      this.#enqueue(lane, claims);
    }
    this.#supply.tend(lane);
  }

  /** A round that could not be carried out (a bug, or a config store that fails): it is tried again as any other. */
  #onBroken(claim: Claim, error: unknown): RoundResult {
    const { policy, clock, random, log } = this.#ports;
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log.error({ delivery: claim.delivery, destination: claim.destination, reason }, 'round broke');
    const now = momentOf(clock);
    this.#recorder.add(recordOf(claim, [], verdictOfBroken(policy, claim, now.steady, random), now));
    return 'unjudged';
  }

  #onStored(records: readonly RoundRecord[]): void {
    for (const { destination, verdict } of records) {
      if (verdict.state !== 'pending') continue;
      const lane = this.#lanes.of(destination);
      lane.waits(verdict.dueAt);
      this.#supply.tend(lane);
    }
    this.#pump();
  }
}

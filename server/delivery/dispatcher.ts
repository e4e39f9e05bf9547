import type { Claim, DeliveryStore, RoundRecord, Verdict } from '../ports/delivery-store.ts';
import { Alarm } from './alarm.ts';
import { carry, type CourierPorts, recordOf } from './courier.ts';
import type { Lane } from './lane.ts';
import { Lanes } from './lanes.ts';
import { Recorder } from './recorder.ts';
import { nextDueAt } from './schedule.ts';

export interface DispatcherPorts extends CourierPorts {
  readonly store: DeliveryStore;
}

/** How long to wait before a store that could not answer is asked for due deliveries again. */
const PAUSE_MS = 1_000;

/**
 * Takes deliveries and sends them. Destinations take turns (D-26); each has a lane that holds a bounded number of claims
 * in memory. What is beyond waits on disk, and is claimed when it is due and its lane runs low. Life: `start` once,
 * `stop` once.
 */
export class Dispatcher {
  readonly #ports: DispatcherPorts;
  readonly #lanes: Lanes;
  readonly #recorder: Recorder;
  readonly #alarm: Alarm;
  /** Due lanes that found no room in memory; one is served whenever a round ends. */
  readonly #starved = new Set<Lane>();
  readonly #abort = new AbortController();
  #running = false;
  #inFlight = 0;
  /** Set while `stop` waits for what is in flight. */
  #onIdle: (() => void) | undefined;

  constructor(ports: DispatcherPorts) {
    this.#ports = ports;
    this.#lanes = new Lanes(ports.policy.perDestination);
    this.#recorder = new Recorder(ports, (records) => this.#onStored(records));
    this.#alarm = new Alarm(ports.clock, () => this.#onAlarm());
  }

  /** Frees what an earlier process left, learns what waits on disk, and begins. */
  async start(): Promise<void> {
    const { store, clock, log } = this.#ports;
    const recovered = await store.recover(clock.now());
    const backlog = await store.backlog();
    for (const { destination, nextDueAt: dueAt } of backlog) this.#lanes.of(destination).waitsUntil(dueAt);
    const waiting = backlog.reduce((sum, { waiting: count }) => sum + count, 0);
    if (waiting > 0) log.info({ waiting, recovered, destinations: backlog.length }, 'deliveries wait on disk');
    this.#running = true;
    this.#onAlarm();
  }

  /** Whether a new delivery can be tried at once, and so be stored as claimed: never ahead of what waits on disk. */
  hasRoom(destination: string): boolean {
    const { policy, clock } = this.#ports;
    const lane = this.#lanes.of(destination);
    if (!this.#running || lane.claiming || lane.hasDue(clock.now())) return false;
    return lane.ready.length < policy.laneRoom && this.#lanes.ready < policy.totalRoom;
  }

  /** Takes claims that have been stored. */
  deliver(claims: readonly Claim[]): void {
    for (const claim of claims) this.#lanes.add(claim);
    this.#pump();
  }

  /** Tells that a delivery was stored unclaimed, and is due. */
  wake(destination: string): void {
    const lane = this.#lanes.of(destination);
    lane.waitsUntil(this.#ports.clock.now());
    this.#refill(lane);
  }

  /**
   * Begins nothing more, lets what is in flight end within `graceMs` (then ends it), puts back what was not begun, and
   * resolves when all of that is on disk.
   */
  async stop(graceMs: number): Promise<void> {
    this.#running = false;
    this.#alarm.cancel();
    const grace = new AbortController();
    const over = this.#ports.clock.sleep(graceMs, grace.signal).then(() => this.#abort.abort());
    if (this.#inFlight > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    await this.#putBack();
    await this.#recorder.drained(this.#abort.signal);
    grace.abort();
    await over;
  }

  async #putBack(): Promise<void> {
    const deliveries = this.#lanes.drain().map((claim) => claim.delivery);
    if (deliveries.length === 0) return;
    await this.#ports.store.release(deliveries).catch((error: unknown) => {
      this.#ports.log.warn(
        { deliveries: deliveries.length, reason: String(error) },
        'claims are freed at the next start',
      );
    });
  }

  #pump(): void {
    while (this.#running && this.#inFlight < this.#ports.policy.inFlight && !this.#recorder.isBehind) {
      const turn = this.#lanes.next();
      if (turn === undefined) return;
      this.#inFlight += 1;
      void carry(this.#ports, turn.claim, (record) => this.#recorder.add(record), this.#abort.signal)
        .catch((error: unknown) => this.#onBroken(turn.claim, error))
        .then(() => this.#onEnded(turn.lane));
    }
  }

  #onEnded(lane: Lane): void {
    this.#lanes.free(lane);
    this.#inFlight -= 1;
    if (this.#inFlight === 0) this.#onIdle?.();
    const [starved] = this.#starved;
    if (starved !== undefined) this.#refill(starved);
    if (lane.ready.length < this.#ports.policy.perDestination) this.#refill(lane);
    this.#pump();
  }

  /** A round that could not be carried out (a bug, or a config store that fails): it is tried again as any other. */
  #onBroken(claim: Claim, error: unknown): void {
    const { policy, clock, random, log } = this.#ports;
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log.error({ delivery: claim.delivery, destination: claim.destination, reason }, 'round broke');
    const { receivedAt } = claim.message;
    const dueAt = nextDueAt(policy, { round: claim.round, receivedAt, endedAt: clock.now(), retryAfterMs: 0 }, random);
    const verdict: Verdict =
      dueAt === undefined ? { state: 'expired' } : { state: 'pending', dueAt, closed: claim.closed };
    this.#recorder.add(recordOf(claim, [], verdict));
  }

  #onStored(records: readonly RoundRecord[]): void {
    for (const { destination, verdict } of records) {
      if (verdict.state === 'pending') this.#expect(this.#lanes.of(destination), verdict.dueAt);
    }
    this.#pump();
  }

  #expect(lane: Lane, dueAt: number | undefined): void {
    lane.waitsUntil(dueAt);
    if (this.#running && dueAt !== undefined) this.#alarm.setFor(dueAt);
  }

  #onAlarm(): void {
    const now = this.#ports.clock.now();
    for (const lane of this.#lanes.all()) if (lane.hasDue(now)) this.#refill(lane);
    const next = this.#lanes.earliestDueAfter(now);
    if (next !== undefined) this.#alarm.setFor(next);
  }

  /** Claims from disk what is due, when the lane runs low and memory has room. */
  #refill(lane: Lane): void {
    const { policy, clock } = this.#ports;
    const now = clock.now();
    if (!this.#running || !lane.hasDue(now) || lane.ready.length >= policy.perDestination) return;
    const limit = Math.min(policy.laneRoom - lane.ready.length, policy.totalRoom - this.#lanes.ready);
    if (limit <= 0) return void this.#starved.add(lane);
    this.#starved.delete(lane);
    lane.claiming = true;
    lane.dueAt = undefined;
    void this.#claim(lane, now, limit);
  }

  async #claim(lane: Lane, now: number, limit: number): Promise<void> {
    const { clock, store, log } = this.#ports;
    const claimed = await store.claim({ destination: lane.destination, now, limit }).catch((error: unknown) => {
      log.error({ destination: lane.destination, reason: String(error) }, 'due deliveries could not be claimed');
      return { claims: [], nextDueAt: clock.now() + PAUSE_MS };
    });
    lane.claiming = false;
    this.#expect(lane, claimed.nextDueAt);
    this.deliver(claimed.claims);
  }
}

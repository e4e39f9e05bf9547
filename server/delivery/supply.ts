import type { Clock } from '../ports/clock.ts';
import type { Claim } from '../model/delivery.ts';
import type { ClaimRequest, Claimed, Claiming, DeliveryStorage } from '../storage/delivery-storage.ts';
import type { Log } from '../ports/log.ts';
import { Alarms } from './alarms.ts';
import type { Lane } from './lane.ts';
import type { Lanes } from './lanes.ts';
import type { DeliveryPolicy } from '../model/policy.ts';

/** How long to wait before a store that could not answer is asked again. */
const PAUSE_MS = 1_000;
/** So many bytes of events are taken at a time: they are parsed in one go, while nobody else has a turn. */
const BYTES_AT_ONCE = 2 * 2 ** 20;
/** An event takes as much at most, but for what its batch has merged into it (ING-3). */
const EVENT_BYTES = 32 * 1024;
/** Fewer than this are not worth a question to the disk, unless the lane has little room anyway. */
const CRUMBS = 8;

export interface SupplyPorts {
  readonly policy: DeliveryPolicy;
  readonly clock: Clock;
  readonly store: DeliveryStorage;
  readonly log: Log;
}

/**
 * Brings claims from disk into the lanes: when something is due and a lane runs low, when a parked destination is to be
 * probed, and when a parked event is about to run out of time. Wakes by itself at the next such moment.
 */
export class Supply {
  readonly #ports: SupplyPorts;
  readonly #lanes: Lanes;
  readonly #onClaimed: (lane: Lane, claims: readonly Claim[]) => void;
  readonly #alarms: Alarms<Lane>;
  /** Lanes that wish for something and found no room in memory; one is served whenever a round ends. */
  readonly #starved = new Set<Lane>();
  #open = false;

  constructor(ports: SupplyPorts, lanes: Lanes, onClaimed: (lane: Lane, claims: readonly Claim[]) => void) {
    this.#ports = ports;
    this.#lanes = lanes;
    this.#onClaimed = onClaimed;
    this.#alarms = new Alarms(ports.clock, (lane) => this.#onAlarm(lane));
  }

  start(): void {
    this.#open = true;
    for (const lane of this.#lanes.all()) this.tend(lane);
  }

  stop(): void {
    this.#open = false;
    this.#alarms.cancel();
  }

  /** Asks the disk for what the lane wishes now, or sees to it that it is asked in time. */
  tend(lane: Lane): void {
    if (!this.#open) return;
    const wish = lane.wish(this.#ports.clock.steady());
    if (wish === undefined) return this.#expect(lane);
    const room = this.#roomFor(lane);
    if (room <= 0) this.#starved.add(lane);
    else void this.#claim(lane, wish, Math.min(room, limitOf(wish, this.#ports.policy)));
  }

  /** Sees to it that a lane leaves memory one day, if nothing comes of it. */
  watch(lane: Lane): void {
    if (this.#open && !this.#alarms.has(lane)) this.#rest(lane);
  }

  /** Serves a lane that found no room earlier. */
  tendStarved(): void {
    const [lane] = this.#starved;
    if (lane === undefined) return;
    this.#starved.delete(lane);
    this.tend(lane);
  }

  /** Puts claims back on disk as if they had never been taken. Rejects when the store cannot. */
  async putBack(claims: readonly Claim[]): Promise<void> {
    if (claims.length > 0) await this.#ports.store.release(claims.map((claim) => claim.delivery));
  }

  #roomFor(lane: Lane): number {
    const room = this.#lanes.roomFor(lane);
    return room < Math.min(CRUMBS, lane.room / 2) ? 0 : room;
  }

  async #claim(lane: Lane, wish: Claiming, limit: number): Promise<void> {
    lane.claiming = true;
    lane.dueAt = undefined;
    lane.oldestAt = undefined;
    const bytes = Math.min(limit * EVENT_BYTES, BYTES_AT_ONCE);
    this.#lanes.promise(lane, limit, bytes);
    const claimed = await this.#ask({ ...wish, destination: lane.destination, limit, bytes });
    this.#lanes.promise(lane, -limit, -bytes);
    lane.claiming = false;
    lane.waits(claimed.nextDueAt, claimed.oldestReceivedAt);
    if (wish.which === 'probe') lane.probe = claimed.claims[0]?.delivery;
    this.#onClaimed(lane, claimed.claims);
    this.tend(lane);
    this.tendStarved();
  }

  async #ask(request: ClaimRequest): Promise<Claimed> {
    const { store, clock, log } = this.#ports;
    try {
      return await store.claim(request);
    } catch (error) {
      log.error({ destination: request.destination, reason: String(error) }, 'due deliveries could not be claimed');
      await clock.sleep(PAUSE_MS);
      return { claims: [], nextDueAt: clock.steady(), oldestReceivedAt: undefined };
    }
  }

  #expect(lane: Lane): void {
    const at = lane.claiming ? undefined : lane.wakeAt();
    if (at === undefined) return this.#rest(lane);
    if (at > this.#ports.clock.steady()) this.#alarms.setFor(lane, at);
  }

  /** By then a probe would be due, whatever the lane knows of its destination: so long it is worth keeping. */
  #rest(lane: Lane): void {
    const now = this.#ports.clock.steady();
    lane.rests(now);
    this.#alarms.setFor(lane, now + this.#ports.policy.maxWaitMs);
  }

  #onAlarm(lane: Lane): void {
    if (!this.#open) return;
    const restedMs = this.#ports.clock.steady() - (lane.idleSince ?? Infinity);
    if (lane.isIdle && restedMs >= this.#ports.policy.maxWaitMs) this.#lanes.forget(lane);
    else this.tend(lane);
  }
}

/** One probe is enough; last tries must not flood an endpoint that fails. */
function limitOf(wish: Claiming, policy: DeliveryPolicy): number {
  switch (wish.which) {
    case 'due':
      return policy.laneRoom;
    case 'received':
      return policy.perDestination;
    case 'probe':
      return 1;
  }
}

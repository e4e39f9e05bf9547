import type { Claim } from '../model/delivery.ts';
import type { Claiming } from '../storage/delivery-storage.ts';
import { type Health, initialHealth } from './health.ts';
import type { DeliveryPolicy } from '../model/policy.ts';
import { lastTryAt } from './schedule.ts';

/** The queue of one destination: what is ready in memory, what is in flight, and what the disk has for it. */
export class Lane {
  readonly destination: string;
  readonly #policy: DeliveryPolicy;
  /** Claims that wait for their turn, oldest first. While parked only a probe or last tries come here. */
  readonly ready: Claim[] = [];
  health: Health;
  /** Places in memory that are kept for deliveries that are being stored, or were asked of the disk. */
  promised = 0;
  /** Rounds under way. */
  inFlight = 0;
  /** When the earliest delivery on disk is due. Unset while a claim is under way, except for what was stored since. */
  dueAt: number | undefined;
  /** When the oldest delivery on disk was accepted, as far as is known. */
  oldestAt: number | undefined;
  /** True from the moment the disk is asked for more until it answers; never two questions at once. */
  claiming = false;
  /** Since when nothing was asked of it, and nothing waits for it; unset by whoever asks for it. */
  idleSince: number | undefined;
  /** The delivery that is the probe; set from its claim to the end of its round. */
  probe: number | undefined;

  constructor(destination: string, policy: DeliveryPolicy) {
    this.destination = destination;
    this.#policy = policy;
    this.health = initialHealth(policy);
  }

  /** How many rounds may be under way. */
  get limit(): number {
    return this.health.state === 'sending' ? this.health.limit : this.#policy.perDestination;
  }

  /**
   * How many claims may wait in memory: few for a destination that has proven nothing yet, so that those that hang never
   * hold the memory that the healthy need; a success counts twice, in speed and in room.
   */
  get room(): number {
    return this.#roomAt(this.limit);
  }

  /** The room of a destination that has proven nothing yet; no lane ever has less. */
  get firstRoom(): number {
    return this.#roomAt(this.#policy.rampStart);
  }

  /** Whether it holds nothing, and nothing is on its way to it. */
  get isIdle(): boolean {
    const isEmpty = this.ready.length + this.inFlight + this.promised === 0;
    return isEmpty && !this.claiming && this.dueAt === undefined && this.probe === undefined;
  }

  /** Notes since when it is idle, if it is. */
  rests(now: number): void {
    this.idleSince = this.isIdle ? (this.idleSince ?? now) : undefined;
  }

  /** Learns of a delivery on disk: when it is due, and, where that is known, when it was accepted. */
  waits(dueAt: number | undefined, receivedAt?: number): void {
    this.dueAt = earlier(this.dueAt, dueAt);
    this.oldestAt = earlier(this.oldestAt, receivedAt);
  }

  /** What to ask the disk for now, if anything. */
  wish(now: number): Claiming | undefined {
    if (this.claiming || this.dueAt === undefined) return undefined;
    if (this.health.state === 'sending') {
      return this.dueAt <= now && this.ready.length < this.room / 2 ? { which: 'due', now } : undefined;
    }
    const upTo = now - lastTryAt(this.#policy, 0);
    if (this.oldestAt !== undefined && this.oldestAt <= upTo) return { which: 'received', upTo };
    return this.probe === undefined && this.health.probeAt <= now ? { which: 'probe' } : undefined;
  }

  #roomAt(limit: number): number {
    const share = Math.min(1, limit / this.#policy.perDestination);
    return Math.max(1, Math.round(this.#policy.laneRoom * share ** 2));
  }

  /** When there may next be something to ask the disk for; undefined when nothing of this lane waits there. */
  wakeAt(): number | undefined {
    if (this.dueAt === undefined || this.health.state === 'sending') return this.dueAt;
    const lastTry = this.oldestAt === undefined ? undefined : lastTryAt(this.#policy, this.oldestAt);
    return this.probe === undefined ? earlier(this.health.probeAt, lastTry) : lastTry;
  }
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}

import type { Claim } from '../ports/delivery-store.ts';

/** The queue of one destination: what is ready in memory, what is in flight, and when the disk has more. */
export class Lane {
  readonly destination: string;
  /** Claims that wait for their turn, oldest first. */
  readonly ready: Claim[] = [];
  /** Rounds under way. */
  inFlight = 0;
  /** When the earliest delivery on disk is due. Unset while a claim is under way, except for what was stored since. */
  dueAt: number | undefined;
  /** True from the moment the disk is asked for more until it answers; never two questions at once. */
  claiming = false;

  constructor(destination: string) {
    this.destination = destination;
  }

  /** Learns of a delivery on disk. */
  waitsUntil(dueAt: number | undefined): void {
    if (dueAt !== undefined && (this.dueAt === undefined || dueAt < this.dueAt)) this.dueAt = dueAt;
  }

  hasDue(now: number): boolean {
    return !this.claiming && this.dueAt !== undefined && this.dueAt <= now;
  }
}

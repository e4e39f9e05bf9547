import type { Clock } from '../ports/clock.ts';
import type { JobStorage } from '../storage/job-storage.ts';

/** For how long a router has a job without renewing its lease: longer than any step takes. */
export const LEASE_MS = 30_000;
/** A step begins only while so much of the lease is left. */
const LEFT_MS = 20_000;

export interface LeasePorts {
  readonly storage: Pick<JobStorage, 'leaseJob'>;
  readonly clock: Clock;
}

/** The lease of one job, as far as this router knows by its own steady clock; the storage is asked when that is too short. */
export class Lease {
  readonly name: string;
  readonly #ports: LeasePorts;
  #until = -Infinity;

  constructor(ports: LeasePorts, name: string) {
    this.#ports = ports;
    this.name = name;
  }

  /** Whether the job is this router's for a wait and the step that follows. */
  async hold(waitMs = 0): Promise<boolean> {
    const { clock, storage } = this.#ports;
    const now = clock.steady();
    if (this.#until - now >= waitMs + LEFT_MS) return true;
    const forMs = waitMs + LEASE_MS;
    const isHeld = await storage.leaseJob({ job: this.name, forMs });
    this.#until = isHeld ? now + forMs : -Infinity;
    return isHeld;
  }

  /** Another router need not wait for its end then. One that could not be given back ends all the same. */
  async giveBack(): Promise<void> {
    if (this.#until === -Infinity) return;
    this.#until = -Infinity;
    await this.#ports.storage.leaseJob({ job: this.name, forMs: 0 }).catch(() => undefined);
  }
}

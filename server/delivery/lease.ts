import type { Clock } from '../ports/clock.ts';

/** How long this router may send. */
export interface Tenure {
  readonly holds: boolean;
  /** Whether nobody else uses the storage meanwhile. */
  readonly isEndless: boolean;
}

export const FOR_EVER: Tenure = { holds: true, isEndless: true };

/**
 * How long one life of this router may go on, by its own steady clock: it is over before the storage thinks so, and never
 * begins again.
 */
export class Lease implements Tenure {
  readonly #clock: Clock;
  readonly #revoked = new AbortController();
  #until = Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get holds(): boolean {
    return !this.#revoked.signal.aborted && this.#clock.steady() < this.#until;
  }

  get isEndless(): boolean {
    return this.#until === Infinity;
  }

  renew(until: number): void {
    this.#until = until;
  }

  revoke(): void {
    this.#revoked.abort();
  }

  /** Resolves once it does not hold any more; it has ended for good then. */
  async ended(): Promise<void> {
    while (this.holds) await this.#clock.sleep(this.#until - this.#clock.steady(), this.#revoked.signal);
    this.revoke();
  }
}

import type { Clock } from '../../../ports/clock.ts';

/** Nothing was stored for so long: what is refused then is no fault of a single sender. */
const NONE_STORED_MS = 10_000;

/**
 * Counts the accepts that the database refuses for what is in them. Among others that it stores, that is one sender's affair: nobody
 * makes a router look as if it could store nothing. Where it stores none, it is the database's, or ours.
 */
export class Refusals {
  readonly #clock: Pick<Clock, 'steady'>;
  #storedAt: number;
  #count = 0;

  constructor(clock: Pick<Clock, 'steady'>) {
    this.#clock = clock;
    this.#storedAt = clock.steady();
  }

  get count(): number {
    return this.#count;
  }

  stored(): void {
    this.#storedAt = this.#clock.steady();
  }

  refused(): void {
    if (this.#clock.steady() - this.#storedAt >= NONE_STORED_MS) this.#count += 1;
  }
}

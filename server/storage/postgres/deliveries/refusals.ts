import type { Clock } from '../../../ports/clock.ts';
import { StoreUnavailable } from '../../config-store.ts';

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
  /** Since when the database could do none, and when that was told last. */
  #unable: { readonly since: number; readonly at: number; readonly reason: string } | undefined;

  constructor(clock: Pick<Clock, 'steady'>) {
    this.#clock = clock;
    this.#storedAt = clock.steady();
  }

  get count(): number {
    return this.#count;
  }

  stored(): void {
    this.#storedAt = this.#clock.steady();
    this.#unable = undefined;
  }

  /** It could not do it, whoever had asked: a lock, a timeout, no room. */
  unable(reason: string): void {
    const at = this.#clock.steady();
    const before = this.#unable;
    // Two that are far apart say nothing of the time in between.
    const since = before !== undefined && at - before.at < NONE_STORED_MS ? before.since : at;
    this.#unable = { since, at, reason };
  }

  /** Rejects where it could do none of all that was asked for so long; what is asked next may find it able. */
  proveAble(): void {
    if (this.#unable === undefined) return;
    const { since, at, reason } = this.#unable;
    const now = this.#clock.steady();
    if (now - since < NONE_STORED_MS || now - at >= NONE_STORED_MS) return;
    throw new StoreUnavailable(`no event could be stored for ${NONE_STORED_MS / 1_000} s: ${reason}`);
  }

  refused(): void {
    if (this.#clock.steady() - this.#storedAt >= NONE_STORED_MS) this.#count += 1;
  }
}

import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { CountStorage, HourlyAddition } from '../storage/delivery-log.ts';
import { NotStorable, OutcomeUnknown } from '../storage/errors.ts';
import { storeInHalves } from '../storage/in-halves.ts';
import { Repetition } from './repetition.ts';

/** How often what was counted is stored. */
export const STORE_MS = 1_000;
/**
 * So many are stored at a time, some tens of milliseconds of a storage: what has gathered while it could store none may be more than one
 * statement has time for, and would never be stored.
 */
const AT_ONCE = 5_000;
const HOUR = 3_600_000;

export interface HourlyCountsPorts {
  readonly storage: CountStorage;
  readonly clock: Clock;
  readonly log: Log;
}

/** It is counted up in place: every event passes here, and every delivery. */
export interface HourlySum extends HourlyAddition {
  count: number;
}

type Counted = readonly [key: string, sum: HourlySum];

/**
 * How often something happened in each hour, kept as long as the storage keeps counts. It is added up in memory, and stored every
 * second; nobody waits for that. A killed process takes its last second with it. Life: `start` once, `stop` once.
 */
export class HourlyCounts {
  readonly #ports: HourlyCountsPorts;
  readonly #storing: Repetition;
  #pending = new Map<string, HourlySum>();
  #hasFailed = false;

  constructor(ports: HourlyCountsPorts) {
    this.#ports = ports;
    this.#storing = new Repetition(ports.clock, STORE_MS, () => this.#store());
  }

  /** Good for as long as nothing else was done: what is stored is not counted up any more. */
  sumOf(of: string, at: number, what: string): HourlySum {
    const hour = Math.floor(at / HOUR) * HOUR;
    const key = `${hour} ${what} ${of}`;
    let sum = this.#pending.get(key);
    if (sum === undefined) this.#pending.set(key, (sum = { of, hour, what, count: 0 }));
    return sum;
  }

  start(): void {
    this.#storing.start();
  }

  /** Stores what is left, once. */
  stop(): Promise<void> {
    return this.#storing.stop();
  }

  async #store(): Promise<void> {
    if (this.#pending.size === 0) return;
    const { log } = this.#ports;
    const left = [...this.#pending];
    this.#pending = new Map();
    try {
      while (left.length > 0) await this.#storeSome(left);
      if (this.#hasFailed) log.info({}, 'hourly counts are stored again');
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) log.warn({ reason: String(error) }, 'hourly counts are not stored, retrying');
      this.#hasFailed = true;
      this.#putBack(left);
    }
  }

  /** Takes them off the list. One that is refused would be refused again, and keep all others from being stored: it is left out. */
  async #storeSome(left: Counted[]): Promise<void> {
    const some = left.splice(0, AT_ONCE);
    const unstored = new Set(some);
    try {
      const { refused } = await storeInHalves(some, (part) => this.#add(part, unstored));
      const [first] = refused;
      if (first === undefined) return;
      if (unstored.size === some.length) throw new NotStorable(first.reason);
      const fields = { of: first.row[1].of, counts: refused.length, reason: first.reason };
      this.#ports.log.warn(fields, 'hourly counts are refused, and left out');
    } catch (error) {
      left.unshift(...unstored);
      throw error;
    }
  }

  async #add(some: readonly Counted[], unstored: Set<Counted>): Promise<void> {
    const taken = (): void => some.forEach((one) => unstored.delete(one));
    try {
      await this.#ports.storage.addCounts(some.map(([, sum]) => sum));
      taken();
    } catch (error) {
      // It may be stored: sent again it would count twice.
      if (error instanceof OutcomeUnknown) taken();
      throw error;
    }
  }

  #putBack(unstored: readonly (readonly [string, HourlySum])[]): void {
    for (const [key, sum] of unstored) {
      sum.count += this.#pending.get(key)?.count ?? 0;
      this.#pending.set(key, sum);
    }
  }
}

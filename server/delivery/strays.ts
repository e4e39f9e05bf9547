import type { DeliveryId } from '../model/delivery.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { DeliveryStorage, Held } from '../storage/delivery-storage.ts';

const PAGE = 1_000;
/** All that is held is looked at so often … */
const EVERY_MS = 10_000;
/** … and so many times at once when the storage answers again after it did not: whoever is told nothing waits for that. */
const LOOKS_AT_ONCE = 2;

/** What a life knows of what it holds. */
export interface Holdings {
  readonly known: ReadonlySet<DeliveryId>;
  readonly calls: {
    /** When the oldest under way began that may still bring deliveries. */
    readonly oldestAt: number | undefined;
    /** How often the storage has answered again. */
    readonly answeredAgain: number;
  };
  /** Told that something waits for a destination. */
  wake(destination: string): void;
}

export interface StrayPorts {
  readonly store: Pick<DeliveryStorage, 'held' | 'release'>;
  readonly clock: Pick<Clock, 'steady'>;
  readonly log: Log;
}

/**
 * Deliveries that this router holds, as the storage sees it, and never heard of: the answer that brought them was lost. They
 * are let go (NODE-6) once they were found twice, and no call under way is so old that it may still bring them.
 */
export class Strays {
  readonly #ports: StrayPorts;
  readonly #own: Holdings;
  /** What the last look found that nobody knows, and when it began. */
  #before: { readonly at: number; readonly unknown: ReadonlyMap<DeliveryId, Held> } | undefined;
  #lookedAt: number;
  #answeredAgain = 0;
  /** So many looks are due at once. */
  #atOnce = 0;

  constructor(ports: StrayPorts, own: Holdings) {
    this.#ports = ports;
    this.#own = own;
    this.#lookedAt = ports.clock.steady();
  }

  /** To be called each second: looks where it is time to. */
  async watch(): Promise<void> {
    const { answeredAgain } = this.#own.calls;
    if (answeredAgain !== this.#answeredAgain) this.#atOnce = LOOKS_AT_ONCE;
    this.#answeredAgain = answeredAgain;
    const at = this.#ports.clock.steady();
    if (this.#atOnce === 0 && at - this.#lookedAt < EVERY_MS) return;
    [this.#lookedAt, this.#atOnce] = [at, Math.max(0, this.#atOnce - 1)];
    await this.look();
  }

  async look(): Promise<void> {
    const at = this.#ports.clock.steady();
    const held = await this.#held();
    const { known, calls } = this.#own;
    const unknown = new Map(held.filter(({ delivery }) => !known.has(delivery)).map((one) => [one.delivery, one]));
    const before = this.#before;
    if (before !== undefined && (calls.oldestAt ?? at) > before.at) {
      const strays = [...unknown.values()].filter((one) => before.unknown.get(one.delivery)?.round === one.round);
      if (strays.length > 0) await this.#release(strays);
    }
    this.#before = { at, unknown };
  }

  async #held(): Promise<Held[]> {
    const all: Held[] = [];
    let after: string | undefined;
    do {
      const page = await this.#ports.store.held({ after, limit: PAGE });
      all.push(...page.held);
      after = page.next;
    } while (after !== undefined);
    return all;
  }

  async #release(strays: readonly Held[]): Promise<void> {
    await this.#ports.store.release(strays);
    this.#ports.log.warn({ deliveries: strays.length }, 'deliveries whose answer was lost wait again');
    for (const destination of new Set(strays.map((one) => one.destination))) this.#own.wake(destination);
  }
}

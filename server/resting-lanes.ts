import type { Clock } from './ports/clock.ts';
import { restAfter } from './rest.ts';

interface Lane {
  /** That wait or are done. */
  works: number;
  /** Settles when all that came before have ended. */
  last: Promise<unknown>;
  /** In steady time. */
  restsUntil: number;
}

/**
 * Work that keeps others waiting while it is done: of each holder one after the other, with rests between. However much it asks for,
 * and whatever that takes, most of the time is left to others (SAFE-2).
 */
export class RestingLanes {
  readonly #clock: Pick<Clock, 'steady' | 'sleep'>;
  readonly #lanes = new Map<string, Lane>();

  constructor(clock: Pick<Clock, 'steady' | 'sleep'>) {
    this.#clock = clock;
  }

  /** How many works of this holder have not ended. */
  works(holder: string): number {
    return this.#lanes.get(holder)?.works ?? 0;
  }

  inLane<Value>(holder: string, work: () => Value | Promise<Value>): Promise<Value> {
    const lane = this.#lanes.get(holder) ?? this.#begin(holder);
    lane.works += 1;
    const own = lane.last.then(() => this.#workIn(lane, work));
    lane.last = own.catch(() => undefined);
    return own;
  }

  async #workIn<Value>(lane: Lane, work: () => Value | Promise<Value>): Promise<Value> {
    const { steady, sleep } = this.#clock;
    const restMs = lane.restsUntil - steady();
    if (restMs > 0) await sleep(restMs);
    const begun = steady();
    try {
      return await work();
    } finally {
      const ended = steady();
      lane.restsUntil = ended + restAfter(ended - begun);
      lane.works -= 1;
    }
  }

  /** Whoever has rested is forgotten when another comes. */
  #begin(holder: string): Lane {
    const now = this.#clock.steady();
    for (const [known, { works, restsUntil }] of this.#lanes) {
      if (works === 0 && restsUntil <= now) this.#lanes.delete(known);
    }
    const lane = { works: 0, last: Promise.resolve(), restsUntil: -Infinity };
    this.#lanes.set(holder, lane);
    return lane;
  }
}

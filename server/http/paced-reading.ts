import type { Clock } from '../ports/clock.ts';
import { ApiError } from './errors.ts';

/** A body from this size on may take a good part of a second to be read. */
const LARGE_BODY = 65_536;
/** What a holder waits for before its next large body is read: so many times what the last one took. */
const REST = 4;
/** Large bodies of one holder that are read or wait: as many as Terraform sends at once. */
export const MOST_LARGE = 10;

interface Lane {
  bodies: number;
  /** Settles when all that came before have been read. */
  last: Promise<unknown>;
  /** In steady time. */
  restsUntil: number;
}

/**
 * Large bodies of each holder are read one after the other, with rests between: however many it sends, and whatever it takes to
 * read them, most of the time is left to others (SAFE-2).
 */
export class PacedReading {
  readonly #clock: Pick<Clock, 'steady' | 'sleep'>;
  readonly #lanes = new Map<string, Lane>();

  constructor(clock: Pick<Clock, 'steady' | 'sleep'>) {
    this.#clock = clock;
  }

  /** Rejects with ResourceExhausted when too many wait already. */
  read<Body>(holder: string, bytes: number, read: () => Body): Body | Promise<Body> {
    if (bytes < LARGE_BODY) return read();
    const lane = this.#lanes.get(holder) ?? this.#begin(holder);
    if (lane.bodies === MOST_LARGE) throw tooMany();
    lane.bodies += 1;
    const own = lane.last.then(() => this.#readIn(lane, read));
    lane.last = own.catch(() => undefined);
    return own;
  }

  async #readIn<Body>(lane: Lane, read: () => Body): Promise<Body> {
    const { steady, sleep } = this.#clock;
    const restMs = lane.restsUntil - steady();
    if (restMs > 0) await sleep(restMs);
    const begun = steady();
    try {
      return read();
    } finally {
      const ended = steady();
      lane.restsUntil = ended + REST * (ended - begun);
      lane.bodies -= 1;
    }
  }

  /** Whoever has rested is forgotten when another comes. */
  #begin(holder: string): Lane {
    const now = this.#clock.steady();
    for (const [known, { bodies, restsUntil }] of this.#lanes) {
      if (bodies === 0 && restsUntil <= now) this.#lanes.delete(known);
    }
    const lane = { bodies: 0, last: Promise.resolve(), restsUntil: -Infinity };
    this.#lanes.set(holder, lane);
    return lane;
  }
}

function tooMany(): ApiError {
  const what = `more than ${MOST_LARGE} requests with large bodies at once`;
  return new ApiError('ResourceExhausted', `${what}: send them one after the other`, { retryAfterS: 1 });
}

import type { TellingStorage } from '../storage/telling-storage.ts';
import { DoublingWait } from './doubling-wait.ts';

/** Live events go first: nothing is told to a destination for which so many wait. */
export const WAITING_LIMIT = 1_000;
/** More are not counted. */
const COUNTED = 1_200;
/** A fast receiver has taken them in a moment; while none takes any, each look is rarer than the one before. */
const WAITING_MS = { first: 20, longest: 5_000 };

/** Which destinations have room for more, and how long to wait while none has. */
export class TellingRoom {
  readonly #tellings: Pick<TellingStorage, 'waiting'>;
  /** For each destination, when it was looked last. */
  readonly #waiting = new Map<string, number>();
  readonly #wait = new DoublingWait(WAITING_MS);

  constructor(tellings: Pick<TellingStorage, 'waiting'>) {
    this.#tellings = tellings;
  }

  async isAt(destination: string): Promise<boolean> {
    const waiting = await this.#tellings.waiting({ destination, limit: COUNTED });
    if (waiting < WAITING_LIMIT || waiting < (this.#waiting.get(destination) ?? 0)) this.#wait.reset();
    this.#waiting.set(destination, waiting);
    return waiting < WAITING_LIMIT;
  }

  /** How long to wait now, in milliseconds. */
  waitMs(): number {
    return this.#wait.next();
  }
}

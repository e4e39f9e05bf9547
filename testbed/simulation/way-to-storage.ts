import type { Random } from '../../server/ports/random.ts';
import { StoreUnavailable } from '../../server/storage/config-store.ts';
import { OutcomeUnknown } from '../../server/storage/errors.ts';
import { eachVerb, type Verbs } from '../../server/storage/verbs.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** What is wrong with the way of one router to its storage. */
export type Trouble = 'none' | 'cut' | 'loses answers';

/**
 * The way of one router to a storage that others share: each call and each answer takes a while, drawn at random, so that
 * the calls of all routers interleave in every way; and it can be cut, or lose answers.
 */
export class WayToStorage {
  trouble: Trouble = 'none';
  readonly store: Verbs;
  readonly #clock: VirtualClock;
  readonly #random: Random;

  constructor(own: Verbs, clock: VirtualClock, random: Random) {
    this.#clock = clock;
    this.#random = random;
    this.store = eachVerb((verb) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each verb is asked with the argument of its own
      const ask = own[verb] as (argument: unknown) => Promise<unknown>;
      return (argument) => this.#pass(() => ask(argument));
    });
  }

  async #pass(ask: () => Promise<unknown>): Promise<unknown> {
    await this.#delay();
    if (this.#is('cut')) throw new StoreUnavailable('the storage cannot be reached');
    const answer = await ask();
    await this.#delay();
    if (this.#is('cut') || (this.#is('loses answers') && this.#random() < 0.5)) throw new OutcomeUnknown('it was lost');
    return answer;
  }

  #is(trouble: Trouble): boolean {
    return this.trouble === trouble;
  }

  /** Most are fast; some come in the order of none. */
  #delay(): Promise<void> {
    return this.#clock.sleep(Math.floor(this.#random() ** 3 * 100));
  }
}

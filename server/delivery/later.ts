import type { Clock } from '../ports/clock.ts';

/** Does something after a while, once for all who have asked for no sooner. */
export class Later {
  readonly #clock: Pick<Clock, 'sleep' | 'steady'>;
  readonly #work: () => void;
  /** When it is done next; undefined where nobody has asked. */
  #at: number | undefined;

  constructor(clock: Pick<Clock, 'sleep' | 'steady'>, work: () => void) {
    this.#clock = clock;
    this.#work = work;
  }

  /** Whether it is to come. */
  get isDue(): boolean {
    return this.#at !== undefined;
  }

  /** Done sooner, it is done for all. */
  in(ms: number): void {
    const at = this.#clock.steady() + ms;
    if (this.#at !== undefined && this.#at <= at) return;
    this.#at = at;
    void this.#clock.sleep(ms).then(() => {
      if (this.#at !== at) return;
      this.#at = undefined;
      this.#work();
    });
  }
}

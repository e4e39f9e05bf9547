import { RoundRobin } from './round-robin.ts';

/**
 * Work of which so much is under way at once. Holders (workspaces) take turns: however much one of them has to do, another
 * waits for what is under way, and for one of each holder. With one place and one holder, all is done in its order: a mutex.
 */
export class Semaphore {
  readonly #places: number;
  readonly #waiting = new RoundRobin<() => void>();
  readonly #untilIdle: (() => void)[] = [];
  #free: number;

  constructor(places: number) {
    [this.#places, this.#free] = [places, places];
  }

  async run<Answer>(work: () => Answer | Promise<Answer>, holder = ''): Promise<Answer> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((begin) => this.#waiting.add(holder, begin));
    try {
      return await work();
    } finally {
      // Whoever is next has the place that this one had.
      const next = this.#waiting.take();
      if (next === undefined) this.#free += 1;
      else next();
      if (this.#free === this.#places) for (const idle of this.#untilIdle.splice(0)) idle();
    }
  }

  /** Resolves once nothing is under way, nor waits. */
  async idle(): Promise<void> {
    if (this.#free < this.#places) await new Promise<void>((idle) => this.#untilIdle.push(idle));
  }
}

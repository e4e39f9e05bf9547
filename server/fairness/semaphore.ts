import { RoundRobin } from './round-robin.ts';

/**
 * Work of which so much is under way at once. Holders (workspaces) take turns: however much one of them has to do, another
 * waits for what is under way, and for one of each holder. With one place and one holder, all is done in its order: a mutex.
 */
export class Semaphore {
  readonly #waiting = new RoundRobin<() => void>();
  #free: number;

  constructor(places: number) {
    this.#free = places;
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
    }
  }
}

import { Waiting } from './waiting.ts';

/**
 * Calls into something that all share, of which so many are under way at once. Holders (workspaces) take turns: however many calls
 * one of them makes, another waits for those under way, and for one of each holder.
 */
export class CallsInTurn {
  readonly #most: number;
  readonly #waiting = new Waiting<() => void>();
  #underWay = 0;

  constructor(most: number) {
    this.#most = most;
  }

  async inTurn<Answer>(holder: string, call: () => Promise<Answer>): Promise<Answer> {
    if (this.#underWay < this.#most) this.#underWay += 1;
    else await new Promise<void>((begin) => this.#waiting.add(holder, begin));
    try {
      return await call();
    } finally {
      // Whoever is next has the place that this one had.
      const next = this.#waiting.take();
      if (next === undefined) this.#underWay -= 1;
      else next();
    }
  }
}

import { Waiting } from '../evaluation/turns.ts';
import { workspaceOf } from '../model/resources.ts';
import type { DeliveryLog } from '../storage/delivery-log.ts';

/**
 * So many calls are under way at once: each takes milliseconds of a storage that accepts and records meanwhile, and one request
 * may make dozens of them.
 */
const MOST = 4;

/** The log as people read it. Workspaces take turns, so that however many requests one of them sends, all else goes on. */
export function logInTurns(log: DeliveryLog): DeliveryLog {
  const calls = new Calls(MOST);
  return {
    list: (query) => calls.inTurn(workspaceOf(query.destination), () => log.list(query)),
    read: (delivery) => calls.inTurn(workspaceOf(delivery.destination), () => log.read(delivery)),
    counts: (query) => calls.inTurn(workspaceOf(query.destination), () => log.counts(query)),
    sums: (query) => calls.inTurn(workspaceOf(query.destinations[0] ?? ''), () => log.sums(query)),
  };
}

class Calls {
  readonly #most: number;
  readonly #waiting = new Waiting();
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

import type { Clock } from '../ports/clock.ts';
import { Semaphore } from './semaphore.ts';

/** So many times what work took that keeps others waiting is left to them afterwards … */
const TIMES = 4;
/** … but no longer: where the process stood still meanwhile, or storage did not answer, the work only seems to have been long. */
const MOST_MS = 5_000;

/** How long whoever did such work rests before the next. */
export function restAfter(tookMs: number, mostMs = MOST_MS): number {
  return Math.min(TIMES * tookMs, mostMs);
}

interface Queue {
  readonly turns: Semaphore;
  /** That wait or are done. */
  works: number;
  /** In steady time. */
  restsUntil: number;
}

/**
 * Work that keeps others waiting while it is done: of each holder one after the other, with rests between. However much it asks for,
 * and whatever that takes, most of the time is left to others (SAFE-2).
 */
export class RestingQueues {
  readonly #clock: Pick<Clock, 'steady' | 'sleep'>;
  readonly #queues = new Map<string, Queue>();

  constructor(clock: Pick<Clock, 'steady' | 'sleep'>) {
    this.#clock = clock;
  }

  /** How many works of this holder have not ended. */
  works(holder: string): number {
    return this.#queues.get(holder)?.works ?? 0;
  }

  run<Answer>(work: () => Answer | Promise<Answer>, holder: string): Promise<Answer> {
    const queue = this.#queues.get(holder) ?? this.#begin(holder);
    queue.works += 1;
    return queue.turns.run(() => this.#workIn(queue, work));
  }

  async #workIn<Answer>(queue: Queue, work: () => Answer | Promise<Answer>): Promise<Answer> {
    const { steady, sleep } = this.#clock;
    const restMs = queue.restsUntil - steady();
    if (restMs > 0) await sleep(restMs);
    const begun = steady();
    try {
      return await work();
    } finally {
      const ended = steady();
      queue.restsUntil = ended + restAfter(ended - begun);
      queue.works -= 1;
    }
  }

  /** Whoever has rested is forgotten when another comes. */
  #begin(holder: string): Queue {
    const now = this.#clock.steady();
    for (const [known, { works, restsUntil }] of this.#queues) {
      if (works === 0 && restsUntil <= now) this.#queues.delete(known);
    }
    const queue = { turns: new Semaphore(1), works: 0, restsUntil: -Infinity };
    this.#queues.set(holder, queue);
    return queue;
  }
}

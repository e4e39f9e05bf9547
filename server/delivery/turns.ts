import type { Queue } from './scheduler.ts';

/** In each turn comes one of each class, in this order. */
const CLASSES = ['proven', 'other', 'trial'] as const;
export type TurnClass = (typeof CLASSES)[number];

/**
 * Queues that wait for the same thing, in the order of their turns. The classes come in turn, those of proven destinations among
 * them: however many fail or hang, one that works has to wait for one of each other class, and no more.
 */
export class Turns {
  readonly #classOf: (state: Queue['state']) => TurnClass;
  readonly #waiting = { proven: new Set<Queue>(), other: new Set<Queue>(), trial: new Set<Queue>() };
  /** The index of the class whose turn it is. */
  #next = 0;

  constructor(classOf: (state: Queue['state']) => TurnClass) {
    this.#classOf = classOf;
  }

  /** Where it waits already, it keeps its place; else it comes last. */
  place(queue: Queue, waits: boolean): void {
    const belongs = waits ? this.#classOf(queue.state) : undefined;
    for (const one of CLASSES) {
      if (one === belongs) this.#waiting[one].add(queue);
      else this.#waiting[one].delete(queue);
    }
  }

  remove(queue: Queue): void {
    this.place(queue, false);
  }

  has(one: TurnClass): boolean {
    return this.#waiting[one].size > 0;
  }

  /** Whose turn it is, which waits no more; undefined where none waits of the classes that have a turn. */
  take(which: readonly TurnClass[]): Queue | undefined {
    for (let ahead = 0; ahead < CLASSES.length; ahead += 1) {
      const index = (this.#next + ahead) % CLASSES.length;
      const one = CLASSES[index];
      const [queue] = one !== undefined && which.includes(one) ? this.#waiting[one] : [];
      if (queue === undefined) continue;
      this.#next = index + 1;
      this.remove(queue);
      return queue;
    }
    return undefined;
  }
}

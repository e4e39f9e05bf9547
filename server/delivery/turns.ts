import type { Queue } from './scheduler.ts';

/**
 * Queues that wait for the same thing, in the order of their turns. Those of proven destinations and the others come in
 * turn: however many fail or hang, one that works has to wait for one of them, and no more.
 */
export class Turns {
  readonly #proven = new Set<Queue>();
  readonly #others = new Set<Queue>();
  #isForProven = true;

  /** Where it waits already, it keeps its place; else it comes last. */
  place(queue: Queue, waits: boolean): void {
    const { isProven } = queue.state;
    move(queue, this.#proven, waits && isProven);
    move(queue, this.#others, waits && !isProven);
  }

  remove(queue: Queue): void {
    this.#proven.delete(queue);
    this.#others.delete(queue);
  }

  /** Whose turn it is, which waits no more; undefined where none of those waits. */
  take(which: 'any' | 'proven'): Queue | undefined {
    const [proven] = this.#proven;
    const [other] = which === 'any' ? this.#others : [];
    const queue = this.#isForProven ? (proven ?? other) : (other ?? proven);
    if (queue === undefined) return undefined;
    this.#isForProven = queue === other;
    this.remove(queue);
    return queue;
  }
}

function move(queue: Queue, set: Set<Queue>, belongs: boolean): void {
  if (belongs) set.add(queue);
  else set.delete(queue);
}

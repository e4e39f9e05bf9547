import type { Queue } from './scheduler.ts';

/** In each turn comes one of each class, in this order. */
const CLASSES = ['proven', 'other', 'trial'] as const;
export type TurnClass = (typeof CLASSES)[number];

/** Of a queue: it is the same as long as the queue is in memory. Or the head of a line, before its first and behind its last. */
class Place {
  readonly queue: Queue | undefined;
  /** The class in whose line it stands. */
  line: TurnClass | undefined;
  #before: Place = this;
  #after: Place = this;

  constructor(queue?: Queue) {
    this.queue = queue;
  }

  get after(): Place {
    return this.#after;
  }

  leave(): void {
    this.#before.#after = this.#after;
    this.#after.#before = this.#before;
    this.#before = this.#after = this;
  }

  /** It stands nowhere so far. */
  standBefore(other: Place): void {
    this.#before = other.#before;
    this.#after = other;
    this.#before.#after = other.#before = this;
  }
}

/**
 * Queues that wait for the same thing, in the order of their turns. The classes come in turn, those of proven destinations among
 * them: however many fail or hang, one that works has to wait for one of each other class, and no more. A queue comes and goes
 * with each event, so what it leaves behind must be nothing (`UnderWay`): places are linked, and stay.
 */
export class Turns {
  readonly #classOf: (state: Queue['state']) => TurnClass;
  readonly #places = new Map<Queue, Place>();
  readonly #heads = { proven: new Place(), other: new Place(), trial: new Place() };
  /** The index of the class whose turn it is. */
  #next = 0;

  constructor(classOf: (state: Queue['state']) => TurnClass) {
    this.#classOf = classOf;
  }

  /** Where it waits already, it keeps its place; else it comes last. */
  place(queue: Queue, waits: boolean): void {
    const belongs = waits ? this.#classOf(queue.state) : undefined;
    const known = this.#places.get(queue);
    if (known?.line === belongs) return;
    const place = known ?? new Place(queue);
    place.leave();
    place.line = belongs;
    if (belongs === undefined) return;
    if (known === undefined) this.#places.set(queue, place);
    place.standBefore(this.#heads[belongs]);
  }

  remove(queue: Queue): void {
    this.place(queue, false);
  }

  /** It is in memory no more. */
  forget(queue: Queue): void {
    this.remove(queue);
    this.#places.delete(queue);
  }

  has(one: TurnClass): boolean {
    return this.#heads[one].after.queue !== undefined;
  }

  /** Whose turn it is, which waits no more; undefined where none waits of the classes that have a turn. */
  take(which: readonly TurnClass[]): Queue | undefined {
    for (let ahead = 0; ahead < CLASSES.length; ahead += 1) {
      const index = (this.#next + ahead) % CLASSES.length;
      const one = CLASSES[index];
      const queue = one !== undefined && which.includes(one) ? this.#heads[one].after.queue : undefined;
      if (queue === undefined) continue;
      this.#next = index + 1;
      this.remove(queue);
      return queue;
    }
    return undefined;
  }
}

export interface Moment {
  readonly at: number;
  /** What was planned first for one moment comes first. */
  readonly order: number;
}

/** Moments in order of time: a binary heap, so that to plan one and to take the first cost little, however many there are. */
export class Timeline<M extends Moment> {
  readonly #heap: M[] = [];

  get first(): M | undefined {
    return this.#heap[0];
  }

  add(moment: M): void {
    let index = this.#heap.push(moment) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = this.#heap[parent];
      if (above === undefined || isBefore(above, moment)) break;
      this.#heap[index] = above;
      index = parent;
    }
    this.#heap[index] = moment;
  }

  take(): M | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) this.#sink(last);
    return first;
  }

  /** Puts a moment at the top, and lets it down to where it belongs. */
  #sink(moment: M): void {
    let index = 0;
    for (;;) {
      const child = this.#earlierChild(index);
      const below = this.#heap[child];
      if (below === undefined || isBefore(moment, below)) break;
      this.#heap[index] = below;
      index = child;
    }
    this.#heap[index] = moment;
  }

  #earlierChild(index: number): number {
    const [left, right] = [this.#heap[2 * index + 1], this.#heap[2 * index + 2]];
    return right !== undefined && left !== undefined && isBefore(right, left) ? 2 * index + 2 : 2 * index + 1;
  }
}

function isBefore(a: Moment, b: Moment): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

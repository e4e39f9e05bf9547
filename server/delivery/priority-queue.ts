/** What is to come, and when. */
export interface Dated {
  readonly at: number;
  /** What was planned first for one moment comes first. */
  readonly order: number;
}

/** What is to come, in order of time: a binary heap, so that to add one and to take the first cost little, however many there are. */
export class PriorityQueue<Item extends Dated> {
  readonly #heap: Item[] = [];

  get first(): Item | undefined {
    return this.#heap[0];
  }

  add(item: Item): void {
    let index = this.#heap.push(item) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = this.#heap[parent];
      if (above === undefined || isBefore(above, item)) break;
      this.#heap[index] = above;
      index = parent;
    }
    this.#heap[index] = item;
  }

  take(): Item | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) this.#sink(last);
    return first;
  }

  /** Puts one at the top, and lets it down to where it belongs. */
  #sink(item: Item): void {
    let index = 0;
    for (;;) {
      const child = this.#earlierChild(index);
      const below = this.#heap[child];
      if (below === undefined || isBefore(item, below)) break;
      this.#heap[index] = below;
      index = child;
    }
    this.#heap[index] = item;
  }

  #earlierChild(index: number): number {
    const [left, right] = [this.#heap[2 * index + 1], this.#heap[2 * index + 2]];
    return right !== undefined && left !== undefined && isBefore(right, left) ? 2 * index + 2 : 2 * index + 1;
  }
}

function isBefore(a: Dated, b: Dated): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

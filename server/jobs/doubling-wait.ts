interface WaitBounds {
  readonly first: number;
  readonly longest: number;
}

/** How long to wait before what was in vain is tried again: each time twice as long, up to a bound. In milliseconds. */
export class DoublingWait {
  readonly #bounds: WaitBounds;
  #next: number;

  constructor(bounds: WaitBounds) {
    this.#bounds = bounds;
    this.#next = bounds.first;
  }

  next(): number {
    const now = this.#next;
    this.#next = Math.min(2 * now, this.#bounds.longest);
    return now;
  }

  /** It was not in vain: the next wait is the first one. */
  reset(): void {
    this.#next = this.#bounds.first;
  }
}

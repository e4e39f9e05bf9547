/** The place that something under way has; it is given back once. */
export interface Place<Item> {
  readonly item: Item;
  readonly index: number;
}

/**
 * What comes and goes with each event: requests, calls, rounds. No `Set` and no `Map`: every few removals they move into a new
 * table, to which the one before refers. Once one of these has become old, V8 keeps all that follow until it looks through all
 * of its memory, with whatever passed through them.
 */
export class UnderWay<Item> {
  readonly #places: (Place<Item> | undefined)[] = [];
  readonly #free: number[] = [];

  begin(item: Item): Place<Item> {
    const place = { item, index: this.#free.pop() ?? this.#places.length };
    this.#places[place.index] = place;
    return place;
  }

  /** Again, or of a place that was given to another since: nothing. */
  end(place: Place<Item>): void {
    if (this.#places[place.index] !== place) return;
    this.#places[place.index] = undefined;
    this.#free.push(place.index);
  }

  /** In no order. */
  *[Symbol.iterator](): Generator<Item, void> {
    for (const place of this.#places) if (place !== undefined) yield place.item;
  }
}

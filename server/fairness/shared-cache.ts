interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
  /** The greater, the later it was asked for. */
  at: number;
}

interface Holding<Key, Value> {
  readonly entries: Map<Key, Entry<Value>>;
  weight: number;
}

/** Where it is too much, so much of it is given up that what follows has room for a while. */
const LEFT = 15 / 16;

/**
 * What can be made again, kept for all holders together up to a weight. Beyond it, the holder that has most gives up what it asked
 * for longest ago: however much one of them uses, what others use stays.
 */
export class SharedCache<Key extends object, Value> {
  readonly #most: number;
  readonly #holdings = new Map<string, Holding<Key, Value>>();
  #weight = 0;
  #asked = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(holder: string, key: Key): Value | undefined {
    const entry = this.#holdings.get(holder)?.entries.get(key);
    if (entry === undefined) return undefined;
    entry.at = this.#asked += 1;
    return entry.value;
  }

  put(holder: string, key: Key, value: Value, weight: number): void {
    const holding = this.#holdings.get(holder) ?? { entries: new Map(), weight: 0 };
    this.#holdings.set(holder, holding);
    this.#remove(holding, key);
    holding.entries.set(key, { value, weight, at: (this.#asked += 1) });
    holding.weight += weight;
    this.#weight += weight;
    if (this.#weight > this.#most) this.#makeRoom(key);
  }

  /** Never by what was put last. */
  #makeRoom(latest: Key): void {
    const most = this.#most * LEFT;
    const largestFirst = [...this.#holdings].toSorted(([, one], [, other]) => other.weight - one.weight);
    for (const [holder, holding] of largestFirst) {
      const oldestFirst = [...holding.entries].toSorted(([, one], [, other]) => one.at - other.at);
      for (const [key] of oldestFirst) {
        if (this.#weight <= most) return;
        if (key !== latest) this.#remove(holding, key);
      }
      if (holding.entries.size === 0) this.#holdings.delete(holder);
    }
  }

  #remove(holding: Holding<Key, Value>, key: Key): void {
    const weight = holding.entries.get(key)?.weight ?? 0;
    holding.entries.delete(key);
    holding.weight -= weight;
    this.#weight -= weight;
  }
}

/**
 * What belongs to the last keys that were set, or asked for: `enough` of them at least, and twice as many at most. Those before are
 * given up as a whole, as a `Map` that removes one for each it takes keeps them for long (under-way.ts).
 */
export class LatestKeys<Value, Key = string> {
  readonly #enough: number;
  #latest = new Map<Key, Value>();
  #before = new Map<Key, Value>();

  constructor(enough: number) {
    this.#enough = enough;
  }

  get(key: Key): Value | undefined {
    const latest = this.#latest.get(key);
    if (latest !== undefined) return latest;
    const before = this.#before.get(key);
    if (before !== undefined) this.set(key, before);
    return before;
  }

  set(key: Key, value: Value): void {
    if (this.#latest.size >= this.#enough) [this.#before, this.#latest] = [this.#latest, new Map()];
    this.#latest.set(key, value);
  }

  /** For what is an exception. */
  delete(key: Key): void {
    this.#latest.delete(key);
    this.#before.delete(key);
  }
}

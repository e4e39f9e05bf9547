/**
 * What belongs to the last keys: `enough` of them at least, and twice as many at most. Those before are given up as a whole, as
 * a `Map` that removes one for each it takes keeps them for long (under-way.ts).
 */
export class LatestKeys<Value> {
  readonly #enough: number;
  #latest = new Map<string, Value>();
  #before = new Map<string, Value>();

  constructor(enough: number) {
    this.#enough = enough;
  }

  get(key: string): Value | undefined {
    return this.#latest.get(key) ?? this.#before.get(key);
  }

  set(key: string, value: Value): void {
    if (this.#latest.size >= this.#enough) [this.#before, this.#latest] = [this.#latest, new Map()];
    this.#latest.set(key, value);
  }

  /** For what is an exception. */
  delete(key: string): void {
    this.#latest.delete(key);
    this.#before.delete(key);
  }
}

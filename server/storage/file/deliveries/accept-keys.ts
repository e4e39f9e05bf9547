import type { StoredAccept } from './calls.ts';

/** So many accepts are remembered at least, and twice as many at most. */
const KEYS = 500;

/**
 * What was answered to the last accepts, by the keys of their callers. It is in memory, as those who may ask again are:
 * an answer is lost between this thread and its process alone, and they end together.
 */
export class AcceptKeys {
  #latest = new Map<string, StoredAccept>();
  /** Those before; given up as a whole, as a `Map` that removes one for each it takes keeps them for long (under-way.ts). */
  #before = new Map<string, StoredAccept>();
  /** Those of the transaction that is open. */
  #open: string[] = [];

  get(key: string): StoredAccept | undefined {
    return this.#latest.get(key) ?? this.#before.get(key);
  }

  add(key: string, answer: StoredAccept): void {
    this.#latest.set(key, answer);
    this.#open.push(key);
  }

  committed(): void {
    this.#open = [];
    if (this.#latest.size < KEYS) return;
    this.#before = this.#latest;
    this.#latest = new Map();
  }

  rolledBack(): void {
    for (const key of this.#open) this.#latest.delete(key);
    this.#open = [];
  }
}

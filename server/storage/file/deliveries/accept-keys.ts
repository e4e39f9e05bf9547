import { LatestKeys } from '../../latest-keys.ts';
import type { StoredAccept } from './calls.ts';

/** So many accepts are remembered at least. */
const KEYS = 500;

/**
 * What was answered to the last accepts, by the keys of their callers. It is in memory, as those who may ask again are:
 * an answer is lost between this thread and its process alone, and they end together.
 */
export class AcceptKeys {
  readonly #answers = new LatestKeys<StoredAccept>(KEYS);
  /** Those of the transaction that is open. */
  #open: string[] = [];

  get(key: string): StoredAccept | undefined {
    return this.#answers.get(key);
  }

  add(key: string, answer: StoredAccept): void {
    this.#answers.set(key, answer);
    this.#open.push(key);
  }

  committed(): void {
    this.#open = [];
  }

  rolledBack(): void {
    for (const key of this.#open) this.#answers.delete(key);
    this.#open = [];
  }
}

import { randomInt } from 'node:crypto';

/** So many times a row is written; then the next one is begun. */
const CALLS = 50;
/** Of `node` in `counts`; 0 is what all have in common. */
const MAX_CHAPTER = 2 ** 31 - 1;

/**
 * Where a router counts. What it adds to a row leaves a version of it behind, which nobody may remove while any transaction is
 * held open, and which each further addition passes. So it adds to a row of its own for some time, and then begins another.
 * Whoever reads adds them up, and a job makes them one (`jobs/fold-counts.ts`). Two that meet in a row only wait for each other.
 */
export class Chapters {
  #chapter = 0;
  #left = 0;

  /** The row for one statement. */
  next(): number {
    if (this.#left === 0) [this.#chapter, this.#left] = [randomInt(1, MAX_CHAPTER), CALLS];
    this.#left -= 1;
    return this.#chapter;
  }
}

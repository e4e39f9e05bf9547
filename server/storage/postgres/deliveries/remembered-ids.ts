import type { Fingerprint } from '../../fingerprint.ts';

/** So many places the first table has, and the largest; each is four times the one before. */
const FIRST_PLACES = 2 ** 12;
const MAX_PLACES = 2 ** 22;
/** A table is full when four fifths of its places are taken. */
const MAX_FULL = 0.8;
/** Of so many tables, about 40 million ids in 400 MB, the oldest goes. */
const MAX_TABLES = 12;

/**
 * The fingerprints of message ids in memory, 10 bytes each (decisions/012). They go into the newest of several tables,
 * and are forgotten table by table, so that nothing is ever moved.
 */
export class RememberedIds {
  /** Oldest first. */
  #tables: Table[] = [];

  has(fingerprint: Fingerprint): boolean {
    // From the newest: an id that comes again mostly comes soon.
    return this.#tables.findLast((table) => table.has(fingerprint)) !== undefined;
  }

  /** Adds what was seen at `at`, in milliseconds since the epoch. */
  add(fingerprint: Fingerprint, at: number): void {
    let newest = this.#tables.at(-1);
    if (newest === undefined || newest.isFull) {
      newest = new Table(newest === undefined ? FIRST_PLACES : Math.min(MAX_PLACES, 4 * newest.places));
      this.#tables.push(newest);
      if (this.#tables.length > MAX_TABLES) this.#tables.shift();
    }
    newest.add(fingerprint, at);
  }

  /** Forgets one that was just added. */
  remove(fingerprint: Fingerprint): void {
    this.#tables.findLast((table) => table.has(fingerprint))?.remove(fingerprint);
  }

  /** Forgets the tables of which nothing was seen since `at`. */
  forgetBefore(at: number): void {
    this.#tables = this.#tables.filter((table) => table.newestAt >= at);
  }

  /** The memory that the tables take. */
  get bytes(): number {
    return this.#tables.reduce((sum, table) => sum + table.bytes, 0);
  }
}

/**
 * A hash table with open addressing; `places` is a power of two. A place holds two words, 63 bits beside those that say
 * where it stands. The second word is odd where the place is taken, 0 where it is free, and REMOVED in between.
 */
class Table {
  readonly places: number;
  readonly #words: Uint32Array;
  #taken = 0;
  newestAt = 0;

  constructor(places: number) {
    this.places = places;
    this.#words = new Uint32Array(2 * places);
  }

  get isFull(): boolean {
    return this.#taken >= MAX_FULL * this.places;
  }

  get bytes(): number {
    return this.#words.byteLength;
  }

  has(fingerprint: Fingerprint): boolean {
    return this.#words[this.#find(fingerprint) + 1] !== 0;
  }

  add(fingerprint: Fingerprint, at: number): void {
    const place = this.#find(fingerprint);
    this.#words[place] = fingerprint.first;
    this.#words[place + 1] = marked(fingerprint.second);
    this.#taken += 1;
    this.newestAt = Math.max(this.newestAt, at);
  }

  /** Its place stays lost: others may have been put behind it. */
  remove(fingerprint: Fingerprint): void {
    this.#words[this.#find(fingerprint) + 1] = REMOVED;
  }

  /** Where it stands, or the free place where it would. */
  #find({ home, first, second }: Fingerprint): number {
    const words = this.#words;
    const mark = marked(second);
    const last = words.length - 2;
    let place = (2 * home) & last;
    while (words[place + 1] !== 0 && (words[place] !== first || words[place + 1] !== mark)) place = (place + 2) & last;
    return place;
  }
}

const REMOVED = 2;

/** An odd word, which is neither free nor removed. */
function marked(word: number): number {
  return (word | 1) >>> 0;
}

import { BYTES, countIn, type Fingerprint } from '../../fingerprint.ts';

/** Whether a block holds a fingerprint: the exact answer, which may cost a look at the disk. */
export type Holds = (block: number, fingerprint: Fingerprint) => boolean;

/** So many places the first segment has, and the largest; each is four times the one before. */
const FIRST_PLACES = 2 ** 12;
const MAX_PLACES = 2 ** 22;
/** A segment is full when four fifths of its places are taken. */
const MAX_FULL = 0.8;
/** Of so many segments, about 80 million ids in 400 MB, the oldest goes. */
const MAX_SEGMENTS = 24;
/** Of an entry, so many bits are of the fingerprint; those above are the number of its block. */
const TAG_BITS = 18;
const TAG_MASK = 2 ** TAG_BITS - 1;
const MAX_BLOCKS = 2 ** (32 - TAG_BITS) - 1;

/**
 * In which blocks known fingerprints may stand, in 5 bytes of memory each (decisions/012). It answers nothing by itself:
 * its few bits say where to look, and the block is asked. They go into the newest of several segments, and are forgotten
 * segment by segment, so that nothing is ever moved.
 */
export class DedupIndex {
  /** Oldest first. */
  #segments: Segment[] = [];
  /** The first block that may be added to again: a new segment counts its blocks from here. */
  #openBlock = 0;

  has(fingerprint: Fingerprint, holds: Holds): boolean {
    // From the newest: an id that comes again mostly comes soon.
    for (let index = this.#segments.length - 1; index >= 0; index -= 1)
      if (this.#segments[index]?.has(fingerprint, holds)) return true;
    return false;
  }

  /** Adds what stands in `block`, and was seen at `at`, in milliseconds since the epoch. */
  add(fingerprint: Fingerprint, block: number, at: number): void {
    this.#segmentFor(block).add(fingerprint, block, at);
  }

  /** Adds all that the file has of a block, and for good. */
  load(ids: Uint8Array, block: number, at: number): void {
    this.#openBlock = block;
    const words = new DataView(ids.buffer, ids.byteOffset, ids.length);
    for (let from = 0; countIn(ids.length) > from;) from = this.#segmentFor(block).load(words, from, block, at);
  }

  /** What was added stays, and blocks before `openBlock` are added to no more. */
  committed(openBlock: number): void {
    this.#openBlock = openBlock;
    for (const segment of this.#segments) segment.committed();
  }

  /** What was added since the last commit is gone, and takes no place. */
  rolledBack(): void {
    for (const segment of this.#segments) segment.rolledBack();
  }

  /** The newest, or another one where that is full. */
  #segmentFor(block: number): Segment {
    const newest = this.#segments.at(-1);
    if (newest?.hasRoomFor(block) === true) return newest;
    const next = new Segment(
      newest === undefined ? FIRST_PLACES : Math.min(MAX_PLACES, 4 * newest.places),
      this.#openBlock,
    );
    this.#segments.push(next);
    if (this.#segments.length > MAX_SEGMENTS) this.#segments.shift();
    return next;
  }

  /** Forgets the segments of which nothing was seen since `at`. */
  forgetBefore(at: number): void {
    this.#segments = this.#segments.filter((segment) => segment.newestAt >= at);
  }

  /** The memory that the segments take. */
  get bytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.bytes, 0);
  }
}

/**
 * A hash table with open addressing; `places` is a power of two. An entry is the number of a block, counted from 1 at the
 * first of the segment, and the tag of the fingerprint; 0 is a free place.
 */
class Segment {
  readonly places: number;
  readonly #entries: Int32Array;
  readonly #firstBlock: number;
  #taken = 0;
  /** The places that were taken since the last commit. */
  #added: number[] = [];
  newestAt = 0;

  constructor(places: number, firstBlock: number) {
    this.places = places;
    this.#entries = new Int32Array(places);
    this.#firstBlock = firstBlock;
  }

  hasRoomFor(block: number): boolean {
    return this.#taken < MAX_FULL * this.places && block - this.#firstBlock < MAX_BLOCKS;
  }

  get bytes(): number {
    return this.#entries.byteLength;
  }

  has(fingerprint: Fingerprint, holds: Holds): boolean {
    const entries = this.#entries;
    const tag = fingerprint.first & TAG_MASK;
    const last = entries.length - 1;
    for (let place = fingerprint.home & last; ; place = (place + 1) & last) {
      const entry = entries[place] ?? 0;
      if (entry === 0) return false;
      if ((entry & TAG_MASK) === tag && holds(this.#firstBlock + (entry >>> TAG_BITS) - 1, fingerprint)) return true;
    }
  }

  add({ home, first }: Fingerprint, block: number, at: number): void {
    this.#added.push(this.#put(home, this.#entry(first, block)));
    this.#taken += 1;
    if (at > this.newestAt) this.newestAt = at;
  }

  /** Adds as many of these fingerprints as there is room for, from one on; answers how many of them are done. */
  load(words: DataView, from: number, block: number, at: number): number {
    const room = Math.ceil(MAX_FULL * this.places) - this.#taken;
    const to = Math.min(countIn(words.byteLength), from + room);
    for (let index = from; index < to; index += 1) {
      const offset = BYTES * index;
      this.#put(words.getUint32(offset, true), this.#entry(words.getUint32(offset + 4, true), block));
    }
    this.#taken += to - from;
    if (at > this.newestAt) this.newestAt = at;
    return to;
  }

  /** Answers the place. */
  #put(home: number, entry: number): number {
    const entries = this.#entries;
    const last = entries.length - 1;
    let place = home & last;
    while (entries[place] !== 0) place = (place + 1) & last;
    entries[place] = entry;
    return place;
  }

  #entry(first: number, block: number): number {
    return ((block - this.#firstBlock + 1) << TAG_BITS) | (first & TAG_MASK);
  }

  committed(): void {
    if (this.#added.length > 0) this.#added = [];
  }

  /** All of them at once, so that the places are as they were, and none behind them is cut off. */
  rolledBack(): void {
    for (const place of this.#added) this.#entries[place] = 0;
    this.#taken -= this.#added.length;
    this.#added = [];
  }
}

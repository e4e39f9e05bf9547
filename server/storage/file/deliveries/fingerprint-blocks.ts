import type { DatabaseSync } from 'node:sqlite';
import { contains, countIn, type Fingerprint, toBytes } from '../../fingerprint.ts';
import { query } from './query.ts';

/** A row of table `seen`: the fingerprints of one commit or of several, and when the last of them was seen. */
export interface SeenRow {
  readonly id: number;
  readonly seenAt: number;
  readonly ids: Uint8Array;
}

/** Of what stands in the file. */
interface Rows {
  readonly first: number;
  readonly last: number;
}

/** What a transaction makes of the file, which holds once it is committed. */
interface Draft {
  readonly sealed: readonly SeenRow[];
  /** Behind what is left of the rows that are open, or in the place of all of them where something was sealed. */
  readonly open: SeenRow | undefined;
}

/** So many fingerprints are a block: as one row they fill a page of 4096 bytes. */
const BLOCK = 337;
/** So many blocks are kept in memory, the last that were written or read: 256 KB. */
const MAX_RECENT = 64;

/**
 * Fingerprints in the order in which they were seen, in numbered blocks. Each commit appends a row to the file; as soon as a
 * block is full, one row takes the place of those that it consists of, so that a block is found by reading one page. What
 * stands in the open block is in memory. Rows of earlier routers may be of any length: a block is as many as fill it.
 */
export class FingerprintBlocks {
  readonly #write: (seenAt: number, ids: Uint8Array) => number;
  readonly #removeRows: (rows: Rows) => void;
  readonly #idsOf: (rows: Rows) => Uint8Array;
  /** Full blocks, but for the first ones, of which nothing is in the file any more. */
  readonly #sealed: Rows[] = [];
  #gone = 0;
  /** The rows of the open block, and how many fingerprints have come into it, which may be more than are left. */
  #open: SeenRow[] = [];
  #openCount = 0;
  readonly #recent = new Map<number, Uint8Array>();
  /** What the transaction under way has added, the last moment of it, and the last row that it has removed as too old. */
  #added: Fingerprint[] = [];
  #addedAt = 0;
  #removedTo = 0;
  #draft: Draft | undefined;

  constructor(database: DatabaseSync) {
    const insert = database.prepare('INSERT INTO seen (seen_at, ids) VALUES (?, ?)');
    const remove = database.prepare('DELETE FROM seen WHERE id BETWEEN ? AND ?');
    const read = query<Pick<SeenRow, 'ids'>>(database, 'SELECT ids FROM seen WHERE id BETWEEN ? AND ?');
    this.#write = (seenAt, ids) => Number(insert.run(seenAt, ids).lastInsertRowid);
    this.#removeRows = ({ first, last }) => void remove.run(first, last);
    const readOne = query<Pick<SeenRow, 'ids'>>(database, 'SELECT ids FROM seen WHERE id = ?');
    this.#idsOf = ({ first, last }) =>
      first === last
        ? (readOne.get(first)?.ids ?? NOTHING)
        : Buffer.concat(read.all(first, last).map(({ ids }) => ids));
  }

  /** The block that the next fingerprint comes into. */
  get next(): number {
    return this.openBlock + Math.floor((this.#openCount + this.#added.length) / BLOCK);
  }

  /** The first block that is not full in the file. */
  get openBlock(): number {
    return this.#gone + this.#sealed.length;
  }

  /** Whether it stands in this block; also of blocks that were never written, or are gone. */
  holds(block: number, fingerprint: Fingerprint): boolean {
    if (block < this.openBlock) return contains(this.#read(block), fingerprint);
    if (block === this.openBlock && this.#open.some(({ ids }) => contains(ids, fingerprint))) return true;
    const from = (block - this.openBlock) * BLOCK - this.#openCount;
    return this.#added.slice(Math.max(0, from), from + BLOCK).some((one) => isSame(one, fingerprint));
  }

  add(fingerprint: Fingerprint, at: number): void {
    this.#added.push(fingerprint);
    this.#addedAt = Math.max(this.#addedAt, at);
  }

  /** Rows up to this one were removed by the transaction under way. */
  removed(lastRow: number): void {
    this.#removedTo = lastRow;
  }

  /** Takes in a row that the file has had before; those before it were taken in. */
  load(row: SeenRow): void {
    this.#open.push(row);
    this.#openCount += countIn(row.ids.length);
    if (this.#openCount < BLOCK) return;
    this.#sealed.push({ first: this.#open[0]?.id ?? row.id, last: row.id });
    [this.#open, this.#openCount] = [[], 0];
  }

  committing(): void {
    const added = this.#added;
    if (added.length === 0) return;
    const room = BLOCK - this.#openCount;
    if (added.length < room) this.#draft = { sealed: [], open: this.#append(added) };
    else {
      const sealed = [this.#sealOpen(added.slice(0, room))];
      let at = room;
      for (; at + BLOCK <= added.length; at += BLOCK) sealed.push(this.#append(added.slice(at, at + BLOCK)));
      this.#draft = { sealed, open: at < added.length ? this.#append(added.slice(at)) : undefined };
    }
  }

  committed(): void {
    if (this.#removedTo > 0) this.#forget(this.#removedTo);
    if (this.#draft !== undefined) this.#take(this.#draft);
    this.#begin();
  }

  rolledBack(): void {
    // Some may have been read without the rows that are there again.
    if (this.#removedTo > 0) this.#recent.clear();
    this.#begin();
  }

  #begin(): void {
    this.#added = [];
    this.#addedAt = 0;
    this.#removedTo = 0;
    this.#draft = undefined;
  }

  #append(fingerprints: readonly Fingerprint[]): SeenRow {
    const [seenAt, ids] = [this.#addedAt, toBytes(fingerprints)];
    return { id: this.#write(seenAt, ids), seenAt, ids };
  }

  /** One row in the place of those of the open block. */
  #sealOpen(added: readonly Fingerprint[]): SeenRow {
    const open = this.#open.filter(({ id }) => id > this.#removedTo);
    const [first, last] = [open[0], open.at(-1)];
    if (first === undefined || last === undefined) return this.#append(added);
    this.#removeRows({ first: first.id, last: last.id });
    const seenAt = Math.max(last.seenAt, this.#addedAt);
    const ids = Buffer.concat([...open.map((row) => row.ids), toBytes(added)]);
    return { id: this.#write(seenAt, ids), seenAt, ids };
  }

  #take({ sealed, open }: Draft): void {
    for (const { id, ids } of sealed) {
      this.#sealed.push({ first: id, last: id });
      this.#keep(this.openBlock - 1, ids);
    }
    if (sealed.length > 0) [this.#open, this.#openCount] = [[], 0];
    if (open === undefined) return;
    this.#open.push(open);
    this.#openCount += countIn(open.ids.length);
  }

  #forget(lastRow: number): void {
    const left = this.#sealed.findIndex(({ last }) => last > lastRow);
    this.#gone += this.#sealed.splice(0, left < 0 ? this.#sealed.length : left).length;
    this.#open = this.#open.filter(({ id }) => id > lastRow);
    this.#recent.clear();
  }

  #read(block: number): Uint8Array {
    const rows = this.#sealed[block - this.#gone];
    if (rows === undefined) return NOTHING;
    return this.#recent.get(block) ?? this.#keep(block, this.#idsOf(rows));
  }

  #keep(block: number, ids: Uint8Array): Uint8Array {
    this.#recent.set(block, ids);
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= MAX_RECENT) break;
      this.#recent.delete(oldest);
    }
    return ids;
  }
}

const NOTHING = new Uint8Array();

function isSame(one: Fingerprint, other: Fingerprint): boolean {
  return one.home === other.home && one.first === other.first && one.second === other.second;
}

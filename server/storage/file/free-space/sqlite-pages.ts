import { fstatSync, readSync } from 'node:fs';

/** A part of a page, in bytes from its beginning. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** In SQLite's own layout (https://sqlite.org/fileformat2.html), as are all numbers here. */
const FILE_HEADER = 100;
/** Where SQLite takes its locks: the page of this byte is never used. */
const PENDING_BYTE = 0x40000000;
const MAP_ENTRY = 5;
const KINDS = { root: 1, free: 2, firstOverflow: 3, laterOverflow: 4, tree: 5 } as const;
const TREES = { indexNode: 2, tableNode: 5, indexLeaf: 10, tableLeaf: 13 } as const;

/** The pages of a file of SQLite that nobody changes, and whose log is empty. They are numbered from 1. */
export class SqlitePages {
  readonly #handle: number;
  readonly #first: Buffer;
  readonly #trunks = new Set<number>();
  readonly pageSize: number;
  readonly count: number;
  /** Bytes of a page that SQLite uses. */
  readonly #usable: number;

  constructor(handle: number) {
    this.#handle = handle;
    const header = this.#readAt(0, FILE_HEADER);
    // 65 536 does not fit into its two bytes.
    this.pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
    this.count = Math.floor(fstatSync(handle).size / this.pageSize);
    this.#usable = this.pageSize - header.readUInt8(20);
    this.#first = this.page(1);
    for (let trunk = this.#first.readUInt32BE(32); trunk !== 0; trunk = this.page(trunk).readUInt32BE(0))
      this.#trunks.add(trunk);
  }

  /** Pages that follow each other. */
  read(from: number, count: number): Buffer {
    return this.#readAt((from - 1) * this.pageSize, Math.min(count, this.count - from + 1) * this.pageSize);
  }

  page(number: number): Buffer {
    return this.read(number, 1);
  }

  /** What of a page holds nothing any more. `map` answers what the page is used for. */
  freeIn(number: number, page: Buffer, map: PageMap): readonly Range[] {
    if (number === 1) return treeRanges(page, FILE_HEADER);
    if (this.#isOfTheFile(number)) return [];
    const { kind } = map(number);
    if (kind === KINDS.root || kind === KINDS.tree) return treeRanges(page, 0);
    if (kind === KINDS.firstOverflow || kind === KINDS.laterOverflow) return this.#afterOverflow(number, page, map);
    if (kind !== KINDS.free) throw new Error(`page ${number} is of no known kind (${kind})`);
    const used = this.#trunks.has(number) ? 8 + 4 * page.readUInt32BE(4) : 0;
    return [{ from: used, to: this.pageSize }];
  }

  /** Reads the map of pages as it is needed, each part once. */
  map(): PageMap {
    if (this.#first.readUInt32BE(52) === 0) throw new Error('it has no map of its pages');
    let [known, part]: [number, Buffer] = [0, Buffer.alloc(0)];
    return (number) => {
      const at = this.#mapOf(number);
      if (at !== known) [known, part] = [at, this.page(at)];
      const entry = MAP_ENTRY * (number - at - 1);
      return { kind: part.readUInt8(entry), parent: part.readUInt32BE(entry + 1) };
    };
  }

  #isOfTheFile(number: number): boolean {
    return number === this.#pendingPage() || number === this.#mapOf(number);
  }

  #pendingPage(): number {
    return PENDING_BYTE / this.pageSize + 1;
  }

  /** The page that has the entry of this one. */
  #mapOf(number: number): number {
    const each = Math.floor(this.#usable / MAP_ENTRY) + 1;
    const at = Math.floor((number - 2) / each) * each + 2;
    return at === this.#pendingPage() ? at + 1 : at;
  }

  /** Only the last page of a value that did not fit is not full: the tree says how long the value is. */
  #afterOverflow(number: number, page: Buffer, map: PageMap): readonly Range[] {
    if (page.readUInt32BE(0) !== 0) return [];
    let [first, pages, { kind, parent }] = [number, 1, map(number)];
    for (; kind === KINDS.laterOverflow; pages += 1) [first, { kind, parent }] = [parent, map(parent)];
    const overflow = overflowOf(this.page(parent), parent === 1 ? FILE_HEADER : 0, first, this.#usable);
    if (overflow === undefined) throw new Error(`page ${number} belongs to no value`);
    return [{ from: 4 + overflow - (pages - 1) * (this.#usable - 4), to: this.pageSize }];
  }

  #readAt(at: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    if (readSync(this.#handle, bytes, 0, length, at) < length) throw new Error('it is shorter than its header says');
    return bytes;
  }
}

/** What a page is used for, and by which other one. */
export type PageMap = (number: number) => { readonly kind: number; readonly parent: number };

/** Between the list of a tree's cells and the cells, and where cells were. */
function treeRanges(page: Buffer, header: number): readonly Range[] {
  const { cells, list } = cellsOf(page, header);
  // 65 536 does not fit into its two bytes.
  const content = page.readUInt16BE(header + 5) || 65_536;
  const ranges = [{ from: list + 2 * cells, to: content }];
  for (let at = page.readUInt16BE(header + 1); at !== 0; at = page.readUInt16BE(at))
    ranges.push({ from: at + 4, to: at + page.readUInt16BE(at + 2) });
  return ranges;
}

function cellsOf(page: Buffer, header: number): { type: number; cells: number; list: number } {
  const type = page.readUInt8(header);
  if (!Object.values(TREES).some((one) => one === type)) throw new Error(`a page of trees has the type ${type}`);
  const isNode = type === TREES.indexNode || type === TREES.tableNode;
  return { type, cells: page.readUInt16BE(header + 3), list: header + (isNode ? 12 : 8) };
}

/** So many bytes of the value whose first page of overflow this is are not in the tree itself. */
function overflowOf(page: Buffer, header: number, first: number, usable: number): number | undefined {
  const { type, cells, list } = cellsOf(page, header);
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const most = type === TREES.tableLeaf ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  for (let cell = 0; cell < cells; cell += 1) {
    const at = page.readUInt16BE(list + 2 * cell) + (type === TREES.indexNode ? 4 : 0);
    const size = variable(page, at);
    if (size.value <= most) continue;
    const start = type === TREES.tableLeaf ? variable(page, size.end).end : size.end;
    const fitting = least + ((size.value - least) % (usable - 4));
    const local = fitting <= most ? fitting : least;
    if (page.readUInt32BE(start + local) === first) return size.value - local;
  }
  return undefined;
}

/** A number of one to nine bytes, of which the highest bit says that another one follows. */
function variable(page: Buffer, at: number): { value: number; end: number } {
  let [value, end] = [0, at];
  for (; end < at + 8; end += 1) {
    const byte = page.readUInt8(end);
    value = value * 128 + (byte & 127);
    if (byte < 128) return { value, end: end + 1 };
  }
  return { value: value * 256 + page.readUInt8(end), end: end + 1 };
}

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
    if (number === 1) return treeRanges(page, FILE_HEADER, this.#usable);
    if (this.#isOfTheFile(number)) return [];
    const { kind } = map(number);
    if (kind === KINDS.root || kind === KINDS.tree) return treeRanges(page, 0, this.#usable);
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
    const owner = this.page(parent);
    const overflow = overflowOf(owner, layoutOf(owner, parent === 1 ? FILE_HEADER : 0, this.#usable), first);
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

/** All of a page of a tree but its header, the list of its cells, the cells, and what links the blocks that are free. */
function treeRanges(page: Buffer, header: number, usable: number): readonly Range[] {
  const layout = layoutOf(page, header, usable);
  const blocks = Array<Range>();
  for (let at = page.readUInt16BE(header + 1); at !== 0; at = page.readUInt16BE(at))
    blocks.push({ from: at, to: at + page.readUInt16BE(at + 2) });
  const freed = blocks.map(({ from, to }) => ({ from: from + 4, to }));
  const ranges = [{ from: layout.list + 2 * layout.cells, to: layout.content }, ...freed];
  const fragments = page.readUInt8(header + 7);
  return fragments === 0 ? ranges : [...ranges, ...fragmentsOf(page, layout, { blocks, fragments })];
}

interface Spaces {
  readonly blocks: readonly Range[];
  /** How many bytes are in gaps too small for a block. */
  readonly fragments: number;
}

/** The gaps of up to three bytes that are left where a cell took the place of a longer one. Whole files are read: in numbers alone. */
function fragmentsOf(page: Buffer, layout: Layout, { blocks, fragments }: Spaces): readonly Range[] {
  const starts = new Uint16Array(layout.cells + blocks.length);
  for (let cell = 0; cell < layout.cells; cell += 1) starts[cell] = page.readUInt16BE(layout.list + 2 * cell);
  for (const [index, { from }] of blocks.entries()) starts[layout.cells + index] = from;
  const blockEnds = new Map(blocks.map(({ from, to }) => [from, to]));
  const gaps: Range[] = [];
  let [end, bytes] = [layout.content, 0];
  for (const from of starts.toSorted()) {
    if (from !== end) gaps.push({ from: end, to: from });
    bytes += from - end;
    end = blockEnds.get(from) ?? endOfCell(page, from, layout);
  }
  if (end !== layout.usable) gaps.push({ from: end, to: layout.usable });
  bytes += layout.usable - end;
  // Whoever misreads a cell must not overwrite it.
  if (bytes !== fragments || gaps.some(({ from, to }) => to < from))
    throw new Error(`a page of trees has gaps of ${bytes} bytes, and says ${fragments}`);
  return gaps;
}

/** How a page of a tree is laid out. */
interface Layout {
  readonly type: number;
  readonly cells: number;
  /** Where the list of its cells begins. */
  readonly list: number;
  /** Where the first cell begins. */
  readonly content: number;
  readonly usable: number;
}

function layoutOf(page: Buffer, header: number, usable: number): Layout {
  const type = page.readUInt8(header);
  if (!Object.values(TREES).some((one) => one === type)) throw new Error(`a page of trees has the type ${type}`);
  const isNode = type === TREES.indexNode || type === TREES.tableNode;
  // 65 536 does not fit into its two bytes.
  const content = page.readUInt16BE(header + 5) || 65_536;
  return { type, cells: page.readUInt16BE(header + 3), list: header + (isNode ? 12 : 8), content, usable };
}

/** No cell is shorter, so that a block that is free fits into its place. */
const SHORTEST_CELL = 4;

function endOfCell(page: Buffer, from: number, layout: Layout): number {
  const size = sizeOfCell(page, from, layout);
  if (layout.type === TREES.tableNode) return size.end;
  const local = localOf(size.value, layout);
  if (local < size.value) return size.end + local + 4;
  return Math.max(size.end + local, from + SHORTEST_CELL);
}

/** How long the value of a cell is, and where it begins; of nodes of tables, which have none, their number. */
function sizeOfCell(page: Buffer, from: number, { type }: Layout): Variable {
  const isNode = type === TREES.indexNode || type === TREES.tableNode;
  const size = variable(page, from + (isNode ? 4 : 0));
  return type === TREES.tableLeaf ? { value: size.value, end: variable(page, size.end).end } : size;
}

/** How much of a value stands in the tree itself. */
function localOf(size: number, { type, usable }: Layout): number {
  const most = type === TREES.tableLeaf ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (size <= most) return size;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((size - least) % (usable - 4));
  return fitting <= most ? fitting : least;
}

/** So many bytes of the value whose first page of overflow this is are not in the tree itself. */
function overflowOf(page: Buffer, layout: Layout, first: number): number | undefined {
  for (let cell = 0; cell < layout.cells; cell += 1) {
    const size = sizeOfCell(page, page.readUInt16BE(layout.list + 2 * cell), layout);
    const local = localOf(size.value, layout);
    if (local < size.value && page.readUInt32BE(size.end + local) === first) return size.value - local;
  }
  return undefined;
}

interface Variable {
  readonly value: number;
  /** Behind its last byte. */
  readonly end: number;
}

/** A number of one to nine bytes, of which the highest bit says that another one follows. */
function variable(page: Buffer, at: number): Variable {
  let [value, end] = [0, at];
  for (; end < at + 8; end += 1) {
    const byte = page.readUInt8(end);
    value = value * 128 + (byte & 127);
    if (byte < 128) return { value, end: end + 1 };
  }
  return { value: value * 256 + page.readUInt8(end), end: end + 1 };
}

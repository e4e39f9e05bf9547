import { createHash } from 'node:crypto';
import type { Turns } from '../fairness/turns.ts';
import { ApiError } from '../http/errors.ts';
import type { Kind, Resources } from '../model/resources.ts';
import type { ConfigStore, Entry, Page } from '../storage/config-store.ts';

/** As the document declares them: `page_size` is a whole number from 0. */
export interface PageQuery {
  readonly page_size?: number;
  readonly page_token?: string;
}

export const DEFAULT_PAGE_SIZE = 100;
export const MAX_PAGE_SIZE = 1000;

/** Characters of JSON after which a page ends, however many rows it may have: an answer is kept until its peer has read it. */
export const PAGE_LENGTH = 8_000_000;

/** Of what may be as long as an event is, so many are read at once. */
export const LONG_ROWS = 200;

/** 8 bytes of position, 2 of size, 14 of check sum: 32 characters of base64url. */
const TOKEN = /^[A-Za-z0-9_-]{32}$/;

/**
 * What a list request asks for (D-7). A token remembers its size, and is good for the collection that gave it only; it
 * guards against mistakes, not against forgery, since all it could reveal is a list that the caller may read.
 */
export function readPage(query: PageQuery, collection: string, defaultSize = DEFAULT_PAGE_SIZE): Page {
  const { page_size: size = 0, page_token: token = '' } = query;
  const start = token === '' ? { after: 0, limit: defaultSize } : readToken(token, collection);
  return { after: start.after, limit: Math.min(size > 0 ? size : start.limit, MAX_PAGE_SIZE) };
}

/** The token of the page that begins after a row. */
export function pageToken(collection: string, page: Page): string {
  const position = Buffer.alloc(10);
  position.writeBigUInt64BE(BigInt(page.after));
  position.writeUInt16BE(page.limit, 8);
  return Buffer.concat([position, checkSum(collection, position)]).toString('base64url');
}

function readToken(token: string, collection: string): Page {
  const bytes = Buffer.from(TOKEN.test(token) ? token : '', 'base64url');
  const position = bytes.subarray(0, 10);
  const after = bytes.length === 0 ? Number.NaN : Number(position.readBigUInt64BE());
  // A token can be made up, and no storage counts as far.
  if (!Number.isSafeInteger(after) || !checkSum(collection, position).equals(bytes.subarray(10))) {
    throw new ApiError('InvalidArgument', 'page_token is invalid, or belongs to another list: start without one');
  }
  return { after, limit: position.readUInt16BE(8) };
}

/** What makes a token good for one list only. */
export function checkSum(collection: string, position: Buffer): Buffer {
  return createHash('sha256').update(`page of ${collection}\n`).update(position).digest().subarray(0, 14);
}

export interface ListRequest<K extends Kind> {
  readonly kind: K;
  /** The name that the collection stands below; empty at the root. */
  readonly parent: string;
  /** What a page token is good for, when it is not the collection of the store itself. */
  readonly collection?: string;
  readonly query: PageQuery;
  readonly defaultSize?: number | undefined;
  /** What the caller may not see takes no room in a page. */
  readonly isVisible?: (resource: Resources[K]) => boolean;
  /** In which rows are looked at, of which few may be visible; all in one when not given. */
  readonly turns?: Turns | undefined;
}

export interface ListAnswer<R> {
  readonly items: R[];
  readonly next_page_token: string;
}

/** One page, in order of creation (CFG-5, CFG-6). */
export async function listPage<K extends Kind>(
  store: ConfigStore,
  { kind, parent, collection = `${parent}/${kind}`, query, defaultSize, isVisible = () => true, turns }: ListRequest<K>,
): Promise<ListAnswer<Resources[K]>> {
  const page = readPage(query, collection, defaultSize);
  // One row more than the page holds tells whether there is another page.
  const rows = await visibleRows({ page: { ...page, limit: page.limit + 1 }, isVisible, turns }, (next) =>
    store.list(kind, parent, next),
  );
  const shown = withinLength(rows.slice(0, page.limit), ({ text }) => text.length);
  const last = shown.at(-1);
  const isLast = rows.length === shown.length || last === undefined;
  return {
    items: shown.map((row) => row.resource),
    next_page_token: isLast ? '' : pageToken(collection, { after: last.sequence, limit: page.limit }),
  };
}

/** The first rows that a page has room for: one at least. */
export function withinLength<Row>(rows: readonly Row[], lengthOf: (row: Row) => number): readonly Row[] {
  let length = 0;
  const end = rows.findIndex((row, index) => (length += lengthOf(row)) > PAGE_LENGTH && index > 0);
  return end < 0 ? rows : rows.slice(0, end);
}

/** Rows that may be long, a part after the other: so many, but no more than it takes to know where a page ends. */
export async function readLong<Row>(
  limit: number,
  read: (last: Row | undefined, limit: number) => Promise<readonly Row[]>,
  lengthOf: (row: Row) => number,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let length = 0; rows.length < limit && length <= PAGE_LENGTH;) {
    const wanted = Math.min(LONG_ROWS, limit - rows.length);
    const some = await read(rows.at(-1), wanted);
    rows.push(...some);
    if (some.length < wanted) break;
    length += some.reduce((sum, row) => sum + lengthOf(row), 0);
  }
  return rows;
}

interface Wanted<R> extends Pick<ListRequest<Kind>, 'turns'> {
  readonly page: Page;
  readonly isVisible: (resource: R) => boolean;
}

/** Rows that are read at once where those that were read first do not fill the page. */
const ROWS_AT_ONCE = 1_000;
/** What it takes to look at a row. */
export const ROW_STEPS = 200;

async function visibleRows<R>(
  { page, isVisible, turns }: Wanted<R>,
  read: (page: Page) => Promise<readonly Entry<R>[]>,
): Promise<Entry<R>[]> {
  const found: Entry<R>[] = [];
  let { after, limit } = page;
  for (;;) {
    const wait = turns?.room();
    if (wait !== undefined) await wait;
    const rows = await read({ after, limit });
    turns?.spent(ROW_STEPS * rows.length);
    found.push(...rows.filter((row) => isVisible(row.resource)));
    after = rows.at(-1)?.sequence ?? after;
    if (found.length >= page.limit || rows.length < limit) return found.slice(0, page.limit);
    limit = Math.max(limit, ROWS_AT_ONCE);
  }
}

import type { DeliveryPage } from '@waybill/client/config';

/** A page of a list whose pages lead from one to the next: where it begins, and how many rows it had when it was read last. */
export interface KnownPage {
  readonly token: string;
  /** Undefined until it is read. */
  readonly count: number | undefined;
}

export const FIRST_PAGE: readonly KnownPage[] = [{ token: '', count: undefined }];

/** Each page is larger than the one before: who scrolls far asks seldom. The router gives no more at once than the last. */
const SIZES = [50, 200, 1_000] as const;

export function sizeOfPage(index: number): number {
  return SIZES[index] ?? 1_000;
}

/** What is known once a page was read. Where another page follows than before, those behind it begin elsewhere. */
export function afterReading(
  pages: readonly KnownPage[],
  index: number,
  { deliveries, next_page_token: next }: DeliveryPage,
): readonly KnownPage[] {
  const page = pages[index];
  if (page === undefined) return pages;
  const [count, following] = [deliveries.length, pages[index + 1]];
  const leadsOn = next === (following?.token ?? '');
  if (leadsOn && page.count === count) return pages;
  const behind = leadsOn ? pages.slice(index + 1) : next === '' ? [] : [{ token: next, count: undefined }];
  return [...pages.slice(0, index), { ...page, count }, ...behind];
}

/** Rows that are shown or left out together. */
export interface Block {
  readonly page: number;
  /** Its first row, in its page and in the whole list. */
  readonly from: number;
  readonly first: number;
  /** How many; undefined where its page is still to be read. */
  readonly count: number | undefined;
}

const ROWS = 50;

export function blocksOf(pages: readonly KnownPage[]): readonly Block[] {
  const blocks: Block[] = [];
  let first = 0;
  for (const [page, { count }] of pages.entries()) {
    if (count === undefined) blocks.push({ page, from: 0, first, count });
    for (let from = 0; from < (count ?? 0); from += ROWS)
      blocks.push({ page, from, first: first + from, count: Math.min(ROWS, (count ?? 0) - from) });
    first += count ?? 0;
  }
  return blocks;
}

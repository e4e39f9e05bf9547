import { createBounded } from './bounded.ts';

/** The last items of each of many owners. */
export interface LastItems<Item> {
  add(owner: string, items: readonly Item[]): void;
  /** Newest first. */
  of(owner: string): Item[];
  remove(isOf: (owner: string) => boolean, isGone: (item: Item) => boolean): void;
}

interface Limits<Item> {
  /** Items of one owner. */
  readonly items: number;
  /** Of all owners together; beyond, those to whom nothing was added for longest lose theirs. */
  readonly bytes: number;
  /** The texts of an item that it shares with no other. */
  readonly textsOf: (item: Item) => readonly (string | undefined)[];
}

/** An object with its fields, and the header of a text; rather too much than too little. */
export const ITEM_BYTES = 200;
const TEXT_BYTES = 24;

export function createLastItems<Item>({ items: most, bytes, textsOf }: Limits<Item>): LastItems<Item> {
  const byOwner = createBounded<readonly Item[]>(bytes);
  const put = (owner: string, last: readonly Item[]): void => {
    let size = 0;
    for (const item of last) size += ITEM_BYTES + bytesOfTexts(textsOf(item));
    byOwner.put(owner, last, size);
  };
  return {
    add: (owner, items) => put(owner, [...(byOwner.get(owner) ?? []), ...items.slice(-most)].slice(-most)),
    of: (owner) => (byOwner.get(owner) ?? []).toReversed(),
    remove(isOf, isGone) {
      for (const owner of byOwner.keys().filter(isOf)) {
        const items = byOwner.get(owner) ?? [];
        const left = items.filter((item) => !isGone(item));
        if (left.length < items.length) put(owner, left);
      }
    },
  };
}

/** What texts take at most: two bytes for each unit. */
export function bytesOfTexts(texts: readonly (string | undefined)[]): number {
  let bytes = 0;
  for (const text of texts) if (text !== undefined) bytes += TEXT_BYTES + text.length * 2;
  return bytes;
}

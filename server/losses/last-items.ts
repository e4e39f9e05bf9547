import { createBounded } from './bounded.ts';

/** The last items of each of many owners. */
export interface LastItems<Item> {
  add(owner: string, items: readonly Item[]): void;
  /** Newest first. */
  of(owner: string): Item[];
  /** Of one owner with each step, so that whoever takes them may let others go on. */
  remove(isOf: (owner: string) => boolean, isGone: (item: Item) => boolean): Iterable<void>;
  /** All of these owners. */
  forget(isOf: (owner: string) => boolean): void;
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
  const byOwner = createBounded<Kept<Item>>(bytes);
  const kept = (items: readonly Item[]): Kept<Item> => grown({ items: [], bytes: 0 }, items);
  const grown = (before: Kept<Item>, items: readonly Item[]): Kept<Item> => {
    before.items.push(...items);
    for (const item of items) before.bytes += ITEM_BYTES + bytesOfTexts(textsOf(item));
    return before;
  };
  return {
    add(owner, items) {
      const all = grown(byOwner.get(owner) ?? kept([]), items.slice(-most));
      // Of a list that is twice as long: with each event it would cost more than to store that.
      const last = all.items.length >= 2 * most ? kept(all.items.slice(-most)) : all;
      byOwner.put(owner, last, last.bytes);
    },
    of: (owner) => byOwner.get(owner)?.items.slice(-most).toReversed() ?? [],
    forget: (isOf) => byOwner.remove(isOf),
    *remove(isOf, isGone) {
      for (const owner of byOwner.keys().filter(isOf)) {
        const items = byOwner.get(owner)?.items ?? [];
        const left = kept(items.filter((item) => !isGone(item)));
        if (left.items.length < items.length) byOwner.put(owner, left, left.bytes);
        yield;
      }
    },
  };
}

/** It grows in place: every event passes here. */
interface Kept<Item> {
  readonly items: Item[];
  bytes: number;
}

/** What texts take at most: two bytes for each unit. */
export function bytesOfTexts(texts: readonly (string | undefined)[]): number {
  let bytes = 0;
  for (const text of texts) if (text !== undefined) bytes += TEXT_BYTES + text.length * 2;
  return bytes;
}

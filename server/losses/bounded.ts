/** Values by key that take no more than so many bytes together. */
export interface Bounded<Value> {
  get(key: string): Value | undefined;
  /** `bytes` is what the value takes now. Where it is too much, what was put longest ago gives way; never this one. */
  put(key: string, value: Value, bytes: number): void;
  keys(): string[];
  remove(isGone: (key: string) => boolean): void;
}

/** Where it is too much, so much of it is given up that what follows has room for a while. */
const LEFT = 15 / 16;

export function createBounded<Value>(most: number): Bounded<Value> {
  const entries = new Map<string, Entry<Value>>();
  let total = 0;
  let puts = 0;
  const remove = (key: string): void => {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  const makeRoom = (latest: string): void => {
    const others = [...entries].filter(([key]) => key !== latest).toSorted(([, one], [, other]) => one.at - other.at);
    for (const [key] of others) {
      if (total <= most * LEFT) return;
      remove(key);
    }
  };
  return {
    get: (key) => entries.get(key)?.value,
    keys: () => [...entries.keys()],
    remove: (isGone) => [...entries.keys()].filter(isGone).forEach(remove),
    put(key, value, bytes) {
      total += bytes - (entries.get(key)?.bytes ?? 0);
      // In its place: to remove what is put with each event would keep all of it in memory for long (under-way.ts).
      entries.set(key, { value, bytes, at: (puts += 1) });
      if (total > most) makeRoom(key);
    },
  };
}

interface Entry<Value> {
  readonly value: Value;
  readonly bytes: number;
  /** The greater, the later it was put. */
  readonly at: number;
}

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

/** What an object with its fields takes, and the header of a text; rather too much than too little. */
export const ITEM_BYTES = 200;
const TEXT_BYTES = 24;

/** What texts take at most: two bytes for each unit. */
export function bytesOfTexts(texts: readonly (string | undefined)[]): number {
  let bytes = 0;
  for (const text of texts) if (text !== undefined) bytes += TEXT_BYTES + text.length * 2;
  return bytes;
}

/**
 * The beginning of a text, as a text of its own: what `slice` gives keeps the whole that it was cut from in memory for as
 * long as it lives. Whatever is kept of what senders wrote passes here.
 */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le');
}

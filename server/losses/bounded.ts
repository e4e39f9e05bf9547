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

/**
 * The beginning of a text, as a text of its own: what `slice` gives keeps the whole that it was cut from in memory for as
 * long as it lives. Whatever is kept of what senders wrote passes here.
 */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le');
}

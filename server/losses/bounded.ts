/** Values by key that take no more than so many bytes together. */
export interface Bounded<Value> {
  get(key: string): Value | undefined;
  /** `bytes` is what the value takes now. Where it is too much, what was put longest ago gives way; never this one. */
  put(key: string, value: Value, bytes: number): void;
  keys(): string[];
}

export function createBounded<Value>(most: number): Bounded<Value> {
  // In the order of their last `put`.
  const entries = new Map<string, { readonly value: Value; readonly bytes: number }>();
  let total = 0;
  const remove = (key: string): void => {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  return {
    get: (key) => entries.get(key)?.value,
    keys: () => [...entries.keys()],
    put(key, value, bytes) {
      remove(key);
      entries.set(key, { value, bytes });
      total += bytes;
      for (const oldest of entries.keys()) {
        if (total <= most || oldest === key) return;
        remove(oldest);
      }
    },
  };
}

/**
 * The beginning of a text, as a text of its own: what `slice` gives keeps the whole that it was cut from in memory for as
 * long as it lives. Whatever is kept of what senders wrote passes here.
 */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le');
}

/** Caches what `make` makes of a key. A key beyond the maximum empties the cache. */
export function memoized<Key, Value>(make: (key: Key) => Value, maximum = 1_000): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= maximum) known.clear();
    const made = make(key);
    known.set(key, made);
    return made;
  };
}

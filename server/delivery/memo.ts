/** Caches what `make` makes of a text. A text beyond the maximum empties the cache. */
export function memoized<Value>(make: (text: string) => Value, maximum = 1_000): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= maximum) known.clear();
    const made = make(text);
    known.set(text, made);
    return made;
  };
}

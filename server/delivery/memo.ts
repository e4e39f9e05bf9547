/** Remembers what `make` made of a text, for so many texts; a further one begins anew. */
export function memoised<Value>(make: (text: string) => Value, most = 1_000): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= most) known.clear();
    const made = make(text);
    known.set(text, made);
    return made;
  };
}

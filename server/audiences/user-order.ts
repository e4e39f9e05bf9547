/** Order of user ids by their UTF-8, in which storages page through them. JavaScript's own differs where there are surrogates. */
export function compareUsers(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index += 1) {
    const [a, b] = [one.charCodeAt(index), other.charCodeAt(index)];
    if (a !== b) return rankOf(a) - rankOf(b);
  }
  return one.length - other.length;
}

/** A unit of a pair stands for a character behind all that need only one. */
function rankOf(unit: number): number {
  const isOfPair = unit >= 0xd800 && unit <= 0xdfff;
  return isOfPair ? unit + 0x10000 : unit;
}

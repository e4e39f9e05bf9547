/** No name of ours is as long; comparing takes as many steps as both are long (SAFE-2). */
const LONGEST = 100;

/** The known text that `seen` is most likely a slip of the pen for, if any is near. */
export function nearest(seen: string, known: readonly string[]): string | undefined {
  if (seen.length > LONGEST) return undefined;
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(seen.toLowerCase(), candidate.toLowerCase()) }))
    .toSorted((one, other) => one.distance - other.distance);
  const [best] = ranked;
  if (best === undefined) return undefined;
  // Two slips are one swap of neighbors; in a short word they would be another word.
  return best.distance <= (best.candidate.length < 4 ? 1 : 2) ? best.candidate : undefined;
}

/** Levenshtein, one row at a time. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [index, letter] of one.split('').entries()) {
    const next = [index + 1];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (other[column - 1] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** One place of a pattern: any run of characters, or one character of some kind. */
type Part = 'any run' | ((character: string) => boolean);

/**
 * Whether a pattern describes the whole text: `*` any run, `?` any one character, `[abc]` and `[a-z]` one of them,
 * `\x` the character x. Case counts. Takes at most the product of both lengths, whatever the pattern.
 */
export function matchesGlob(text: string, pattern: string): boolean {
  const characters = Array.from(text);
  const parts = partsOf(Array.from(pattern));
  let [at, place] = [0, 0];
  // Where to go on when the last run turns out to have been too short.
  let retry: { at: number; place: number } | undefined;
  while (at < characters.length) {
    const part = parts[place];
    if (part === 'any run') {
      place += 1;
      retry = { at, place };
    } else if (part?.(characters[at] ?? '') === true) {
      at += 1;
      place += 1;
    } else if (retry !== undefined) {
      retry = { at: retry.at + 1, place: retry.place };
      ({ at, place } = retry);
    } else return false;
  }
  return parts.slice(place).every((part) => part === 'any run');
}

function partsOf(pattern: readonly string[]): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? '';
    const end = character === '[' ? pattern.indexOf(']', at + 2) : -1;
    if (character === '*') parts.push('any run');
    else if (character === '?') parts.push(() => true);
    else if (end > 0) {
      parts.push(oneOf(pattern.slice(at + 1, end)));
      at = end;
    } else {
      if (character === '\\' && at + 1 < pattern.length) at += 1;
      const wanted = pattern[at];
      parts.push((other) => other === wanted);
    }
  }
  return parts;
}

function oneOf(members: readonly string[]): (character: string) => boolean {
  const ranges: [from: string, to: string][] = [];
  for (let at = 0; at < members.length; at += 1) {
    const from = members[at] ?? '';
    const to = members[at + 1] === '-' ? members[at + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  return (character) => ranges.some(([from, to]) => character >= from && character <= to);
}

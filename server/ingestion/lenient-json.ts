import { withExactIds } from './exact-ids.ts';

/**
 * Parses JSON as real senders write it: a byte order mark is skipped, and the bare tokens `NaN`, `Infinity` and
 * `-Infinity`, which Python writes, are read as null (D-41). Ids keep all their digits. Throws a SyntaxError for all else
 * that is not JSON.
 */
export function parseLenientJson(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    const repaired = withoutBareTokens(text.startsWith('\uFEFF') ? text.slice(1) : text);
    if (repaired === text) throw error;
    return parse(repaired);
  }
}

function parse(text: string): unknown {
  return withExactIds(JSON.parse(text), text);
}

/**
 * Writes null for the bare tokens outside of strings. No text becomes JSON by this that should not: wherever such a
 * token may not stand, null may not stand either.
 */
function withoutBareTokens(text: string): string {
  let repaired = '';
  let copied = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') at = closingQuote(text, at);
    const length = bareTokenAt(text, at);
    if (length === 0) continue;
    repaired += `${text.slice(copied, at)}null`;
    copied = at + length;
    at = copied - 1;
  }
  return repaired + text.slice(copied);
}

/** The length of the bare token that begins at `at`, 0 when there is none. */
function bareTokenAt(text: string, at: number): number {
  const char = text[at];
  if (char === 'N') return text.startsWith('NaN', at) ? 3 : 0;
  if (char === 'I') return text.startsWith('Infinity', at) ? 8 : 0;
  return char === '-' && text.startsWith('-Infinity', at) ? 9 : 0;
}

/** The index of the quote that closes the string which opens at `start`; the end of a text where none does. */
function closingQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

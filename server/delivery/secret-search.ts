import { lowerCase, type Pattern, type Spellings } from './spellings.ts';

/** So much of a secret at the end of a text that was cut is taken for its beginning. */
export const SHORTEST = 4;

/** So many comparisons one text is worth: thousands in practice. A text that asks for more is replaced in whole. */
const MAX_STEPS = 30_000;

/** Characters of the longest spelling of one character: `\u00e9` twice, for what is beyond 16 bits. */
const MAX_SPELLING = 12;

/** Where base64 goes on in another line, also as JSON and program text write it. */
const LINE_BREAK = /\r?\n|(?:\\r)?\\n/y;

/** From the first character to behind the last. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Replaces whatever matches one of the patterns, or begins to where the text ends. */
export function createSearch(patterns: readonly Pattern[], replacement: string): (text: string) => string {
  const byFirst = index(patterns);
  return (text) => {
    const spans = new Searched(text).spansOf(byFirst);
    return spans === undefined ? replacement : replaced(text, spans, replacement);
  };
}

/** The patterns by what they may begin with, in lower case: nearly every place of a text is no beginning. */
function index(patterns: readonly Pattern[]): ReadonlyMap<string, readonly Pattern[]> {
  const byFirst = new Map<string, Pattern[]>();
  for (const pattern of patterns) {
    const [begin] = pattern.text;
    if (begin === undefined) continue;
    for (const first of pattern.spell(begin).begins) {
      const others = byFirst.get(first);
      if (others === undefined) byFirst.set(first, [pattern]);
      else others.push(pattern);
    }
  }
  return byFirst;
}

/** A text while it is searched. */
class Searched {
  readonly #text: string;
  /** Places mean the same in both. */
  readonly #lower: string;
  #steps = 0;

  constructor(text: string) {
    this.#text = text;
    this.#lower = lowerCase(text);
  }

  /** Undefined when the search was given up. */
  spansOf(byFirst: ReadonlyMap<string, readonly Pattern[]>): Span[] | undefined {
    const spans: Span[] = [];
    for (let start = 0; start < this.#text.length; start += 1) {
      for (const pattern of byFirst.get(this.#lower.charAt(start)) ?? []) {
        const end = this.#endOf(pattern, start);
        if (end !== undefined) spans.push(pattern.inRun ? wholeRun(this.#text, { start, end }) : { start, end });
        if (this.#steps > MAX_STEPS) return undefined;
      }
    }
    return spans;
  }

  /**
   * Where the pattern that begins here ends; undefined when it does not stand here. Spellings of a character may begin alike
   * (a back slash, and its escape), so all places are followed at once.
   */
  #endOf({ text, spell, inRun }: Pattern, start: number): number | undefined {
    let [places, count] = [[start], 0];
    for (const character of text) {
      const unit = spell(character);
      if (count >= SHORTEST && places.some((place) => this.#isCutAt(place, unit))) return this.#text.length;
      const next = places.flatMap((place) => this.#behind(place, unit));
      if (next.length === 0) return undefined;
      places = next.length === 1 ? next : [...new Set(next)];
      if (inRun) places = places.map((place) => this.#behindBreak(place));
      this.#steps += places.length;
      count += 1;
    }
    return Math.max(...places);
  }

  #behindBreak(place: number): number {
    LINE_BREAK.lastIndex = place;
    return LINE_BREAK.test(this.#text) ? LINE_BREAK.lastIndex : place;
  }

  #behind(place: number, { exact, anyCase }: Spellings): number[] {
    const ends: number[] = [];
    for (const spelling of exact) if (this.#text.startsWith(spelling, place)) ends.push(place + spelling.length);
    for (const spelling of anyCase) if (this.#lower.startsWith(spelling, place)) ends.push(place + spelling.length);
    return ends;
  }

  /** Whether the text ends before the next character, or within it. A character cut in two is read as U+FFFD. */
  #isCutAt(place: number, { exact, anyCase }: Spellings): boolean {
    if (this.#text.length - place > MAX_SPELLING) return false;
    const rest = this.#lower.slice(place).replace(/\ufffd$/, '');
    return [...exact, ...anyCase].some((spelling) => spelling.startsWith(rest));
  }
}

/** The whole run of base64 around a span: the characters at its ends hold bits of what was found, too. */
function wholeRun(text: string, { start, end }: Span): Span {
  const inRun = /[A-Za-z0-9+/_-]/;
  let [first, last] = [start, end];
  while (inRun.test(text.charAt(first - 1))) first -= 1;
  while (inRun.test(text.charAt(last))) last += 1;
  const [padding = ''] = /^(?:=|%3d){0,2}(?:%3?$)?/i.exec(text.slice(last, last + 6)) ?? [];
  return { start: first, end: last + padding.length };
}

function replaced(text: string, spans: readonly Span[], replacement: string): string {
  let [shown, at] = ['', 0];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (end <= at) continue;
    // What overlaps the one before, or follows at once, is one replacement.
    if (start > at || at === 0) shown += text.slice(at, start) + replacement;
    at = end;
  }
  return shown + text.slice(at);
}

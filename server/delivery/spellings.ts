/** A text to be found, character by character, each in any of its spellings. They are not kept: every destination has patterns. */
export interface Pattern {
  readonly text: string;
  readonly spell: (character: string) => Spellings;
  /** What stands around a match may belong to it, as base64 goes on before and behind. */
  readonly inRun: boolean;
}

/** How one character may be written. */
export interface Spellings {
  readonly exact: readonly string[];
  /** In lower case; the text may have either. */
  readonly anyCase: readonly string[];
  /** What they begin with, in lower case. */
  readonly begins: readonly string[];
}

/** Longer than any text that is searched: what is behind could not stand in it. */
const LONGEST = 1_100;

const HTML: ReadonlyMap<string, readonly string[]> = new Map([
  ['&', ['&amp;']],
  ['<', ['&lt;']],
  ['>', ['&gt;']],
  ['"', ['&quot;']],
  ["'", ['&apos;']],
]);

/**
 * All the ways in which a text may come back: as it is, escaped (URL, form, JSON, HTML, program text), in hex, and in
 * base64 or base64url, alone or within a longer text, with padding or without. `latin1` is how HTTP sends a header.
 */
export function patternsOf(text: string): Pattern[] {
  const wellFormed = text.toWellFormed();
  const utf8 = Buffer.from(wellFormed, 'utf8');
  const latin1 = Buffer.from(wellFormed, 'latin1');
  const bytes = utf8.equals(latin1) ? [utf8] : [utf8, latin1];
  const encoded = bytes.flatMap((form) => [
    { text: form.toString('hex').slice(0, LONGEST), spell: inEitherCase, inRun: false },
    ...[0, 1, 2].map((offset) => ({
      text: base64Within(form, offset).slice(0, LONGEST),
      spell: inBase64,
      inRun: true,
    })),
  ]);
  return [{ text: wellFormed.slice(0, LONGEST), spell: spellingsOf, inRun: false }, ...encoded];
}

/**
 * What base64 makes of the bytes when so many others, modulo three, stand before them: the characters that depend on
 * these bytes alone. So it is found whatever stands before and behind.
 */
function base64Within(bytes: Buffer, offset: number): string {
  const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
  const text = shifted.toString('base64').replaceAll('=', '');
  return text.slice(offset === 0 ? 0 : offset + 1, shifted.length % 3 === 0 ? undefined : -1);
}

/** Spellings of a character that depend on nothing else. Those of Latin-1, which headers are of, are the same objects for all. */
function shared(make: (character: string) => Spellings): (character: string) => Spellings {
  const latin1 = Array.from({ length: 256 }, (_, code) => make(String.fromCharCode(code)));
  return (character) => latin1[character.codePointAt(0) ?? -1] ?? make(character);
}

const spellingsOf = shared(spell);
const inBase64 = shared(spellInBase64);
const inEitherCase = shared((digit) => spellings([], [digit]));

function spellings(exact: readonly string[], anyCase: readonly string[]): Spellings {
  const begins = new Set([...exact, ...anyCase].map((spelling) => lowerCase(spelling.charAt(0))));
  return { exact, anyCase, begins: [...begins] };
}

/** Of other letters the case may change their number. */
export function lowerCase(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function spell(character: string): Spellings {
  const utf8 = Buffer.from(character, 'utf8');
  const isAscii = utf8.length === 1;
  // A header leaves as Latin-1: read as UTF-8 it comes back as U+FFFD, and UTF-8 read as Latin-1 as two characters.
  const misread = isAscii ? [] : ['\ufffd', utf8.toString('latin1')];
  const escaped = /["'\\/]/.test(character) ? [`\\${character}`] : [];
  const html = HTML.get(character) ?? [];
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  // Paths and ids come back in lower case or in upper.
  const inEveryCase = new Set([character, character.toLowerCase(), character.toUpperCase()]);
  // Beyond Latin-1 as C writes it.
  const short = hex.padStart(2, '0');
  // Of what else is escaped nothing but special characters: in a URL within a URL, and as PHP writes an apostrophe.
  const special = /[A-Za-z0-9]/.test(character)
    ? []
    : [percent(utf8).replaceAll('%', '%25'), `&#${String(code).padStart(3, '0')};`];
  return spellings(
    [...inEveryCase, ...(character === ' ' ? ['+'] : []), ...escaped, ...html, ...misread],
    [percent(utf8), `\\x${short}`, `%${short}`, inUtf16(character), `&#${code};`, `&#x${hex};`, ...special],
  );
}

/** Two characters of base64 differ in base64url, and the same two, and the padding, are escaped where it stands in a URL. */
function spellInBase64(character: string): Spellings {
  const twin = { '+': '-', '/': '_' }[character];
  if (twin === undefined) return spellings([character], []);
  const { exact, anyCase } = spell(character);
  return spellings([...exact, twin, ...(character === '+' ? [' '] : [])], anyCase);
}

function percent(bytes: Buffer): string {
  return bytes.toString('hex').replaceAll(/../g, '%$&');
}

function inUtf16(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => String.raw`\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}

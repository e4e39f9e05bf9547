import { FqlFault } from './syntax-fault.ts';

const SYMBOLS = ['!=', '>=', '<=', '=', '>', '<', '!', '(', ')', '[', ']', ','] as const;

export type SymbolText = (typeof SYMBOLS)[number];

/** A piece of a condition, with the column of its first character. */
export type Token =
  | { readonly kind: 'symbol'; readonly text: SymbolText; readonly column: number }
  | { readonly kind: 'string'; readonly value: string; readonly column: number }
  | { readonly kind: 'number'; readonly value: number; readonly column: number }
  /** A path, a keyword or the name of a function: which of them, the grammar says. */
  | { readonly kind: 'path'; readonly steps: readonly string[]; readonly plain: string; readonly column: number }
  | { readonly kind: 'end'; readonly column: number };

/**
 * What stands at a place of a text: sticky, so that it is there or nowhere; and a backslash takes a whole character with
 * it. Made for each text, since they remember a place.
 */
const lexemes = (): Lexemes => ({
  space: /\s*/uy,
  number: /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![A-Za-z0-9_.\\-])/uy,
  /** Steps of letters, digits, `_` and `-`, or of any character behind a backslash, joined by dots. */
  path: /(?:[A-Za-z0-9_-]|\\[^])+(?:\.(?:[A-Za-z0-9_-]|\\[^])+)*/uy,
  string: /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'/uy,
});

type Lexemes = Readonly<Record<'space' | 'number' | 'path' | 'string', RegExp>>;

/** Cuts a condition into tokens; the last one is its end. Throws an FqlFault. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const known = lexemes();
  const skip = (from: number): number => from + (match(known.space, text, from)?.length ?? 0);
  let at = skip(0);
  while (at < text.length) {
    const { token, length } = next(text, at, known);
    tokens.push(token);
    at = skip(at + length);
  }
  return [...tokens, { kind: 'end', column: text.length + 1 }];
}

function next(text: string, at: number, known: Lexemes): { token: Token; length: number } {
  const column = at + 1;
  const symbol = SYMBOLS.find((one) => text.startsWith(one, at));
  if (symbol !== undefined) return { token: { kind: 'symbol', text: symbol, column }, length: symbol.length };
  const number = match(known.number, text, at);
  if (number !== undefined) return { token: { kind: 'number', value: Number(number), column }, length: number.length };
  const quoted = match(known.string, text, at);
  if (quoted !== undefined) {
    return { token: { kind: 'string', value: unescape(quoted.slice(1, -1)), column }, length: quoted.length };
  }
  const path = match(known.path, text, at);
  if (path === undefined) throw unreadable(text, at);
  const steps = splitPath(path).map(unescape);
  return { token: { kind: 'path', steps, plain: path, column }, length: path.length };
}

/** The steps of a path, still escaped: a dot behind a backslash is part of its step. */
export function splitPath(path: string): string[] {
  return path.match(/(?:[^.\\]|\\[^])+/gu) ?? [];
}

export function unescape(text: string): string {
  return text.replaceAll(/\\([^])/gu, '$1');
}

function unreadable(text: string, at: number): FqlFault {
  const seen = text[at] ?? '';
  if (seen === '"' || seen === "'") return new FqlFault(at + 1, `the text that begins here has no closing ${seen}`);
  const wayOut = /[\x21-\x7e]/.test(seen) ? '; in a name it needs a backslash before it' : '';
  return new FqlFault(at + 1, `${JSON.stringify(seen)} is not expected${wayOut}`);
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

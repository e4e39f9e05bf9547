import { isObject } from '../model/json-values.ts';

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

const IDS: ReadonlySet<string> = new Set(['userId', 'anonymousId', 'groupId', 'previousId', 'messageId']);

/** A text of JSON, and the whole number of 16 digits or more of which it is the name, if it is. */
const NAMED = /("(?:[^"\\]|\\[^])*")(\s*:\s*)?(-?\d{16,}(?![\d.eE]))?/g;

/**
 * Makes text of the ids that are whole numbers beyond 2^53: as numbers they are rounded when parsed, and two users would
 * become one. `body` is what `text` was parsed to; only when it holds such an id is the text read a second time, with
 * quotes around them: a reviver that sees how each number is written takes some fifty times as long (SAFE-2).
 */
function withExactIds(body: unknown, text: string): unknown {
  const calls = callsIn(body);
  if (!calls.some(hasRoundedId)) return body;
  const exact = callsIn(JSON.parse(text.replaceAll(NAMED, quoteId)));
  for (const [index, call] of calls.entries()) copyIds(call, exact[index]);
  return body;
}

function quoteId(all: string, name: string, colon: string | undefined, digits: string | undefined): string {
  const isId = colon !== undefined && digits !== undefined && IDS.has(String(JSON.parse(name)));
  return isId ? `${name}${colon}"${digits}"` : all;
}

/** A batch holds calls; any other body is one. */
function callsIn(body: unknown): readonly unknown[] {
  if (!isObject(body)) return [];
  return Array.isArray(body['batch']) ? body['batch'] : [body];
}

function hasRoundedId(call: unknown): boolean {
  if (!isObject(call)) return false;
  for (const id of IDS) if (isRounded(call[id])) return true;
  return false;
}

function isRounded(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** What was written as a whole number is a text by now; with an exponent it stays a number. */
function copyIds(target: unknown, exact: unknown): void {
  if (!isObject(target) || !isObject(exact)) return;
  for (const id of IDS) if (isRounded(target[id])) target[id] = exact[id];
}

import { isObject } from '../events/json-values.ts';

const IDS: ReadonlySet<string> = new Set(['userId', 'anonymousId', 'groupId', 'previousId', 'messageId']);

/** A text of JSON, and the whole number of 16 digits or more of which it is the name, if it is. */
const NAMED = /("(?:[^"\\]|\\[^])*")(\s*:\s*)?(-?\d{16,}(?![\d.eE]))?/g;

/**
 * Makes text of the ids that are whole numbers beyond 2^53: as numbers they are rounded when parsed, and two users would
 * become one. `body` is what `text` was parsed to; only when it holds such an id is the text read a second time, with
 * quotes around them: a reviver that sees how each number is written takes some fifty times as long (SAFE-2).
 */
export function withExactIds(body: unknown, text: string): unknown {
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

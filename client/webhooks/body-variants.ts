import { decodedWrongly, encodedWrongly } from './charsets.ts';
import { distinct, textVariant } from './variant.ts';
import type { Variant } from './variant.ts';

const MARK = '\ufeff';

/** The body, and what it would have been before or after a classic mistake. The likeliest mistakes come first. */
export function bodyVariants(body: Uint8Array<ArrayBuffer>): readonly Variant[] {
  const text = utf8(body);
  const empty = { mistake: 'body-empty', bytes: new Uint8Array() } as const;
  if (text === undefined) return distinct([{ bytes: body }, ...decodedWrongly(body), empty]);
  return distinct([
    { bytes: body },
    ...[`${text}\n`, `${text}\r\n`, text.replace(/\r?\n$/, '')].map((t) => textVariant('body-trailing-newline', t)),
    ...rewritten(text),
    ...encodedWrongly(text),
    ...decodedWrongly(body),
    textVariant('body-trimmed', text.trim()),
    textVariant('body-line-endings', text.replaceAll(/\r?\n/g, '\r\n')),
    textVariant('body-line-endings', text.replaceAll('\r\n', '\n')),
    textVariant('body-byte-order-mark', MARK + text),
    textVariant('body-byte-order-mark', text.replace(/^\ufeff/, '')),
    empty,
    textVariant('body-quoted', JSON.stringify(text)),
  ]);
}

/** What JSON libraries make of it when they write it again: compact, indented, spaced, escaped, sorted, doubly quoted. */
function rewritten(text: string): readonly Variant[] {
  const value = parsed(text);
  if (value === undefined) return [];
  const compact = JSON.stringify(value.json);
  const spaced = spacedJson(value.json);
  return [
    textVariant('body-reserialized', compact),
    ...[2, 4, '\t'].map((indent) => textVariant('body-reserialized', JSON.stringify(value.json, null, indent))),
    textVariant('body-reserialized', spaced),
    textVariant('body-escaped', asciiOnly(compact)),
    textVariant('body-escaped', asciiOnly(spaced)),
    textVariant('body-escaped', compact.replaceAll('/', '\\/')),
    textVariant('body-escaped', asciiOnly(compact).replaceAll('/', '\\/')),
    textVariant('body-escaped', htmlSafe(compact)),
    textVariant('body-keys-sorted', JSON.stringify(sorted(value.json))),
    ...(typeof value.json === 'string' ? [textVariant('body-quoted', value.json)] : []),
  ];
}

function spacedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, each]) => `${JSON.stringify(key)}: ${spacedJson(each)}`)
    .join(', ')}}`;
}

function asciiOnly(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** As Go and some template engines write it. */
function htmlSafe(text: string): string {
  return text.replaceAll(/[<>&]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parsed(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text.replace(/^\ufeff/, '')) as unknown };
  } catch {
    return undefined;
  }
}

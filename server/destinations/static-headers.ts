import { SettingFault } from './setting-fault.ts';

/**
 * Names that Waybill or the connection itself speaks for (D-29), and those that HTTP/1.1 keeps for the connection. The last is
 * no name of a field in JavaScript, but the prototype of an object.
 */
const RESERVED = new Set([
  'host',
  'content-length',
  'content-type',
  'transfer-encoding',
  'connection',
  'user-agent',
  'x-signature',
  'x-signature-next',
  'traceparent',
  'tracestate',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  '__proto__',
]);

/** The headers of Standard Webhooks. */
const RESERVED_PREFIX = 'webhook-';

/** A token of RFC 9110. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Printable characters of Latin-1: what a header can carry without control characters. */
const VALUE = /^[\u0020-\u007e\u00a0-\u00ff]*$/;

/**
 * Reads static headers in either of the forms that clients send: `[{key, value}]`, or a map of name to value. A fault
 * names the header, and never shows a value. What is reserved is left out: it may have been stored before it was.
 */
export function readStaticHeaders(value: unknown, place: string): Readonly<Record<string, string>> {
  const headers = new Map<string, [name: string, value: string]>();
  for (const { name, text, where } of pairsOf(value, place)) {
    const lower = checkedName(name, where.name).toLowerCase();
    if (isReserved(name)) continue;
    if (headers.has(lower)) throw new SettingFault(where.name, `names the header ${name} a second time`);
    headers.set(lower, [name, checkedText(text, where.text, name)]);
  }
  return headers.size === 0 ? NONE : Object.fromEntries(headers.values());
}

/** Most webhooks have none. */
const NONE: Readonly<Record<string, string>> = Object.freeze({});

/** For headers that are about to be stored. */
export function refuseReservedHeaders(value: unknown, place: string): void {
  for (const { name, where } of pairsOf(value, place)) {
    if (isReserved(name)) throw new SettingFault(where.name, `may not be ${name}: Waybill sets it, or HTTP does`);
  }
}

function isReserved(name: string): boolean {
  const lower = name.toLowerCase();
  return RESERVED.has(lower) || lower.startsWith(RESERVED_PREFIX);
}

interface Pair {
  readonly name: string;
  readonly text: unknown;
  readonly where: { readonly name: string; readonly text: string };
}

function pairsOf(value: unknown, place: string): Pair[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map((item: unknown, index) => pairOf(item, `${place}[${index}]`));
  if (typeof value !== 'object') throw new SettingFault(place, 'must be a list of {key, value}, or an object');
  return Object.entries(value).map(([name, text]) => {
    const where = `${place}[${JSON.stringify(name.slice(0, 80))}]`;
    return { name, text, where: { name: where, text: where } };
  });
}

function pairOf(item: unknown, place: string): Pair {
  if (typeof item !== 'object' || item === null || !('key' in item) || typeof item.key !== 'string') {
    throw new SettingFault(place, 'must be an object with the strings key and value');
  }
  const text = 'value' in item ? item.value : '';
  return { name: item.key, text, where: { name: `${place}.key`, text: `${place}.value` } };
}

function checkedName(name: string, place: string): string {
  if (!NAME.test(name)) {
    // What is behind the first wrong character may be a value, and so a secret.
    const seen = JSON.stringify(/^[\w-]{0,80}./s.exec(name)?.[0] ?? '');
    throw new SettingFault(place, `must be the name of a header, got one that begins with ${seen}`);
  }
  return name;
}

function checkedText(text: unknown, place: string, name: string): string {
  if (typeof text !== 'string') throw new SettingFault(place, `must be a string (header ${name})`);
  if (!VALUE.test(text)) {
    throw new SettingFault(place, `holds a control character, or one beyond Latin-1 (header ${name})`);
  }
  return text;
}

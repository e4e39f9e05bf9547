import { isObject } from '../model/json-values.ts';
import type { JsonObject } from '../model/message.ts';
import { parseLenientJson } from './lenient-json.ts';

/** A transparent GIF of one pixel. */
export const PIXEL: Uint8Array = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Deeper keys are taken as they are written. */
const DEPTH = 8;

/**
 * The call that the query of a pixel holds: `data`, JSON in base64 of either alphabet, or else the query itself, with
 * keys that dots lead into objects: `properties.subject=News`. Null when `data` is no JSON.
 */
export function callOfPixel(query: Readonly<Record<string, unknown>>): unknown {
  const { data } = query;
  if (typeof data === 'string' && data !== '') return ofData(data, query['writeKey']);
  const call = new Map<string, unknown>();
  for (const [key, value] of Object.entries(query)) {
    const path = key.split('.', DEPTH);
    set(call, path, path[0] === 'integrations' ? switchOf(value) : value);
  }
  return toObject(call);
}

function ofData(data: string, writeKey: unknown): unknown {
  // A plus that was not escaped is a space by now.
  const call = parsed(Buffer.from(data.replaceAll(' ', '+'), 'base64').toString('utf8'));
  return isObject(call) ? { writeKey, ...call } : call;
}

function parsed(text: string): unknown {
  try {
    return parseLenientJson(text);
  } catch {
    return null;
  }
}

/** A query holds nothing but text, and a destination is switched off by a boolean alone (ING-5). */
function switchOf(value: unknown): unknown {
  if (value === 'false') return false;
  return value === 'true' ? true : value;
}

/** Kept in maps on the way, where `__proto__` is a key like any other. What is given twice is taken once. */
function set(into: Map<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    if (!into.has(key)) into.set(key, Array.isArray(value) ? value[0] : value);
    return;
  }
  const found = into.get(key);
  const inner = found instanceof Map ? found : new Map<string, unknown>();
  if (found === undefined) into.set(key, inner);
  set(inner, rest, value);
}

function toObject(map: ReadonlyMap<string, unknown>): JsonObject {
  return Object.fromEntries([...map].map(([key, value]) => [key, value instanceof Map ? toObject(value) : value]));
}

import type { JsonObject } from './message.ts';

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads what belongs to be an object: absent is undefined, and an empty list is an empty object, because PHP writes
 * an empty map so. Anything else is no object.
 */
export function objectOf(value: unknown): JsonObject | undefined | 'no object' {
  if (value === undefined || value === null) return undefined;
  if (isObject(value)) return value;
  return Array.isArray(value) && value.length === 0 ? {} : 'no object';
}

/** Text as sent, a number as text; undefined for all else, and for a number too large to be read. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

/** As `textOf`, and empty text is none: so are ids and names read. */
export function wordOf(value: unknown): string | undefined {
  return textOf(value) || undefined;
}

/** Whether a text takes more bytes of UTF-8. They are not counted where even three for each of its units are no more. */
export function takesMoreThan(bytes: number, text: string): boolean {
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}

/** A text as any storage can hold it and answers it: none has the character 0, or half of a pair of surrogates. */
export function storable(text: string): string {
  const whole = text.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole;
}

/**
 * Whether more than so many values stand within each other. What is deeper could exhaust the stack of whoever writes it
 * as JSON again; this looks no further than that itself.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (isObject(value)) return levels === 0 || hasDeepField(value, levels - 1);
  if (!Array.isArray(value)) return false;
  return levels === 0 || value.some((item) => typeof item === 'object' && isDeeperThan(item, levels - 1));
}

/** Every event passes here: a list of its values would cost several times as much. What was parsed inherits no key. */
function hasDeepField(object: JsonObject, levels: number): boolean {
  for (const key in object) {
    const value = object[key];
    if (typeof value === 'object' && isDeeperThan(value, levels)) return true;
  }
  return false;
}

/** Whoever has it cannot change it any more. Without recursion, so that no depth of nesting can exhaust the stack. */
export function deepFreeze<T>(value: T): T {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    // One by one: as arguments of one call, so many values as a body may hold are more than the stack has room for.
    for (const inner of Object.values(next)) pending.push(inner);
  }
  return value;
}

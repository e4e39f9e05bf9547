import type { JsonObject } from '../model/message.ts';
import { isObject } from './json-values.ts';
import { EVENT_DEPTH } from './limits.ts';

/**
 * Whether more than so many values stand within each other. What is deeper could exhaust the stack of whoever writes it
 * as JSON again; this looks no further than that itself.
 */
export function isTooDeep(value: unknown, levels = EVENT_DEPTH): boolean {
  if (isObject(value)) return levels === 0 || hasDeepField(value, levels - 1);
  return Array.isArray(value) && (levels === 0 || value.some((item) => isTooDeep(item, levels - 1)));
}

/** Every event passes here: a list of its values would cost several times as much. What was parsed inherits no key. */
function hasDeepField(object: JsonObject, levels: number): boolean {
  for (const key in object) {
    const value = object[key];
    if (typeof value === 'object' && isTooDeep(value, levels)) return true;
  }
  return false;
}

/** Tells which events of one body are nested too deeply; a body too short for that is not looked through. */
export function createDepthCheck(bodyBytes: number): (event: unknown) => boolean {
  // Each level takes two brackets.
  return bodyBytes <= 2 * EVENT_DEPTH ? () => false : (event) => isTooDeep(event);
}

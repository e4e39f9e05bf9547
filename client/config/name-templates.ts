import type { paths } from '../../generated/config-api.d.ts';
import type { Ids } from './call.ts';

const PREFIX = '/v1beta/';

/**
 * What may stand between the slashes of a name. Which of these ids exist, and which are allowed, the API decides; `.`
 * and `..` alone would leave the path, so they are refused here.
 */
export const ID = /^(?!\.{1,2}$)[^/\p{Cc}\p{Cs}]+$/u;

/** A resource name is its path without the version (S 2.1). */
export function templateOf(path: keyof paths): string {
  return path.slice(PREFIX.length);
}

/** The ids that a name has in the places of a template; undefined when it is not of that form. */
export function idsIn(template: string, name: unknown): Ids | undefined {
  if (typeof name !== 'string') return undefined;
  const steps = template.split('/');
  const parts = name.split('/');
  if (parts.length !== steps.length) return undefined;
  const ids: Record<string, string> = {};
  for (const [index, step] of steps.entries()) {
    const part = parts[index] ?? '';
    const parameter = /^\{(\w+)\}$/.exec(step)?.[1];
    if (parameter === undefined ? part !== step : !ID.test(part)) return undefined;
    if (parameter !== undefined) ids[parameter] = part;
  }
  return ids;
}

/** The ids in a name, which has the form of a path. Throws a TypeError that names the form when it has another. */
export function idsOf(owner: string, path: keyof paths, name: unknown): Ids {
  const ids = idsIn(templateOf(path), name);
  if (ids !== undefined) return ids;
  throw new TypeError(`${owner} takes names of the form ${formOf(templateOf(path))}, got ${quoted(name)}`);
}

export function formOf(template: string): string {
  return template.replaceAll('{', '<').replaceAll('}', '>');
}

export function quoted(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 200)) : String(value);
}

import type { Row } from '../../config-store.ts';

/** A row with the JSON of its resource, so that a write costs what changed and not what is stored. */
export interface Entry<R> extends Row<R> {
  readonly text: string;
}

/** The resource is copied by way of its JSON: memory holds exactly what a file gives back, and nobody can change it. */
export function toEntry<R>(sequence: number, resource: R): Entry<R> {
  const text = JSON.stringify(resource);
  const copy: R = JSON.parse(text);
  return Object.freeze({ sequence, resource: deepFreeze(copy), text });
}

/** Without recursion, so that no depth of nesting can exhaust the stack. */
export function deepFreeze<T>(value: T): T {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    pending.push(...Object.values(next));
  }
  return value;
}

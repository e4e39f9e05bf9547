import { createHash } from 'node:crypto';
import { ApiError } from '../http/errors.ts';

/** What changes without anybody having changed the resource, or is shown only once. */
const VOLATILE = new Set(['token', 'last_used_time', 'undecided_count', 'last_undecided_time']);

/** The strong entity tag of a resource as it is answered: equal tags mean equal fields. */
export function entityTag(resource: object): string {
  const lasting = Object.entries(resource).filter(([field]) => !VOLATILE.has(field));
  return `"${createHash('sha256').update(JSON.stringify(lasting)).digest('base64url').slice(0, 27)}"`;
}

export interface Precondition {
  readonly 'If-Match'?: string;
}

interface Named {
  readonly name: string;
}

/**
 * Makes a change, or the check of a removal, refuse a state that it was not decided on. `shown` says how the resource is
 * answered, which is what its tag is of. Without `If-Match` any state will do.
 */
export function matching<R extends Named, More extends unknown[], T>(
  precondition: Precondition,
  change: (current: R, ...more: More) => T,
  shown: (current: R) => Named = (current) => current,
): (current: R, ...more: More) => T {
  return (current, ...more) => {
    requireMatch(precondition, shown(current));
    return change(current, ...more);
  };
}

/** S 7.1 has no 412, so a stale tag is the conflict that its table has: 409. */
function requireMatch({ 'If-Match': wanted }: Precondition, resource: Named): void {
  if (wanted === undefined || wanted.trim() === '*') return;
  const tags = wanted.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  const current = entityTag(resource);
  if (tags.includes(current)) return;
  const what = `a newer state of ${resource.name} already exists`;
  throw new ApiError('AlreadyExists', `${what}: If-Match names another than ${current}, so read it again`);
}

/** The check of a removal that nothing else stands in the way of. */
export function asIs(): void {}

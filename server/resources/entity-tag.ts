import { hash } from 'node:crypto';
import { ApiError } from '../http/errors.ts';
import { Kept } from './kept.ts';

/** Of a quota. */
const USED = ['events_today', 'refused_requests_today', 'reset_time'];

/** What changes without anybody having changed the resource, or is shown only once. */
const VOLATILE = new Set(['token', 'last_used_time', 'undecided_count', 'last_undecided_time', ...USED]);

/** Of audiences and computed traits: what syncs, and changes of others, come to. */
const COMPUTED = new Set(['state', 'state_reason', 'size', 'history_from', 'last_sync']);
const COMPUTED_NAME = /^workspaces\/[^/]+\/(?:audiences|computed-traits)\/[^/]+$/;

/** The strong entity tag of a resource as it is answered: equal tags mean equal fields. */
export function entityTag(resource: object): string {
  const isComputed = 'name' in resource && COMPUTED_NAME.test(String(resource.name));
  const lasting = Object.entries(resource).filter(
    ([field]) => !VOLATILE.has(field) && !(isComputed && COMPUTED.has(field)),
  );
  return `"${hash('sha256', JSON.stringify(lasting), 'base64url').slice(0, 27)}"`;
}

export interface Precondition {
  readonly 'If-Match'?: string;
}

interface Named {
  readonly name: string;
}

/**
 * Refuses a change of a state that it was not decided on. `show` says how the resource is answered, which is what its tag is
 * of. Without `If-Match` any state will do. No error is a 412 (S 7.1), so a stale tag is the conflict that its table has: 409.
 */
export function requireMatch<R>(
  { 'If-Match': wanted }: Precondition,
  current: R,
  show: (current: R) => Named,
  tagOf: (shown: Named) => string = entityTag,
): void {
  if (wanted === undefined || wanted.trim() === '*') return;
  const tags = wanted.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  const shown = show(current);
  const tag = tagOf(shown);
  if (tags.includes(tag)) return;
  const what = `a newer state of ${shown.name} already exists`;
  throw new ApiError('AlreadyExists', `${what}: If-Match does not match ${tag}, so read it again`);
}

/** The same for a kind of resources, of which the tag of each state is made once: it takes as long as the resource is large. */
export function matching<R>(show: (current: R) => Named): (wanted: Precondition, current: R) => void {
  const tags = new Kept(entityTag);
  return (wanted, current) => requireMatch(wanted, current, show, (shown) => tags.of(shown));
}

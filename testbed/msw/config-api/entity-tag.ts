import { createHash } from 'node:crypto';
import { Refusal } from './refusal.ts';

/** What changes without anybody having changed the resource, or is shown only once. */
const VOLATILE = new Set(['token', 'last_used_time']);

/** Equal tags mean equal fields; what a tag looks like inside is the router's own affair. */
export function entityTag(resource: object): string {
  const lasting = Object.entries(resource).filter(([field]) => !VOLATILE.has(field));
  return `"${createHash('sha256').update(JSON.stringify(lasting)).digest('base64url').slice(0, 27)}"`;
}

/** A change that names another state than the one that is there is a conflict. */
export function requireMatch(wanted: string | null, resource: { readonly name: string }): void {
  if (wanted === null || wanted.trim() === '*') return;
  const tags = wanted.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  const current = entityTag(resource);
  if (tags.includes(current)) return;
  const what = `a newer state of ${resource.name} already exists`;
  throw new Refusal(409, `${what}: If-Match does not match ${current}, so read it again`);
}

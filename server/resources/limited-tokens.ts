import type { Operation } from '../http/document.ts';
import { ApiError } from '../http/errors.ts';
import { isWithin } from '../model/resources.ts';
import { type Caller, isLimited } from './callers.ts';
import { notFound } from './kit.ts';
import type { PathParameters } from './names.ts';

/** What everybody may read. */
const CATALOG = 'catalog';

/**
 * What a token that is limited to sources or destinations may ask for, by the path alone: so it holds for operations that are
 * added too. What is named beyond its resources is a 404, as if it were not there; the one exception is the list that a
 * resource stands in, which shows no other. What names nothing is left to handlers: they show a bound token nothing of all
 * workspaces, and lists show what the token sees.
 */
export function requireWithin(caller: Caller, operation: Operation, path: PathParameters): void {
  if (!isLimited(caller) || !operation.template.includes('{')) return;
  const name = nameIn(operation.template, path);
  const { resource_names: limits = [], name: own } = caller.token;
  const isRead = operation.method === 'get';
  if (limits.some((limit) => isWithin(name, limit) || (isRead && name === collectionOf(limit)))) return;
  if (isRead && (name === 'access-tokens/self' || name === own || isWithin(name, CATALOG))) return;
  throw notFound(name);
}

/** Throws where a field would lead events of a limited token's source into another. */
export function requireWithinReach(caller: Caller, field: string, name: string): void {
  const { resource_names: limits } = caller.token;
  if (limits === undefined || limits.some((limit) => isWithin(name, limit))) return;
  throw new ApiError('PermissionDenied', `insufficient scope: ${field} names ${name}, which this token may not see`);
}

/** What a path names, without its version and its verb: `workspaces/main/sources/js`. */
function nameIn(template: string, path: PathParameters): string {
  const bare = template.replace(/^\/[^/]+\//, '').replace(/:[A-Za-z]+$/, '');
  return bare.replaceAll(/\{(\w+)\}/g, (_all, parameter: string) => path[parameter] ?? '');
}

function collectionOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/'));
}

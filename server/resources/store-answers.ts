import { ApiError } from '../http/errors.ts';
import type { Creation, Kind } from '../storage/config-store.ts';

const NOUNS = {
  'access-tokens': 'access token',
  workspaces: 'workspace',
  sources: 'source',
  destinations: 'destination',
  'tracking-plans': 'tracking plan',
  regulations: 'regulation',
  filters: 'filter',
} as const satisfies Record<Kind, string>;

export function notFound(name: string): ApiError {
  return new ApiError('NotFound', `${name} does not exist`);
}

/** Passes what the store found; nothing is a 404 (CFG-15). */
export function found<R>(resource: R | undefined, name: string): R {
  if (resource === undefined) throw notFound(name);
  return resource;
}

/** Passes a creation that took place; else throws what stood in its way. Clients look for "… already exists" (D-2). */
export function requireCreated(creation: Creation, kind: Kind, name: string): void {
  switch (creation) {
    case 'created':
      return;
    case 'name taken':
      throw new ApiError('AlreadyExists', `${NOUNS[kind]} already exists: ${name}`);
    case 'write key taken':
      throw new ApiError('AlreadyExists', 'a source with this write key already exists');
    case 'no room':
      throw new ApiError(
        'InvalidArgument',
        `${parentNameOf(name)} has as many ${NOUNS[kind]}s as it can have: remove one first`,
      );
    case 'parent missing':
      throw notFound(parentNameOf(name));
  }
}

function parentNameOf(name: string): string {
  return name.split('/').slice(0, -2).join('/');
}

import { ApiError, notFound, writeKeyTaken } from '../http/errors.ts';
import { parentOf } from '../model/resource-names.ts';
import type { Kind, Resources } from '../model/resources.ts';
import type { Creation, Fit } from '../storage/config-store.ts';

export interface Addition<K extends Noun> {
  readonly kind: K;
  readonly resource: Resources[K];
  readonly maximum?: number | undefined;
  readonly fit?: Fit<Resources[K]> | undefined;
}

/** Passes a creation that took place; else throws what stood in its way. Clients look for "… already exists" (D-2). */
export function requireCreated(creation: Creation, kind: Noun, name: string, maximum = Infinity): void {
  const [noun, parent] = [NOUNS[kind], parentOf(name)];
  switch (creation) {
    case 'created':
      return;
    case 'name taken':
      throw new ApiError('AlreadyExists', `${noun} already exists: ${name}`);
    case 'write key taken':
      throw writeKeyTaken();
    case 'no room':
      throw new ApiError(
        'InvalidArgument',
        `${parent} already has the maximum number of ${noun}s (${maximum}); delete one first`,
      );
    case 'parent missing':
      throw notFound(parent);
  }
}

/** What errors call them. */
const NOUNS = {
  'access-tokens': 'access token',
  workspaces: 'workspace',
  sources: 'source',
  destinations: 'destination',
  'tracking-plans': 'tracking plan',
  regulations: 'regulation',
  filters: 'filter',
  audiences: 'audience',
  'computed-traits': 'computed trait',
} as const satisfies Partial<Record<Kind, string>>;

/** What requests create. */
export type Noun = keyof typeof NOUNS;

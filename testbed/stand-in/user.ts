import type { Tile } from '../../server/storage/profile-storage.ts';

/** What is known of one user. */
export interface User {
  readonly user: string;
  readonly anonymousIds: Set<string>;
  readonly traits: Record<string, unknown>;
  /** When each trait was set, by its name. */
  readonly setAt: Map<string, number>;
  /** One for each event that a measure counts. */
  readonly tiles: Tile[];
}

export function newUser(user: string): User {
  return { user, anonymousIds: new Set(), traits: {}, setAt: new Map(), tiles: [] };
}

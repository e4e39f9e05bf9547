import type { Env } from '../../resources/env.ts';
import { valueOfTiles } from '../../audiences/tile-values.ts';
import { NOTHING_FOLDED, type Profile } from '../../storage/profile-storage.ts';

type Profiles = NonNullable<Env['profiles']>;

const ONE_PROFILE: Profile = {
  user: 'user-1',
  userIds: ['user-0', 'user-1'],
  // After an alias of what was an anonymous id, it is a user id as well.
  anonymousIds: ['anonymous-1', 'user-0'],
  traits: { plan: 'pro' },
  results: [],
  values: [],
  tiles: [],
};

/** Profiles that hold one user, a member of every audience. */
export function oneProfile(): Profiles & { readonly erased: string[] } {
  const erased: string[] = [];
  return {
    erased,
    results: async ({ after = '' }) => ({
      run: 1,
      results: after < 'user-1' ? [{ user: 'user-1', value: 'true', since: 1 }] : [],
      next: undefined,
    }),
    preview: async () => ({ evaluated: 1, size: 1, sample: ['user-1'] }),
    profile: async ({ user, values = [] }) =>
      ONE_PROFILE.userIds.includes(user) && !erased.includes(user)
        ? { ...ONE_PROFILE, values: values.map((measured) => valueOfTiles(measured, [])) }
        : undefined,
    fold: async () => NOTHING_FOLDED,
    lastCaught: async () => 0,
    async erase({ userIds }) {
      erased.push(...userIds);
      return { unasked: [], refusedIds: 0, undecided: [], isMore: false };
    },
  };
}

import type { components } from '../../generated/config-api.d.ts';
import { spacesNow } from '../audiences/all-computations.ts';
import type { Computation } from '../audiences/computations.ts';
import { tellUndecided } from '../audiences/tell-undecided.ts';
import { foldForRead, foldUntilNow } from '../jobs/fold-caught.ts';
import type { Profile } from '../storage/profile-storage.ts';
import { ApiError } from '../http/errors.ts';
import type { Caller } from './callers.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { add, found, requireParent } from './kit.ts';
import { nameOf } from './names.ts';
import { makeRegulation } from './regulations.ts';
import { profilesOf } from './results-pages.ts';

type Schemas = components['schemas'];

export function profileHandlers(env: Env) {
  return {
    async getProfile({ path, caller }) {
      const workspace = nameOf('workspaces', path);
      const profiles = await profilesSeen(env, workspace, caller);
      await foldForRead({ ...env, profiles }, workspace);
      const profile = await readProfile(env, profiles, { workspace, user: path.user });
      return profileResource(profile, env.directory.computations(workspace).get);
    },

    async deleteProfile({ path, caller }) {
      const workspace = nameOf('workspaces', path);
      const profiles = await profilesSeen(env, workspace, caller);
      // An alias that was accepted just before merges ids too.
      await foldUntilNow({ ...env, profiles }, workspace);
      const { userIds } = await readProfile(env, profiles, { workspace, user: path.user });
      let all: readonly string[] = [];
      let more = userIds;
      while (more.length > 0) {
        all = [...all, ...more];
        // First, so that what is left after a crash is erased all the same; it names the ids that nobody knows afterwards.
        await regulate(env, caller, { workspace, userIds: more });
        more = await erase(env, profiles, { workspace, userIds: all });
      }
      return {};
    },
  } satisfies Partial<ConfigHandlers>;
}

type Profiles = ReturnType<typeof profilesOf>;

async function profilesSeen(env: Env, workspace: string, caller: Caller): Promise<Profiles> {
  const profiles = profilesOf(env);
  await requireParent(env.store, caller, workspace);
  return profiles;
}

interface Erased {
  readonly workspace: string;
  readonly userIds: readonly string[];
}

async function regulate(env: Env, caller: Caller, { workspace, userIds }: Erased): Promise<void> {
  const attributes = { name: 'userId' as const, values: [...userIds] };
  const asked = { regulation_type: 'Delete_Internal' as const, attributes };
  const resource = makeRegulation(asked, workspace, env.clock.now(), env.newNames);
  await add(env.store, caller, { kind: 'regulations', resource });
  env.jobs.look('regulations');
}

/** One part is what profiles may be kept from others for; most have no more. */
const MOST_PARTS = 20;

/** Answers the ids that they have merged with since: then nothing of them is gone. */
async function erase(env: Env, profiles: Profiles, erased: Erased): Promise<readonly string[]> {
  for (let parts = 0; parts < MOST_PARTS; parts += 1) {
    const { undecided, unasked, isMore } = await profiles.erase({ ...erased, spaces: spacesNow(env.directory) });
    tellUndecided(undecided, env);
    if (!isMore) return unasked;
  }
  throw new ApiError(
    'Unavailable',
    'the profile is still being deleted, and that goes on: ask again until it is a 404',
  );
}

interface Asked {
  readonly workspace: string;
  readonly user: string;
}

async function readProfile(env: Env, profiles: Profiles, { workspace, user }: Asked): Promise<Profile> {
  const { space } = env.directory.computations(workspace);
  const profile = space && (await profiles.profile({ space: space.id, user, measures: [] }));
  return found(profile, `${workspace}/profiles/${user}`);
}

function profileResource(
  { user, userIds, anonymousIds, traits, results }: Profile,
  computation: (name: string) => Computation | undefined,
): Schemas['Profile'] {
  const known = results.flatMap(({ computation: name, value, since }) => {
    const { kind, key } = computation(name) ?? {};
    return kind === undefined || key === undefined ? [] : [{ name, kind, key, value, since }];
  });
  const audiences = known.filter(({ kind }) => kind === 'audiences');
  const computedTraits = known.filter(({ kind }) => kind === 'computed-traits');
  return {
    user_id: user,
    user_ids: [...userIds],
    // What an alias made a user id of is listed once.
    anonymous_ids: anonymousIds.filter((id) => !userIds.includes(id)),
    traits: { ...traits },
    audiences: audiences.map(({ name, key, since }) => ({ name, key, since_sync: since })),
    computed_traits: computedTraits.map(({ name, key, value }) => ({ name, key, value: JSON.parse(value) })),
  };
}

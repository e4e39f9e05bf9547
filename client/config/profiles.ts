import type { Ids, Send } from './call.ts';
import { idsOf } from './name-templates.ts';
import { type Answer, ask } from './operations.ts';
import { readNothing } from './readings.ts';
import type { CallOptions } from './resource-types.ts';
import { RESOURCES } from './resources.ts';

const ITEM = '/v1beta/workspaces/{workspace}/profiles/{user}';

/** What is known of one user. */
export type Profile = Answer<typeof ITEM>;

/** Profiles of a workspace, by any id of the user. Kinds: `NotFound`, and `Unimplemented` where the router keeps none. */
export interface ProfileMethods {
  get(workspace: string, userId: string, options?: CallOptions): Promise<Profile>;

  /** Deletes the profile, and by a regulation the stored events of the user; no destination is told. */
  delete(workspace: string, userId: string, options?: CallOptions): Promise<void>;
}

export function profileMethods(send: Send): ProfileMethods {
  return {
    async get(workspace, userId, { signal } = {}) {
      return ask(send, { method: 'get', path: ITEM, ids: idsIn(workspace, userId), signal }, 'user_id');
    },
    async delete(workspace, userId, { signal } = {}) {
      const ids = idsIn(workspace, userId);
      await send({ method: 'delete', path: ITEM, ids, signal, read: readNothing });
    },
  };
}

function idsIn(workspace: string, user: string): Ids {
  return { ...idsOf('client.profiles', RESOURCES.workspaces.item, workspace), user };
}

import type { Send } from './call.ts';
import { idsOf } from './name-templates.ts';
import { type Answer, ask, type Input, listAll, type Listed, type Query } from './operations.ts';
import { readNothing } from './readings.ts';
import type { CallOptions, ListOptions } from './resource-types.ts';
import { RESOURCES } from './resources.ts';

const COLLECTION = '/v1beta/workspaces/{workspace}/regulations';
const ITEM = `${COLLECTION}/{regulation}` as const;
const SUPPRESSED = '/v1beta/workspaces/{workspace}/suppressed-users';
const OWNER = 'client.regulations';

/** A request to delete users, to take in no more of them, or both (D-12). It does not tell which users. */
export type Regulation = Answer<typeof ITEM>;
export type NewRegulation = Input<typeof COLLECTION>;
/** A user whose events are not taken in. */
export type SuppressedUser = Listed<typeof SUPPRESSED, 'suppressed_users'>;

export interface RegulationMethods {
  /** The regulations of a workspace, oldest first; by status and type. Kinds: `NotFound`. */
  list(workspace: string, options?: ListOptions & Query<typeof COLLECTION>): AsyncIterable<Regulation>;

  /** One regulation, and how far it has got. Kinds: `NotFound`. */
  get(name: string, options?: CallOptions): Promise<Regulation>;

  /** Suppression holds at once, deletion follows. Kinds: `InvalidArgument`, `PermissionDenied`, `NotFound`. */
  create(workspace: string, regulation: NewRegulation, options?: CallOptions): Promise<Regulation>;

  /** Cancels one. Kinds: `InvalidArgument` once it runs, `PermissionDenied`, `NotFound`. */
  delete(name: string, options?: CallOptions): Promise<void>;
}

export interface SuppressedUserMethods {
  /** The suppressed users of a workspace, the longest suppressed first. Kinds: `NotFound`. */
  list(workspace: string, options?: ListOptions): AsyncIterable<SuppressedUser>;
}

export function regulationMethods(send: Send): RegulationMethods {
  return {
    list(workspace, options) {
      const ids = idsOf(`${OWNER}.list`, RESOURCES.workspaces.item, workspace);
      return listAll(send, { owner: OWNER, path: COLLECTION, ids, plural: 'regulations', mark: 'name' }, options);
    },
    async get(name, { signal } = {}) {
      return ask(send, { method: 'get', path: ITEM, ids: idsOf(OWNER, ITEM, name), signal }, 'name');
    },
    async create(workspace, regulation, { signal } = {}) {
      const ids = idsOf(`${OWNER}.create`, RESOURCES.workspaces.item, workspace);
      return ask(send, { method: 'post', path: COLLECTION, ids, body: regulation, signal }, 'name');
    },
    async delete(name, { signal } = {}) {
      await send({ method: 'delete', path: ITEM, ids: idsOf(OWNER, ITEM, name), signal, read: readNothing });
    },
  };
}

export function suppressedUserMethods(send: Send): SuppressedUserMethods {
  const owner = 'client.suppressedUsers';
  return {
    list(workspace, options) {
      const ids = idsOf(`${owner}.list`, RESOURCES.workspaces.item, workspace);
      return listAll(send, { owner, path: SUPPRESSED, ids, plural: 'suppressed_users', mark: 'user_id' }, options);
    },
  };
}

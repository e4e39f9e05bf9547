import type { Send } from './call.ts';
import { idsOf } from './name-templates.ts';
import { type Answer, ask, askTagged, type Input } from './operations.ts';
import type { CallOptions, ChangeOptions, Tagged } from './resource-types.ts';
import { updateMaskPaths } from './update-mask.ts';

const ITEM = '/v1beta/workspaces/{workspace}/quota';
const OWNER = 'client.quotas';

/** How many events a workspace may send, and how many it sent today. */
export type Quota = Answer<typeof ITEM>;

type Updatable = NonNullable<Input<typeof ITEM, 'patch'>['quota']>;

/** The limits that are given, and no others; 0 lifts one. */
export type QuotaChanges = { readonly [Field in keyof Updatable]?: Updatable[Field] | undefined };

/** The one of each workspace: `workspaces/<workspace>/quota`. Kinds: `NotFound`. */
export interface QuotaMethods {
  get(name: string, options?: CallOptions): Promise<Quota>;

  /** With the tag of its state, for the `ifMatch` of an update. Kinds: `UnexpectedAnswer` for a token that only reads. */
  getTagged(name: string, options?: CallOptions): Promise<Tagged<Quota>>;

  /**
   * For tokens that are not bound to workspaces. Kinds: `InvalidArgument`, `PermissionDenied`, and with `ifMatch`
   * `AlreadyExists` when it has changed since.
   */
  update(name: string, changes: QuotaChanges, options?: ChangeOptions): Promise<Quota>;
}

export function quotaMethods(send: Send): QuotaMethods {
  return {
    async get(name, { signal } = {}) {
      return ask(send, { method: 'get', path: ITEM, ids: idsOf(OWNER, ITEM, name), signal }, 'name');
    },
    async getTagged(name, { signal } = {}) {
      return askTagged(send, { method: 'get', path: ITEM, ids: idsOf(OWNER, ITEM, name), signal }, 'name');
    },
    async update(name, changes, { ifMatch, signal } = {}) {
      const body = { quota: changes, update_mask: { paths: updateMaskPaths({ key: 'quota', nested: {} }, changes) } };
      return ask(send, { method: 'patch', path: ITEM, ids: idsOf(OWNER, ITEM, name), body, ifMatch, signal }, 'name');
    },
  };
}

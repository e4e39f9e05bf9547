import type { Send } from './call.ts';
import { idsOf } from './name-templates.ts';
import { type Answer, ask, askTagged, type Input, listAll } from './operations.ts';
import type { CallOptions, ChangeOptions, ListOptions, Tagged } from './resource-types.ts';
import { RESOURCES } from './resources.ts';
import { updateMaskPaths } from './update-mask.ts';

const ITEM = '/v1beta/workspaces/{workspace}/sources/{source}/schema-config';
const OF_WORKSPACE = '/v1beta/workspaces/{workspace}/schema-configs';
const OWNER = 'client.schemaConfigs';

/** What is done with events of a source that its tracking plan does not foresee. */
export type SchemaConfig = Answer<typeof ITEM>;

type Updatable = Omit<NonNullable<Input<typeof ITEM, 'patch'>['schema_config']>, 'update_mask'>;

/** The fields that are given, and no others; one that is undefined is not changed. */
export type SchemaConfigChanges = { readonly [Field in keyof Updatable]?: Updatable[Field] | undefined };

export interface SchemaConfigUpdateOptions extends ChangeOptions {
  /** The update mask in place of the one that the changes give; a path without a value sets its default. */
  readonly paths?: readonly (keyof Updatable)[] | undefined;
}

/** The one of each source: `workspaces/<workspace>/sources/<source>/schema-config`. Kinds: `NotFound`. */
export interface SchemaConfigMethods {
  /** Those of all sources of a workspace, in the order of the sources. Kinds: `NotFound`. */
  list(workspace: string, options?: ListOptions): AsyncIterable<SchemaConfig>;

  get(name: string, options?: CallOptions): Promise<SchemaConfig>;

  /** With the tag of its state, for the `ifMatch` of an update. Kinds: `UnexpectedAnswer` for a token that only reads. */
  getTagged(name: string, options?: CallOptions): Promise<Tagged<SchemaConfig>>;

  /** Kinds: `InvalidArgument`, `PermissionDenied`, and with `ifMatch` `AlreadyExists` when it has changed since. */
  update(name: string, changes: SchemaConfigChanges, options?: SchemaConfigUpdateOptions): Promise<SchemaConfig>;
}

export function schemaConfigMethods(send: Send): SchemaConfigMethods {
  return {
    list(workspace, options) {
      const ids = idsOf(`${OWNER}.list`, RESOURCES.workspaces.item, workspace);
      return listAll(send, { owner: OWNER, path: OF_WORKSPACE, ids, plural: 'schema_configs', mark: 'name' }, options);
    },
    async get(name, { signal } = {}) {
      return ask(send, { method: 'get', path: ITEM, ids: idsOf(OWNER, ITEM, name), signal }, 'name');
    },
    async getTagged(name, { signal } = {}) {
      return askTagged(send, { method: 'get', path: ITEM, ids: idsOf(OWNER, ITEM, name), signal }, 'name');
    },
    async update(name, changes, { paths, ifMatch, signal } = {}) {
      const mask = { paths: updateMaskPaths({ key: 'schema_config', nested: {} }, changes, paths) };
      const body = { schema_config: changes, update_mask: mask };
      return ask(send, { method: 'patch', path: ITEM, ids: idsOf(OWNER, ITEM, name), body, ifMatch, signal }, 'name');
    },
  };
}
